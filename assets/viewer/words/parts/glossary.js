import { words } from "../en/glossary.js";
import { part } from "../words.js";

export const say = part("glossary", words);
