import { words } from "../en/frame.js";
import { part } from "../words.js";

export const say = part("frame", words);
