import { words } from "../en/column.js";
import { part } from "../words.js";

export const say = part("column", words);
