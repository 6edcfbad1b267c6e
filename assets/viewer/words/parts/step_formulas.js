import { words } from "../en/step_formulas.js";
import { part } from "../words.js";

export const say = part("step_formulas", words);
