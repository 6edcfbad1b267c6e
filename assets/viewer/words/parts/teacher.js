import { words } from "../en/teacher.js";
import { part } from "../words.js";

export const say = part("teacher", words);
