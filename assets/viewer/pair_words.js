/**
 * What a registered pair and its drafts are called in the language chosen, by their names; of any other pair what its record says. No document.
 */

import { serverWords } from "./server_words.js";
import { say } from "./words/parts/pairs.js";
import { known } from "./words/words.js";

const keyOf = (/** @type {any} */ name) => String(name).replaceAll("-", "_");

/** @param {{name: string, title?: string}} pair of the config or of a record */
export function pairTitle({ name, title }) {
  const key = keyOf(name);
  return known(`registered.${key}.title`) ? say(`registered.${key}.title`) : title || name;
}

/** @param {{name: string, note?: string}} pair */
export function pairNote({ name, note }) {
  const key = keyOf(name);
  return known(`registered.${key}.note`) ? say(`registered.${key}.note`) : note || "";
}

/** @param {string} pair its name @param {{name: string, title?: string}} draft */
export function draftTitle(pair, { name, title }) {
  const key = keyOf(pair), own = keyOf(name);
  return known(`registered.${key}.draft.${own}`) ? say(`registered.${key}.draft.${own}`) : title || name;
}

/** What a pair that is not on this machine needs; "" where it is. @param {any} entry of config.pairs */
export const pairHint = (entry) => serverWords(entry.hint || "", entry.hint_told);
