import { words } from "../en/compare.js";
import { part } from "../words.js";

export const say = part("compare", words);
