import { words } from "../en/sandbox_longrun.js";
import { part } from "../words.js";

export const say = part("sandbox_longrun", words);
