/**
 * Words of the catalogue (../words) as nodes. In them {name} is a value, [words](term) leads to the glossary, $name$ is a formula of formulas.js,
 * *words* are stressed, `code` is code. Everything reaches the document as text.
 */

import { number, pieceText } from "../format.js";
import { FOREIGN, html, value } from "../svg.js";
import { open } from "../words/words.js";
import { FORMULAS } from "./formulas.js";
import { math } from "./math.js";

const MARK = /\{(\w+)\}|\[([^[\]]+)\]\(([a-z_]+)\)|\$(\w+)\$|\*([^*]+)\*|`([^`]+)`/g;

/**
 * @typedef {string|number|{value: number, path: string, whole?: boolean}|{piece: any, id: number}} Value words, a number, a number of a record, a token
 */

/** A text as parts. @param {string} text @returns {(string|{kind: string, text: string, more?: string})[]} */
export function partsOf(text) {
  const out = [];
  let from = 0;
  for (const match of text.matchAll(MARK)) {
    if (match.index > from) out.push(text.slice(from, match.index));
    const [, name, words, term, formula, stressed, code] = match;
    if (name) out.push({ kind: "value", text: name });
    else if (words) out.push({ kind: "term", text: words, more: term });
    else if (formula) out.push({ kind: "formula", text: formula });
    else out.push({ kind: code ? "code" : "em", text: stressed || code });
    from = match.index + match[0].length;
  }
  if (from < text.length) out.push(text.slice(from));
  return out;
}

/** A value as a node. @param {Element} parent @param {Value} given */
export function putValue(parent, given) {
  if (typeof given === "string") return html("b", /^[A-E]+$/.test(given) ? FOREIGN : null, parent, given); // a block of the Sandbox's symbols
  if (typeof given === "number") return html("b", { class: "learn-number" }, parent, number(given));
  if ("piece" in given) return html("span", { class: "learn-token", "data-token-id": given.id }, parent, pieceText(given.piece));
  return value(html("b", { class: "learn-number" }, parent), given.value, given.path, given.whole ? { format: String } : {});
}

/**
 * Puts the words of a key into an element in place of what is there.
 * @param {Element} parent @param {string} key @param {Record<string, Value>} [values] @param {{term?: (parent: Element, id: string, words: string) => void}} [options] `term`: makes the link to the glossary
 */
export function rich(parent, key, values = {}, { term } = {}) {
  parent.textContent = "";
  for (const part of partsOf(open(key, values))) {
    if (typeof part === "string") parent.append(part);
    else if (part.kind === "value") putValue(parent, values[part.text]);
    else if (part.kind === "formula") parent.append(math(FORMULAS[part.text]));
    else if (part.kind === "term") term ? term(parent, part.more, part.text) : parent.append(part.text);
    else html(part.kind, null, parent, part.text);
  }
  return parent;
}
