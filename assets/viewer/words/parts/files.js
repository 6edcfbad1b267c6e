import { words } from "../en/files.js";
import { part } from "../words.js";

export const say = part("files", words);
