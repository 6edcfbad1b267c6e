import { words } from "../en/tasks.js";
import { part } from "../words.js";

export const say = part("tasks", words);
