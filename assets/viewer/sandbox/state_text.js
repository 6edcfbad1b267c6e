/**
 * The Sandbox's laws as one text, as they were typed: alphabet, γ and context, then the draft's and the target's rows (";" between them,
 * level after level); an empty row repeats the one before it. Within a text "~" escapes the signs that separate.
 *
 *     2,2,free:2/3,1/3:1/3,2/3
 */

import { CONTEXTS, FEWEST_SYMBOLS, MOST_GAMMA, MOST_SYMBOLS, shapeOf, SIDES, tooMany } from "./laws.js";
import { refusal } from "./typed.js";

const SIGNS = "~,;:";

const escaped = (typed) => typed.replace(/[~,;:]/g, (sign) => "~" + SIGNS.indexOf(sign));
const unescaped = (text) => text.replace(/~([0-3])/g, (_, digit) => SIGNS[Number(digit)]);

/** @param {string[][][]} levels */
function rowsText(levels) {
  let before = "";
  return levels.flat().map((row) => {
    const text = row.map(escaped).join(",");
    const same = text === before;
    before = text;
    return same ? "" : text;
  }).join(";");
}

/** @param {string} text @returns {string[][][]|null} */
function levelsOf(text, context, symbols, gamma) {
  const shape = shapeOf(context, symbols, gamma), rows = text.split(";");
  if (rows.length !== shape.reduce((a, b) => a + b, 0)) return null;
  const made = [];
  for (const row of rows) {
    if (row === "" && made.length) made.push(made[made.length - 1].slice());
    else made.push(row.split(",").map(unescaped));
    if (made[made.length - 1].length !== symbols || made[made.length - 1].some(refusal)) return null;
  }
  let at = 0;
  return shape.map((count) => made.slice(at, (at += count)));
}

/** @param {import("./laws.js").State} state */
export const stateText = (state) => [`${state.symbols},${state.gamma},${state.context}`, ...SIDES.map((side) => rowsText(state[side]))].join(":");

/** The laws of a state's text, null where it is none. @param {string} text */
export function readState(text) {
  const [head, ...laws] = text.split(":");
  const match = /^(\d),(\d),(\w+)$/.exec(head);
  if (!match || laws.length !== 2) return null;
  const symbols = Number(match[1]), gamma = Number(match[2]), context = CONTEXTS.find((name) => name === match[3]);
  if (!context || symbols < FEWEST_SYMBOLS || symbols > MOST_SYMBOLS || gamma < 1 || gamma > MOST_GAMMA || tooMany(symbols, gamma)) return null;
  const [draft, target] = laws.map((side) => levelsOf(side, context, symbols, gamma));
  return draft && target ? { symbols, gamma, context, draft, target } : null;
}
