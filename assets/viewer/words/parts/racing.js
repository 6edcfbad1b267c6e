import { words } from "../en/racing.js";
import { part } from "../words.js";

export const say = part("racing", words);
