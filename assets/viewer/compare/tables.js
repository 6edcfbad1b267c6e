/**
 * A comparison as files: its records as one JSON file, and as CSV tables, cell for cell those of specdemo/lab/compare_tables.py.
 * Nothing is computed: every number stands in a record.
 */

import { finishedRuns } from "./race_model.js";
import { archive, save } from "./save.js";

export const SCHEMA = "specdemo.comparison/1";
const SETTINGS = ["part", "name", "value"], PROMPTS = ["prompt", "text", "tokens"];
// Names of one table for what records call otherwise in their several places; `follow` is the rule that the text follows.
const NAMES = { "pair.name": "pair", "pair.title": "pair_title", "pair.eos_token_ids": "pair_eos_token_ids", "settings.verifier": "follow" };
const BLOCKS = ["block", "position", "token_id", "token", "draft", "target", "ratio", "uniform", "rule", "lossless", "accept_prob", "prefix_weight", "kept", "accepted", "next_token_id", "next_token", "next_kind", "expected_accepted"];
const LENGTHS = ["block", "rule", "accepted", "probability"];
const CALLS = ["run", "prompt", "seed", "rule", "lossless", "call"];
const SUMMARY = ["rule", "lossless", "groups", "group_count", "runs", "confidence", "calls", "gained", "observed", "tokens_per_second"];
const INTERVALS = ["efficiency", "over_token", "first_block", "speedup"];
const PARTS = ["mean", "standard_error", "low", "high"];
const LAW = ["rule", "lossless", "exact", "token_id", "token", "tokens", "target", "draft", "law", "error", "tv", "tv_error"];
const PAIRS = ["rule", "lossless", "first_id", "first", "second_id", "second", "target", "count", "done", "impossible", "tv", "tv_by_chance", "tv_by_chance_high", "statistic", "p_value"];

/** A token's piece as plain text; bytes that are no character by themselves between marks. */
export function pieceCell(piece) {
  if (typeof piece === "string") return piece;
  if (typeof piece.special === "string") return piece.special;
  return `‹${piece.bytes.match(/../g).join(" ")}›`;
}

const entry = (list, i) => (list === null || list === undefined ? null : list[i]);

/** What each record was made with, one row a fact: `part` is trace, race or law, which may have been made with other settings. */
export function settingRows(parts) {
  const rows = [SETTINGS];
  for (const part of ["trace", "race", "law"].filter((name) => parts[name])) {
    const record = parts[part], facts = { created: record.created };
    for (const [name, text] of Object.entries(record.versions)) facts[`version_${name}`] = text;
    if (record.prompt) facts.prompt = record.prompt.text;
    facts.rules = part === "trace" ? record.verifiers : record.rules;
    for (const group of ["pair", "settings"]) for (const [name, value] of Object.entries(record[group])) facts[NAMES[`${group}.${name}`] || name] = value;
    Object.assign(facts, record.costs);
    rows.push(...Object.entries(facts).map(([name, value]) => [part, name, Array.isArray(value) ? value.join(",") : value]));
  }
  return rows;
}

/** The prompts of a race, by the number that its other tables call them by. */
export const promptRows = (race) => [PROMPTS, ...race.prompts.map(({ text, tokens }, i) => [i, text, tokens])];

/** One row for each block, rule and position; a block without drafted tokens has one row a rule, position 0. */
export function blockRows(trace, lossless) {
  const rows = [BLOCKS];
  for (const block of trace.blocks) {
    for (const [rule, verdict] of Object.entries(block.verdicts)) {
      const decided = [verdict.accepted, verdict.next_token, pieceCell(block.pieces[verdict.next_token]), verdict.next_kind, verdict.expected_accepted];
      if (!block.gamma) rows.push([block.index, 0, ...Array(6).fill(null), rule, lossless[rule], null, null, null, ...decided]);
      block.paths[0].rows.slice(0, block.gamma).forEach((row, i) => {
        rows.push([block.index, i + 1, row.token, pieceCell(block.pieces[row.token]), row.draft, row.target, row.ratio, block.uniforms.verify[i], rule, lossless[rule],
          entry(verdict.accept_prob, i), entry(verdict.prefix_weight, i + 1), i < verdict.accepted, ...decided]);
      });
    }
  }
  return rows;
}

/** The length law of every rule on every block. */
export function lengthRows(trace) {
  return [LENGTHS, ...trace.blocks.flatMap((block) => Object.entries(block.verdicts).flatMap(([rule, verdict]) => verdict.length_law.map((p, i) => [block.index, rule, i, p])))];
}

/** One row for each target call of each lane of each finished run. */
export function raceRows(race) {
  const done = finishedRuns(race);
  return [[...CALLS, ...race.columns], ...race.runs.slice(0, done).flatMap((run, n) => race.rules.flatMap((rule) => run.lanes[rule].calls.map((call, at) => [n, run.prompt, run.seed, rule, entry(race.lossless, rule), at, ...call])))];
}

/** One row a lane; without a finished run the header alone. */
export function summaryRows(race) {
  const rows = [[...SUMMARY, ...INTERVALS.flatMap((name) => [name, ...PARTS.slice(1).map((part) => `${name}_${part}`)])]], { summary } = race;
  for (const [rule, figures] of Object.entries(summary ? summary.rules : {})) {
    rows.push([rule, entry(race.lossless, rule), ...SUMMARY.slice(2, 6).map((name) => summary[name]), ...SUMMARY.slice(6).map((name) => figures[name]), ...INTERVALS.flatMap((name) => PARTS.map((part) => entry(figures[name], part)))]);
  }
  return rows;
}

/** One row for each rule and token shown, and one, without an id, for the others together. */
export function lawRows(law) {
  const rows = [LAW], { next, pieces } = law;
  for (const [rule, found] of Object.entries(next.rules)) {
    const of = [rule, law.lossless[rule], found.exact], total = [found.tv, found.tv_error];
    next.ids.forEach((id, i) => rows.push([...of, id, pieceCell(pieces[id]), 1, next.target[i], next.draft[i], found.law[i], entry(found.error, i), ...total]));
    rows.push([...of, null, null, next.rest.count, next.rest.target, next.rest.draft, found.rest, null, ...total]);
  }
  return rows;
}

/** One row for each rule and pair of next tokens, and one, without ids, for all other pairs. */
export function pairRows(law) {
  const rows = [PAIRS], { pairs, pieces } = law;
  for (const [rule, found] of Object.entries(pairs ? pairs.rules : {})) {
    const chance = found.tv_by_chance, of = [rule, law.lossless[rule]];
    const total = [pairs.done, found.impossible, found.tv, entry(chance, "mean"), entry(chance, "high"), found.statistic, found.p_value];
    pairs.cells.forEach((cell, i) => rows.push([...of, ...cell.flatMap((id) => [id, pieceCell(pieces[id])]), pairs.target[i], found.counts[i], ...total]));
    rows.push([...of, null, null, null, null, pairs.rest_target, found.rest, ...total]);
  }
  return rows;
}

/** A cell as RFC 4180 has it. A text that a spreadsheet would take for a formula gets an apostrophe before it. */
function cell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as CSV. */
export const csvText = (rows) => rows.map((row) => row.map(cell).join(",") + "\r\n").join("");

/**
 * The tables of the records that there are.
 * @param {{trace?: any, race?: any, law?: any}} parts @param {any[]} rules config.rules, for what a trace's rules are
 * @returns {{name: string, text: string}[]}
 */
export function csvFiles({ trace, race, law }, rules) {
  const lossless = Object.fromEntries(rules.map((rule) => [rule.name, rule.lossless])), tables = {};
  if (trace || race || law) Object.assign(tables, { "settings.csv": settingRows({ trace, race, law }) });
  if (trace) Object.assign(tables, { "blocks.csv": blockRows(trace, lossless), "lengths.csv": lengthRows(trace) });
  if (race) Object.assign(tables, { "prompts.csv": promptRows(race), "race.csv": raceRows(race), "summary.csv": summaryRows(race) });
  if (law) Object.assign(tables, { "law.csv": lawRows(law), "pairs.csv": pairRows(law) });
  return Object.entries(tables).map(([name, rows]) => ({ name, text: csvText(rows) }));
}

/** The records as they are shown, as one JSON text. */
export const comparisonText = ({ trace = null, race = null, law = null }) => JSON.stringify({ schema: SCHEMA, trace, race, law });

/** Offers everything shown as a JSON file. @param {{trace?: any, race?: any, law?: any}} parts */
export const exportJson = (parts) => save("specdemo-comparison.json", new Blob([comparisonText(parts)], { type: "application/json" }));

/** Offers the tables as one archive. @param {{trace?: any, race?: any, law?: any}} parts @param {any[]} rules */
export const exportCsv = (parts, rules) => save("specdemo-comparison-csv.zip", archive(csvFiles(parts, rules)));
