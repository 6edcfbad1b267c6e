import { words } from "../en/mistakes.js";
import { part } from "../words.js";

export const say = part("mistakes", words);
