/**
 * Every rule, the gallery of mistakes among them, in the language chosen: its name, its title, what goes wrong with it.
 * Of a rule that the catalogue does not know, what its record says. No document.
 */

import { ruleTitle as ownTitle, ruleWords as ownName } from "./rule_names.js";
import { say } from "./words/parts/mistakes.js";
import { known } from "./words/words.js";

/** The entry of the gallery that a rule is, null where it is none; an entry may be made in the token rule too. @param {string} name */
function entryOf(name) {
  const entry = name.replace(/_in_token$/, "");
  return known(`mistake.${entry}.name`) ? entry : null;
}

/** A rule's name in a sentence. @param {string} name */
export function ruleWords(name) {
  const entry = entryOf(name);
  if (entry === null) return ownName(name);
  const words = say(`mistake.${entry}.name`);
  return entry === name ? words : say("mistake.in_token.name", { name: words });
}

/** @param {string} name @param {string} [title] the record's */
export function ruleTitle(name, title) {
  const entry = entryOf(name);
  if (entry === null) return ownTitle({ name, title });
  const words = say(`mistake.${entry}.title`);
  return entry === name ? words : say("mistake.in_token.title", { title: words });
}

/** What goes wrong with a mistake, in a sentence; of any other rule what the record says. @template T @param {string} name @param {T} said @returns {string|T} */
export function mistakeWords(name, said) {
  const entry = entryOf(name);
  return entry === null ? said : say(`mistake.${entry}.wrong`);
}

/** The same, and of the lossy rules that are no mistakes too. @template T @param {string} name @param {T} said @returns {string|T} */
export const lossyWords = (name, said) => (known(`lossy.${name}.wrong`) ? say(`lossy.${name}.wrong`) : mistakeWords(name, said));

/** The group that a rule stands in where rules are listed. @param {{goes_wrong: string|null, lossless: string}} rule */
export const groupWords = (rule) => say(rule.goes_wrong ? "gallery.mistakes" : rule.lossless === "always" ? "gallery.lossless" : "gallery.lossy");
