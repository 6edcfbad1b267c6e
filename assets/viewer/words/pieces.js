/** Words with something else among them: a number with its source, a token, a button. The order is that of the language. */

import { open } from "./words.js";

const SLOT = /\{(\w+)\}/;

/**
 * The words of a key as a list, in their order: texts, and what the slots hold. A text or a number becomes text, a list its entries,
 * anything else stays what it is.
 * @param {string} key @param {Record<string, any>} [slots] @returns {any[]}
 */
export function pieces(key, slots = {}) {
  /** @type {any[]} */
  const out = [];
  const add = (/** @type {any} */ item) => {
    const last = out.length - 1;
    if (item === "") return;
    if (typeof item === "string" && typeof out[last] === "string") out[last] += item;
    else out.push(item);
  };
  open(key, slots).split(SLOT).forEach((part, n) => {
    if (n % 2 === 0) return add(part);
    const held = Object.hasOwn(slots, part) ? slots[part] : `{${part}}`;
    for (const item of Array.isArray(held) ? held : [held]) add(typeof item === "number" ? String(item) : item);
  });
  return out;
}

/**
 * The texts around some slots that are nodes of their own, in a fixed order: before the first, between each two, after the last.
 * @param {string} key @param {Record<string, any>} slots those that are filled in @param {string[]} holes in the order of the nodes, which every language keeps
 */
export function around(key, slots, holes) {
  const nodes = holes.map((name) => ({ name }));
  const out = [""];
  for (const item of pieces(key, { ...slots, ...Object.fromEntries(nodes.map((node) => [node.name, node])) })) {
    if (typeof item === "string") out[out.length - 1] += item;
    else out.push("");
  }
  return out;
}
