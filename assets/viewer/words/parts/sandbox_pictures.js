import { words } from "../en/sandbox_pictures.js";
import { part } from "../words.js";

export const say = part("sandbox_pictures", words);
