/** A rule's name and title in the language chosen; of a rule that the catalogue does not know, what its record says. No document. */

import { say } from "./words/parts/viewer.js";
import { known } from "./words/words.js";

/** A rule's name in a sentence. @param {string} name */
export const ruleWords = (name) => (known(`rule.${name}.name`) ? say(`rule.${name}.name`) : name.replaceAll("_", " "));

/** @param {{name: string, title?: string}} rule */
export const ruleTitle = ({ name, title }) => (known(`rule.${name}.title`) ? say(`rule.${name}.title`) : title || name);
