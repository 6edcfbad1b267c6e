import { words } from "../en/lab.js";
import { part } from "../words.js";

export const say = part("lab", words);
