/** The Sandbox's state as a file: out with its picture, in after a check. Nothing leaves the browser. */

import { save } from "../compare/save.js";
import { CONTEXTS, FEWEST_SYMBOLS, letters, MOST_GAMMA, MOST_SYMBOLS, placeWords, shapeOf, SIDES, tooMany } from "./laws.js";
import { refusal } from "./typed.js";

export const SCHEMA = "specdemo.sandbox-file/1";
const LARGEST = 8 * 1024 * 1024;

/** "specdemo-sandbox-token-block-2x2.json". @param {any} state @param {string} ending */
export const fileName = (state, ending) => `specdemo-sandbox-${state.rules.join("-")}-${state.symbols}x${state.gamma}.${ending}`;

/** Offers the state, its picture and the optimum as a JSON file. @param {any} state @param {any} picture @param {any} optimum */
export function exportState(state, picture, optimum) {
  save(fileName(state, "json"), new Blob([JSON.stringify({ schema: SCHEMA, state, picture, optimum })], { type: "application/json" }));
}

/** @param {File} file @param {string[]} rules known ones @returns {Promise<import("./laws.js").State>} @throws {Error} with words for the reader */
export async function importState(file, rules) {
  if (file.size > LARGEST) throw new Error(`The file has ${(file.size / 1048576).toFixed(1)} MB; at most ${LARGEST / 1048576} MB are read.`);
  let parsed;
  try {
    parsed = JSON.parse(await file.text());
  } catch (error) {
    throw new Error(`The file is not JSON (${String(error.message).slice(0, 120)}).`);
  }
  if (!parsed || typeof parsed !== "object" || parsed.schema !== SCHEMA) throw new Error(`The file is no state of the Sandbox: its schema is not "${SCHEMA}".`);
  return validState(parsed.state, rules);
}

/**
 * A state of known shape whose texts may still say anything: the page shows what is wrong with those at their fields.
 * @param {any} given @param {string[]} rules known ones @returns {import("./laws.js").State} @throws {Error} naming the first mistake
 */
export function validState(given, rules) {
  const wrong = (words) => {
    throw new Error(`The state is not one that can be shown: ${words}.`);
  };
  if (!given || typeof given !== "object") wrong("there is none");
  const { symbols, gamma, context } = given;
  if (!Number.isInteger(symbols) || symbols < FEWEST_SYMBOLS || symbols > MOST_SYMBOLS) wrong(`symbols must be ${FEWEST_SYMBOLS} to ${MOST_SYMBOLS}`);
  if (!Number.isInteger(gamma) || gamma < 1 || gamma > MOST_GAMMA) wrong(`gamma must be 1 to ${MOST_GAMMA}`);
  if (tooMany(symbols, gamma)) wrong(`${tooMany(symbols, gamma)}`);
  if (!CONTEXTS.includes(context)) wrong(`context must be one of ${CONTEXTS.join(", ")}`);
  if (!Array.isArray(given.rules) || given.rules.length !== 2) wrong("rules must name two");
  for (const rule of given.rules) if (!rules.includes(rule)) wrong(`there is no rule "${String(rule).slice(0, 60)}"`);
  if (given.rules[0] === given.rules[1]) wrong("its two rules are the same");
  const shape = shapeOf(context, symbols, gamma);
  const laws = SIDES.map((side) => {
    const levels = given[side];
    if (!Array.isArray(levels) || levels.length !== shape.length) return wrong(`${side} must have ${shape.length} levels`);
    return levels.map((rows, level) => {
      if (!Array.isArray(rows) || rows.length !== shape[level]) return wrong(`${side}, level ${level + 1}, must have ${shape[level]} rows`);
      return rows.map((row, at) => {
        const where = `${side} ${placeWords({ ...given }, level, at)}`;
        if (!Array.isArray(row) || row.length !== symbols) return wrong(`${where} must have ${symbols} entries`);
        return row.map((typed, symbol) => {
          if (typeof typed !== "string") wrong(`${where}, ${letters(symbols)[symbol]}, must be a text such as "2/3"`);
          if (refusal(typed)) wrong(`${where}, ${letters(symbols)[symbol]}, ${refusal(typed)}`);
          return typed;
        });
      });
    });
  });
  return { symbols, gamma, context, draft: laws[0], target: laws[1], rules: given.rules.slice() };
}
