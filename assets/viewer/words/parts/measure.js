import { words } from "../en/measure.js";
import { part } from "../words.js";

export const say = part("measure", words);
