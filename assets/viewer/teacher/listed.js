/** Several words after each other, with the comma of the language. No document. */

import { say } from "../words/parts/viewer.js";

/** @param {(string|number)[]} words */
export const listed = (words) => words.join(say("viewer.comma"));
