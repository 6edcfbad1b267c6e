import { words } from "../en/step_sentence.js";
import { part } from "../words.js";

export const say = part("step_sentence", words);
