/** The Sandbox's state as a file: out with its picture, in after a check. Nothing leaves the browser. */

import { save } from "../compare/save.js";
import { elsewhere } from "../file_kinds.js";
import { say } from "../words/parts/sandbox_help.js";
import { say as sayFile } from "../words/parts/files.js";
import { CONTEXTS, FEWEST_SYMBOLS, lawAt, letters, MOST_GAMMA, MOST_SYMBOLS, shapeOf, SIDES, tooMany } from "./laws.js";
import { LONGEST_KEPT, refusal } from "./typed.js";

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
  const other = await elsewhere(file, SCHEMA);
  if (other) throw new Error(other);
  if (file.size > LARGEST) throw new Error(sayFile("file.too_large", { size: (file.size / 1048576).toFixed(1), most: LARGEST / 1048576 }));
  let parsed;
  try {
    parsed = JSON.parse(await file.text());
  } catch (error) {
    throw new Error(sayFile("file.no_json", { reason: String(error.message).slice(0, 120) }));
  }
  if (!parsed || typeof parsed !== "object" || parsed.schema !== SCHEMA) throw new Error(say("statefile.no_state", { schema: SCHEMA }));
  return validState(parsed.state, rules);
}

/**
 * A state of known shape whose texts may still say anything: the page shows what is wrong with those at their fields.
 * @param {any} given @param {string[]} rules known ones @returns {import("./laws.js").State} @throws {Error} naming the first mistake
 */
export function validState(given, rules) {
  const wrong = (problem) => {
    throw new Error(say("statefile.wrong", { problem }));
  };
  if (!given || typeof given !== "object") wrong(say("statefile.none"));
  const { symbols, gamma, context } = given;
  if (!Number.isInteger(symbols) || symbols < FEWEST_SYMBOLS || symbols > MOST_SYMBOLS) wrong(say("statefile.symbols", { low: FEWEST_SYMBOLS, high: MOST_SYMBOLS }));
  if (!Number.isInteger(gamma) || gamma < 1 || gamma > MOST_GAMMA) wrong(say("statefile.gamma", { high: MOST_GAMMA }));
  if (tooMany(symbols, gamma)) wrong(`${tooMany(symbols, gamma)}`);
  if (!CONTEXTS.includes(context)) wrong(say("statefile.context", { names: CONTEXTS.join(", ") }));
  if (!Array.isArray(given.rules) || given.rules.length !== 2) wrong(say("statefile.rules"));
  for (const rule of given.rules) if (!rules.includes(rule)) wrong(say("statefile.no_rule", { rule: String(rule).slice(0, 60) }));
  if (given.rules[0] === given.rules[1]) wrong(say("statefile.same_rules"));
  const shape = shapeOf(context, symbols, gamma);
  const laws = SIDES.map((side) => {
    const levels = given[side];
    if (!Array.isArray(levels) || levels.length !== shape.length) return wrong(say("statefile.levels", { side, count: shape.length }));
    return levels.map((rows, level) => {
      if (!Array.isArray(rows) || rows.length !== shape[level]) return wrong(say("statefile.rows", { side, level: level + 1, count: shape[level] }));
      return rows.map((row, at) => {
        const law = lawAt(side, given, level, at);
        if (!Array.isArray(row) || row.length !== symbols) return wrong(say("statefile.entries", { law, count: symbols }));
        return row.map((typed, symbol) => {
          const place = { law, symbol: letters(symbols)[symbol] };
          if (typeof typed !== "string") wrong(say("statefile.text", place));
          const refused = refusal(typed);
          if (refused) wrong(say(refused === "long" ? "statefile.long" : "statefile.half", { ...place, count: typed.length, most: LONGEST_KEPT }));
          return typed;
        });
      });
    });
  });
  return { symbols, gamma, context, draft: laws[0], target: laws[1], rules: given.rules.slice() };
}
