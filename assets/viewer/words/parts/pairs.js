import { words } from "../en/pairs.js";
import { part } from "../words.js";

export const say = part("pairs", words);
