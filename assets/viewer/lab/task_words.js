/** A task's name, title and note in the language chosen; of a task that the catalogue does not know, a person's own among them, what its record says. No document. */

import { say } from "../words/parts/tasks.js";
import { known } from "../words/words.js";

/** @param {string} name */
export const taskWords = (name) => (known(`task.${name}.name`) ? say(`task.${name}.name`) : name);

/** What completes "40 prompts of …". @param {{name: string, title: string}} task */
export const taskTitle = ({ name, title }) => (known(`task.${name}.title`) ? say(`task.${name}.title`) : title);

/** A sentence on what its prompts are. @param {{name: string, note: string}} task */
export const taskNote = ({ name, note }) => (known(`task.${name}.note`) ? say(`task.${name}.note`) : note);
