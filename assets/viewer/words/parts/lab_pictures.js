import { words } from "../en/lab_pictures.js";
import { part } from "../words.js";

export const say = part("lab_pictures", words);
