/** Brings the Sandbox's state back: from the hash, else what was typed in this tab from sessionStorage. */

import { createTyped } from "../typed.js";
import { say } from "../words/parts/sandbox.js";
import { indexOf, isPrefix } from "./laws.js";
import { decode, encode } from "./link.js";
import { NOTHING } from "./store.js";

/** Keeps what is typed, for a reload of this tab; a state too long for a link too. */
export const createMemory = () => createTyped("specdemo.sandbox.typed", encode);

/** What a hash chooses among the cells, prefixes and switches of a state. @param {any} want @param {import("./laws.js").State} doc */
export function choiceOf(want, doc) {
  const block = (word) => (word.length === doc.gamma && isPrefix(word, doc.symbols, doc.gamma) ? indexOf(word, doc.symbols) : null);
  const [row, column] = want.cell ? want.cell.map(block) : [null, null];
  return { selected: { ...NOTHING, prefix: want.at, row, column }, difference: want.difference, fromTarget: want.fromTarget };
}

/**
 * @param {{store: any, link: any, memory: any, config: any, isVisible: () => boolean}} context
 * @param {boolean} fresh whether the page has just been loaded
 */
export function restore({ store, link, memory, config, isVisible }, fresh) {
  const { hash } = location, saved = fresh ? memory.kept() : null;
  let want = isVisible() ? decode(hash) : null;
  // A reload may come before the last hash was written, and a long state is in no hash.
  if (saved && (!want || !want.asks || saved.here)) want = decode(saved.part);
  link.paused = false;
  if (!want || !want.asks || (!fresh && hash === link.written)) return store.set({});
  link.written = hash;
  const known = config.rules.map((rule) => rule.name);
  const rules = want.rules && want.rules.every((name) => known.includes(name)) && want.rules[0] !== want.rules[1] ? want.rules : store.state.doc.rules;
  const wrong = !want.rules || rules === want.rules ? want.laws ? null : "laws" : want.laws ? "rules" : "both";
  const doc = { ...(want.laws || store.state.doc), rules };
  const message = wrong ? { kind: "error", text: say(`sandbox.damaged.${wrong}`) } : null;
  store.edit(doc, null, { ...choiceOf(want, doc), message, ...(fresh ? { past: [], future: [] } : {}) });
}
