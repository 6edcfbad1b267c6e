/** Brings the Sandbox's state back: from the hash, else what was typed in this tab from sessionStorage. */

import { leftOut, wrongValue } from "../link_values.js";
import { ruleWords } from "../rule_gallery.js";
import { createTyped } from "../typed.js";
import { say as sayLink } from "../words/parts/link.js";
import { say as sayViewer } from "../words/parts/viewer.js";
import { indexOf, isPrefix, letters } from "./laws.js";
import { decode, encode, FIELDS } from "./link.js";
import { NOTHING } from "./store.js";

const LISTED = 8; // rules of the menus that a sentence names: all of them would fill a phone

/** Keeps what is typed, for a reload of this tab; a state too long for a link too. */
export const createMemory = () => createTyped("specdemo.sandbox.typed", (view) => ({ hash: encode(view), seed: view.seed }));

/** What a hash chooses among the cells, prefixes and switches of a state. @param {any} want @param {import("./laws.js").State} doc */
export function choiceOf(want, doc) {
  const block = (word) => (word.length === doc.gamma && isPrefix(word, doc.symbols, doc.gamma) ? indexOf(word, doc.symbols) : null);
  const [row, column] = want.cell ? want.cell.map(block) : [null, null];
  const prefix = want.at !== null && isPrefix(want.at, doc.symbols, doc.gamma) ? want.at : null;
  return { selected: { ...NOTHING, prefix, row, column }, difference: want.difference, fromTarget: want.fromTarget };
}

/**
 * @param {{store: any, link: any, memory: any, config: any, isVisible: () => boolean}} context
 * @param {boolean} fresh whether the page has just been loaded
 */
export function restore({ store, link, memory, config, isVisible }, fresh) {
  const { hash } = location, saved = fresh ? memory.kept() : null;
  let want = isVisible() ? decode(hash) : null;
  const twice = want && !want.asks && (fresh || hash !== link.written) ? want.wrong : []; // two pages are named
  // A reload may come before the last hash was written, and a long state is in no hash.
  if (saved && typeof saved.part.seed === "string" && (!want || !want.asks || saved.here)) {
    want = decode(saved.part.hash);
    store.set({ seed: saved.part.seed });
  }
  link.paused = false;
  if (twice.length) store.set({ message: { kind: "error", text: leftOut(twice) } });
  if (!want || !want.asks || (!fresh && hash === link.written)) return store.set({});
  link.written = hash;
  const { doc, wrong } = checked(want, config.rules.map((rule) => rule.name), store.state.doc);
  const odd = [...twice, ...wrong], message = odd.length ? { kind: "error", text: leftOut(odd) } : null;
  store.edit(doc, null, { ...choiceOf(want, doc), message, ...(fresh ? { past: [], future: [] } : {}) });
}

/** The state that a link asks for, over the present one, and in words what of the link makes no sense. */
function checked(want, known, before) {
  const sound = want.rules && want.rules.every((name) => known.includes(name)) && want.rules[0] !== want.rules[1];
  const doc = { ...(want.laws || before), rules: sound ? want.rules : before.rules }, { rules, at, cell } = want.written, wrong = [...want.wrong], symbols = letters(doc.symbols);
  const odd = (name, wanted, given) => wrong.push(wrongValue(FIELDS[name](), wanted, given));
  if (rules !== null && !sound) odd("rules", sayLink("link.two_rules", { rules: known.slice(0, LISTED).map(ruleWords).join(sayViewer("viewer.comma")) + (known.length > LISTED ? " …" : "") }), rules);
  if (at !== null && !isPrefix(at, doc.symbols, doc.gamma)) odd("at", sayLink("link.prefix", { gamma: doc.gamma, symbols: symbols.join(sayViewer("viewer.comma")) }), at);
  const blocks = want.cell && want.cell.every((word) => word.length === doc.gamma && isPrefix(word, doc.symbols, doc.gamma)), one = symbols[0].repeat(doc.gamma);
  if (cell !== null && !blocks) odd("cell", sayLink("link.cell", { gamma: doc.gamma, symbols: symbols.join(sayViewer("viewer.comma")), example: `${one},${one}` }), cell);
  return { doc, wrong };
}
