import { words } from "../en/link.js";
import { part } from "../words.js";

export const say = part("link", words);
