import { words } from "../en/audit.js";
import { part } from "../words.js";

export const say = part("audit", words);
