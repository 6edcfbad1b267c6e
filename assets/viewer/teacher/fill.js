/** Words with numbers and tokens in them, as nodes. */

import { appendPart } from "../sentence.js";
import { open } from "../words/words.js";

const SLOT = /\{(\w+)\}/;

/**
 * Writes the words of a key into a node, with {slots} that are texts, numbers of a record ({value, path}) or tokens ({id, kind}).
 * @param {Element} node emptied @param {string} key @param {Record<string, any>} [slots] @param {(id: number) => any} [pieces]
 */
export function fill(node, key, slots = {}, pieces = () => undefined) {
  node.textContent = "";
  open(key, slots).split(SLOT).forEach((part, n) => {
    const found = n % 2 ? slots[part] : part;
    if (found !== null && typeof found === "object") appendPart(node, found, pieces);
    else node.append(String(found ?? ""));
  });
  return node;
}
