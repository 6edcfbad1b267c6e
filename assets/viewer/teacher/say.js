/** The teacher's words, by key. */

import { part } from "../words/words.js";
import { words } from "./words/en.js";

export const say = part("teacher", words);
