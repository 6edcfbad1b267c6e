/** Blocks and prefixes of a picture record (docs/sandbox.md), and the pointers of its numbers. No document. */

/** @typedef {{row: number|null, column: number|null, prefix: string|null}} Place a cell (indices into `blocks`) and a node of the prefix tree */

const NOWHERE = { row: null, column: null, prefix: null };

/** A place that is always there. @param {Place|null|undefined} place @returns {Place} */
export const placeOf = (place) => ({ ...NOWHERE, ...(place || {}) });

/** A place as far as it lies in a picture: what belongs to another alphabet or γ is nowhere. @param {Place|null|undefined} place @param {any} picture @returns {Place} */
export function within(place, picture) {
  const { row, column, prefix } = placeOf(place), inside = (index) => (index !== null && index < picture.blocks.length ? index : null);
  return { row: inside(row), column: inside(column), prefix: prefix !== null && prefix in picture.tree ? prefix : null };
}

/** Whether two places are the same. @param {Place} a @param {Place} b */
export const samePlace = (a, b) => a.row === b.row && a.column === b.column && a.prefix === b.prefix;

/** The longest common prefix: commonPrefix("ABA", "ABB") → "AB". @param {string} a @param {string} b */
export function commonPrefix(a, b) {
  let n = 0;
  while (n < a.length && a[n] === b[n]) n++;
  return a.slice(0, n);
}

const LETTERS = "ABCDE";

/** A symbol's number: "B" → 1. @param {string} symbol */
export const indexOf = (symbol) => LETTERS.indexOf(symbol);

/** The place of a prefix among all of its length, in lexicographic order. @param {string} prefix @param {number} symbols */
export const rankOf = (prefix, symbols) => Array.from(prefix).reduce((rank, symbol) => rank * symbols + indexOf(symbol), 0);

/** The prefix of that length and rank. @param {number} rank @param {number} length @param {number} symbols */
export function prefixAt(rank, length, symbols) {
  let out = "";
  for (let i = 0; i < length; i++, rank = Math.floor(rank / symbols)) out = LETTERS[rank % symbols] + out;
  return out;
}

/** The blocks that begin with a prefix, as [from, to) in `blocks`. @param {string} prefix @param {number} symbols @param {number} gamma @returns {[number, number]} */
export function rangeOf(prefix, symbols, gamma) {
  const span = symbols ** (gamma - prefix.length), from = rankOf(prefix, symbols) * span;
  return [from, from + span];
}

/** The prefixes one symbol longer. @param {string} prefix @param {number} symbols */
export const childrenOf = (prefix, symbols) => Array.from(LETTERS.slice(0, symbols), (symbol) => prefix + symbol);

/**
 * The two rules to be drawn, those of the view as far as the picture knows them: while a new rule is on its way the old ones stay.
 * @param {{picture: any, rules: string[]}} view @returns {[string, string]}
 */
export function rulesOf(view) {
  const known = Object.keys(view.picture.rules), [left, right] = view.rules;
  if (left in view.picture.rules && right in view.picture.rules) return [left, right];
  return [known[0], known[known.length - 1]];
}

/** The pointer of a cell of a rule's coupling. @param {string} rule @param {number} row @param {number} column */
export const cellPointer = (rule, row, column) => `picture:/rules/${rule}/coupling/${row}/${column}`;

/** The pointer of a mass of a node. @param {string} rule @param {string} prefix @param {string} name */
export const nodePointer = (rule, prefix, name) => `picture:/rules/${rule}/nodes/${prefix}/${name}`;

/**
 * The probability of a symbol after a prefix, with its pointer.
 * @param {any} picture @param {"draft"|"target"} side @param {string} prefix shorter than γ @param {string} symbol
 */
export function lawOf(picture, side, prefix, symbol) {
  const level = picture.context === "free" ? 0 : prefix.length, row = picture.context === "prefix" ? rankOf(prefix, picture.symbols) : 0, column = indexOf(symbol);
  return { x: picture.levels[side][level][row][column], path: `picture:/levels/${side}/${level}/${row}/${column}` };
}

/** A lossless rule's output is the target's law up to rounding. */
export const EQUAL = 1e-9;

/** Whether the first γ tokens that a rule emits do not follow the target on this state. @param {any} rule picture.rules[name] */
export const isWrong = (rule) => rule.tv > EQUAL;
