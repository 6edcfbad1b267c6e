import { words } from "../en/step_pictures.js";
import { part } from "../words.js";

export const say = part("step_pictures", words);
