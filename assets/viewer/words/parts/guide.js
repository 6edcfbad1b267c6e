import { words } from "../en/guide.js";
import { part } from "../words.js";

export const say = part("guide", words);
