import { words } from "../en/sandbox_help.js";
import { part } from "../words.js";

export const say = part("sandbox_help", words);
