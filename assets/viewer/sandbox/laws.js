/**
 * What can be done to a state (docs/sandbox.md), as pure functions: each returns a new one. Texts stay as they were typed; a
 * row that stops being a law by a change of the alphabet stays as it is, for the page to say so. No document.
 */

import { say } from "../words/parts/sandbox.js";
import { onGrid, valueOf } from "./typed.js";

/** @typedef {{symbols: number, gamma: number, context: "free"|"position"|"prefix", draft: string[][][], target: string[][][], rules: string[]}} State */
/** @typedef {"draft"|"target"} Side */

/** @type {Side[]} */
export const SIDES = ["draft", "target"];
export const CONTEXTS = /** @type {const} */ (["free", "position", "prefix"]);
export const FEWEST_SYMBOLS = 2, MOST_SYMBOLS = 5, MOST_GAMMA = 4, MOST_BLOCKS = 256;
const LETTERS = "ABCDE";

/** @param {number} symbols @returns {string[]} */
export const letters = (symbols) => Array.from(LETTERS.slice(0, symbols));

/** Why an alphabet and γ are too much together, null where they are not. */
export const tooMany = (symbols, gamma) => (symbols ** gamma > MOST_BLOCKS ? say("sandbox.too_many", { symbols, gamma, blocks: symbols ** gamma, most: MOST_BLOCKS }) : null);

/** Levels and rows that a context has: [1], [1, 1, 1] or [1, V, V²]. @param {State["context"]} context */
export function shapeOf(context, symbols, gamma) {
  if (context === "free") return [1];
  return Array.from({ length: gamma }, (_, i) => (context === "position" ? 1 : symbols ** i));
}

/** The place of a prefix among those of its length. @param {string} prefix */
export const indexOf = (prefix, symbols) => Array.from(prefix).reduce((at, letter) => at * symbols + LETTERS.indexOf(letter), 0);

/** The prefix of a place: its inverse. */
export function prefixAt(level, row, symbols) {
  let out = "";
  for (let i = 0, rest = row; i < level; i++, rest = Math.floor(rest / symbols)) out = LETTERS[rest % symbols] + out;
  return out;
}

/** Whether a text is a prefix of at most `longest` symbols. */
export const isPrefix = (text, symbols, longest) => typeof text === "string" && text.length <= longest && Array.from(text).every((letter) => LETTERS.slice(0, symbols).includes(letter));

/** The law in force after a prefix of any length: {level, row}. @param {State} state @param {string} prefix */
export function placeOf(state, prefix) {
  if (state.context === "free") return { level: 0, row: 0 };
  const level = Math.min(prefix.length, state.gamma - 1);
  if (state.context === "position") return { level, row: 0 };
  return { level, row: indexOf(prefix.slice(prefix.length - level), state.symbols) };
}

/** Where a law holds: the kind of place, and what its words are made of. @param {State} state */
export function placeAt(state, level, row) {
  const kind = state.context === "free" ? "everywhere" : state.context === "position" ? "position" : level === 0 ? "start" : "prefix";
  return { kind, slots: { position: level + 1, prefix: prefixAt(level, row, state.symbols) } };
}

/** Where a law holds, in words. @param {State} state */
export function placeWords(state, level, row) {
  const { kind, slots } = placeAt(state, level, row);
  return say(`sandbox.place.${kind}`, slots);
}

/** A law by its side and place: "draft after A". @param {Side} side @param {State} state */
export function lawAt(side, state, level, row) {
  const { kind, slots } = placeAt(state, level, row);
  return say(`sandbox.law.${kind}`, { ...slots, side: say(`sandbox.side.${side}`) });
}

const sides = (change) => Object.fromEntries(SIDES.map((side) => [side, change(side)]));

/** Another row in one place. @param {State} state @param {Side} side @param {string[]} row @returns {State} */
export function withRow(state, side, level, at, row) {
  const levels = state[side].map((rows, i) => (i === level ? rows.map((old, j) => (j === at ? row : old)) : rows));
  return { ...state, [side]: levels };
}

/** Another text in one place. @returns {State} */
export function withText(state, side, level, row, symbol, typed) {
  return withRow(state, side, level, row, state[side][level][row].map((old, i) => (i === symbol ? typed : old)));
}

const GRID = 10000;

/**
 * One entry set to `share`, the others scaled so that the row sums to 1; where all others are 0 they share alike.
 * @param {string[]} row what the proportions are taken from; an unreadable entry counts as 0 @param {number} symbol @param {number} share
 * @returns {string[]}
 */
export function dragged(row, symbol, share) {
  const step = Math.round(Math.min(Math.max(share, 0), 1) * 100) * (GRID / 100);
  const values = row.map((typed) => valueOf(typed) || 0);
  let weights = values.map((x, i) => (i === symbol ? 0 : x));
  if (!weights.some((x) => x > 0)) weights = weights.map((_, i) => (i === symbol ? 0 : 1));
  const others = onGrid(weights, GRID, GRID - step);
  const [own] = onGrid([1], GRID, step);
  return row.map((_, i) => (i === symbol ? own : others[i]));
}

/** The same row in every place of one side. @returns {State} */
export const copiedToAll = (state, side, level, row) => ({ ...state, [side]: state[side].map((rows) => rows.map(() => state[side][level][row].slice())) });

/** The same laws in another context; from "prefix" or "position" the ones at `prefix` are kept where fewer are needed. @returns {State} */
export function inContext(state, context, prefix = "") {
  const shape = shapeOf(context, state.symbols, state.gamma);
  const made = sides((side) => shape.map((count, level) => Array.from({ length: count }, (_, row) => {
    // What held after this prefix before; where the new context knows no prefix, the chosen one's law, or its ancestors'.
    const known = context === "prefix" ? prefixAt(level, row, state.symbols) : context === "free" ? prefix : prefix.slice(0, level).padEnd(level, "A");
    const from = placeOf(state, known);
    return state[side][from.level][from.row].slice();
  })));
  return { ...state, context, ...made };
}

/** Whether two rows of a level differ, so that leaving the prefixes out would lose some of them. @param {State} state */
export function losesLaws(state, context) {
  const flat = (levels) => (context === "free" ? [levels.flat()] : levels);
  return CONTEXTS.indexOf(context) < CONTEXTS.indexOf(state.context)
    && SIDES.some((side) => flat(state[side]).some((rows) => rows.some((row) => JSON.stringify(row) !== JSON.stringify(rows[0]))));
}

/** Whether two states say the same laws, text for text. @param {State} a @param {State} b */
export const sameLaws = (a, b) => SIDES.every((side) => JSON.stringify(a[side]) === JSON.stringify(b[side]));

/** Longer or shorter blocks; what is added continues as decoding would. @returns {State} */
export function withGamma(state, gamma) {
  if (state.context === "free") return { ...state, gamma };
  const longer = { ...state, gamma }, shape = shapeOf(state.context, state.symbols, gamma);
  const made = sides((side) => shape.map((count, level) => state[side][level] || Array.from({ length: count }, (_, row) => {
    const from = placeOf(state, prefixAt(level, row, state.symbols));
    return state[side][from.level][from.row].slice();
  })));
  return { ...longer, ...made };
}

/** A larger alphabet gets symbols of probability 0; a smaller one loses its last, with whatever probability they had. @returns {State} */
export function withSymbols(state, symbols) {
  const old = state.symbols, shape = shapeOf(state.context, symbols, state.gamma);
  const cut = (row) => Array.from({ length: symbols }, (_, i) => (i < old ? row[i] : "0"));
  const made = sides((side) => shape.map((count, level) => Array.from({ length: count }, (_, row) => {
    const known = Array.from(prefixAt(state.context === "prefix" ? level : 0, row, symbols), (letter) => LETTERS[Math.min(LETTERS.indexOf(letter), old - 1)]).join("");
    return cut(state[side][level][state.context === "prefix" ? indexOf(known, old) : 0]);
  })));
  return { ...state, symbols, ...made };
}

/** A row's numbers; what cannot be read is NaN. @param {string[]} row */
export const numbers = (row) => row.map(valueOf);
