/**
 * The records of a race and of a law check, grown message by message (docs/compare.md). Pure: a message and a record make
 * another record, and what has not changed is shared.
 */

import { modeOf } from "../prompt_modes.js";

const emptyLane = () => ({ calls: [], ids: null, finish: null });

/** A lane with the calls from `first` on. @param {any} lane @param {{first: number, calls: any[], ids: number[]|null}} part @param {string[]} columns names of a call's entries */
function laneWith(lane, { first, calls, ids }, columns) {
  const kept = lane.calls.slice(0, first);
  if (!ids) return { ...lane, calls: [...kept, ...calls] };
  const shown = columns.indexOf("shown");
  const before = kept.reduce((sum, call) => sum + call[shown], 0);
  return { ...lane, calls: [...kept, ...calls], ids: [...(lane.ids || []).slice(0, before), ...ids] };
}

/** Calls of a run that is still going on. */
function withCalls(race, { at, lanes, pieces }) {
  const runs = race.runs.slice();
  const run = runs[at] || { prompt: null, seed: null, lanes: {} };
  const grown = { ...run.lanes };
  for (const [rule, part] of Object.entries(lanes)) grown[rule] = laneWith(grown[rule] || emptyLane(), part, race.columns);
  runs[at] = { ...run, lanes: grown };
  return { ...race, runs, pieces: pieces ? { ...race.pieces, ...pieces } : race.pieces };
}

/**
 * @param {any} race the record so far, null before the first message @param {any} message race_start, race_calls or race_run
 * @returns {any} the record with it; a message that comes before its beginning changes nothing
 */
export function raceWith(race, message) {
  if (message.kind === "race_start") return { pieces: {}, costs: null, summary: null, ...message.race, runs: message.race.runs || [] };
  if (!race) return race;
  if (message.kind === "race_calls") return withCalls(race, message);
  if (message.kind !== "race_run") return race;
  const runs = race.runs.slice();
  runs[message.at] = message.record;
  return { ...race, runs, costs: message.costs ?? race.costs, summary: message.summary ?? race.summary };
}

/** The same for a law check, whose every message is the whole record. @param {any} law @param {any} message */
export const lawWith = (law, message) => (message.kind === "law" ? message.law : law);

/** Whether anything has been measured in a record: a call of a race, a sample of a law check. @param {"race"|"law"} kind @param {any} record */
export function holds(kind, record) {
  if (!record) return false;
  return kind === "law" ? record.pairs.done > 0 : record.runs.some((run) => run && Object.values(run.lanes).some((lane) => lane.calls.length));
}

/** The settings that a measurement and a run have in common; a law check has no length. */
const SHARED = ["gamma", "temperature", "top_k", "top_p", "seed", "max_new_tokens"];

/** Whether a record was measured with the settings of a form, so that a link to the form restores it. @param {any} record @param {any} form @param {string} prompt the record's */
export function madeWith(record, form, prompt) {
  const rules = record.rules.filter((rule) => rule !== "plain");
  return prompt === form.prompt && record.pair.name === form.pair && record.pair.draft === form.draft && rules.join() === form.rules.join()
    && modeOf(record.settings) === modeOf(form) && SHARED.every((name) => !(name in record.settings) || record.settings[name] === form[name]);
}
