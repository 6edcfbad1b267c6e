/**
 * A race's record as lanes on an axis: how long a target call is, what it gained, where a text first differs. No document.
 *
 * An axis is "calls" (a target call is 1), "measured" (milliseconds) or "predicted" (γc + v plain target steps).
 */

import { say as sayMeasure } from "../words/parts/measure.js";
import { say } from "../words/parts/racing.js";
import { PLAIN } from "./measure_rules.js";

export const ASSUMED = { c: 0.1, v: 1 }; // until something has been measured
export const COST_BOUNDS = { c: [0, 1000], v: [0.1, 1000] }; // of chosen ones

/** A call's row by name. @returns {{gained: number, shown: number, gamma: number, expected: number, draft_ms: number, target_ms: number, verify_ms: number, rest_ms: number}} */
export function callOf(record, row) {
  const call = {};
  record.columns.forEach((name, at) => (call[name] = row[at]));
  return /** @type {any} */ (call);
}

/** The costs that predictions use, and where they come from: "chosen", "measured" or "assumed". */
export function costsOf(record, options) {
  const measured = record && record.costs;
  const one = (name) => {
    const given = options[name];
    if (typeof given === "number" && Number.isFinite(given)) return [given, "chosen"];
    return measured ? [measured[name], "measured"] : [ASSUMED[name], "assumed"];
  };
  const [c, fromC] = one("c"), [v, fromV] = one("v");
  return { c, v, from: { c: fromC, v: fromV } };
}

/** The length of a target call on an axis. */
export function callLength(call, axis, costs) {
  if (axis === "calls") return 1;
  if (axis === "measured") return call.draft_ms + call.target_ms + call.verify_ms + call.rest_ms;
  return call.gamma === 0 ? 1 : call.gamma * costs.c + costs.v;
}

/** What each shown token of a call is: "kept", then "correction" or "bonus" (or "plain", where nothing was drafted). */
export function tokenKinds(call) {
  const extra = call.gamma === 0 ? "plain" : call.gained - 1 === call.gamma ? "bonus" : "correction";
  return Array.from({ length: call.shown }, (_, at) => (at === call.gained - 1 ? extra : "kept"));
}

/**
 * One lane of a run.
 * @returns {{rule: string, calls: {index: number, from: number, length: number, first: number, kinds: string[], call: any}[], end: number, tokens: number, finish: string|null, ids: number[]|null}}
 */
export function laneOf(record, run, rule, axis, costs) {
  const lane = record.runs[run] && record.runs[run].lanes[rule];
  const calls = [];
  let from = 0, first = 0;
  for (const row of lane ? lane.calls : []) {
    const call = callOf(record, row), length = callLength(call, axis, costs);
    calls.push({ index: calls.length, from, length, first, kinds: tokenKinds(call), call });
    from += length;
    first += call.shown;
  }
  return { rule, calls, end: from, tokens: first, finish: (lane && lane.finish) || null, ids: (lane && lane.ids) || null };
}

/** The run whose lanes are shown: its prompt, and which one it is. @returns {{text: string, notice: string|null, words: string}} */
export function firstRun(record) {
  const run = record.runs[0] || {}, at = run.prompt ?? 0, { text, notice } = record.prompts[at], count = record.prompts.length, seed = run.seed ?? record.settings.seed;
  return { text, notice: notice || null, words: count > 1 ? say("racing.run_of", { number: at + 1, count, seed }) : sayMeasure("measure.seed", { seed }) };
}

/** How many runs are finished in every lane. */
export function finishedRuns(record) {
  return record.runs.filter((run) => run && record.rules.every((rule) => run.lanes[rule] && run.lanes[rule].finish)).length;
}

/** Where two texts first differ; null where one is the beginning of the other. */
export function firstDifference(a, b) {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return i;
  return null;
}

/** The lane that the others' texts are compared with. */
export const referenceOf = (record) => (record.rules.includes("token") ? "token" : record.rules.find((rule) => rule !== PLAIN) || PLAIN);

/** (E[τ] + 1) / (γc + v) of a rule, from its measured block efficiency; null where there is none yet. */
export function predictedSpeedup(record, rule, costs) {
  if (rule === PLAIN) return 1;
  const figures = record.summary && record.summary.rules[rule];
  return figures && figures.efficiency ? figures.efficiency.mean / (record.settings.gamma * costs.c + costs.v) : null;
}
