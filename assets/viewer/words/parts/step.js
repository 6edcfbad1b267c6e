import { words } from "../en/step.js";
import { part } from "../words.js";

export const say = part("step", words);
