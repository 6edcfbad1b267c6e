import { words } from "../en/saved.js";
import { part } from "../words.js";

export const say = part("saved", words);
