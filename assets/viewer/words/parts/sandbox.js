import { words } from "../en/sandbox.js";
import { part } from "../words.js";

export const say = part("sandbox", words);
