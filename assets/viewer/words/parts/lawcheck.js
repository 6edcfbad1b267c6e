import { words } from "../en/lawcheck.js";
import { part } from "../words.js";

export const say = part("lawcheck", words);
