import { words } from "../en/server.js";
import { part } from "../words.js";

export const say = part("server", words);
