import { words } from "../en/viewer.js";
import { part } from "../words.js";

export const say = part("viewer", words);
