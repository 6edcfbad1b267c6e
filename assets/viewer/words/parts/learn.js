import { words } from "../en/learn.js";
import { part } from "../words.js";

export const say = part("learn", words);
