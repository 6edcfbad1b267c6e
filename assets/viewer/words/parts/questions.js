import { words } from "../en/questions.js";
import { part } from "../words.js";

export const say = part("questions", words);
