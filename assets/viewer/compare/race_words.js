/**
 * The race in words: what its intervals count, whether a difference is more than its interval, whether speculation is worth it
 * here. Sentences are phrases (see measure_parts.js). No document.
 */

import { number, plural } from "../format.js";
import { estimateParts, halfWidth, hasInterval, signed } from "./measure_parts.js";
import { losslessHere, PLAIN, pointer, TAG, theRule } from "./measure_rules.js";
import { groupsNeeded } from "./race_needed.js";
import { ruleWords } from "./rule_words.js";

const figures = (record, rule) => record.summary.rules[rule];
const path = (rule, name) => pointer("race:", "summary", "rules", rule, name);
const upper = (words) => words[0].toUpperCase() + words.slice(1);

/** What the intervals count, or why there are none. */
export function grouping(record) {
  const { groups, group_count: count, runs, confidence } = record.summary;
  const measured = { value: runs, path: "race:/summary/runs", format: String }, counted = { value: count, path: "race:/summary/group_count", format: String };
  const of = count === 1 && runs === 1 ? "One run proves nothing" : "One group proves nothing";
  if (count < 2) return [`${of}: `, measured, ` finished ${runs === 1 ? "run" : "runs"}, so no interval can be given. Ask for more seeds, or for a set of prompts.`];
  const level = `${Math.round(confidence * 100)} % intervals, from `;
  if (groups === "prompt") return [level, measured, " finished runs: the ", counted, " prompts are counted as independent, their blocks are not."];
  return [level, measured, " finished runs: the ", counted, " seeds of this one prompt are counted as independent, their blocks are not. This says nothing of other prompts."];
}

/** How many groups would tell the difference from 0, as the end of a sentence; nothing where there are too few to say. */
function whatWouldTell(record, estimate, sets) {
  const { groups, group_count: count } = record.summary, needed = groupsNeeded(estimate, count), { prompt_set: name, seeds } = record.settings;
  if (needed === undefined) return ["."];
  if (needed === null) return [`: no number of ${groups}s is in sight that would tell them apart.`];
  const known = (sets || []).find((entry) => entry.name === name), all = known ? known.count : record.prompts.length;
  const each = groups === "prompt" && seeds > 1 ? ` with ${plural(seeds, "seed")} each` : "";
  const out = groups === "prompt" && needed > all ? `; this set has only ${plural(all, "prompt")}: more seeds add no groups` : "";
  return [": about ", { value: needed, path: "derived:groups_needed", format: String }, ` ${groups}s${each} would tell them apart, if the difference stays what it is (an estimate)${out}.`];
}

/** Block efficiency against the token rule's, with what the difference is worth; null for the token rule and plain decoding. `sets`: config.prompt_sets. */
export function againstToken(record, rule, sets) {
  const own = figures(record, rule), gap = own && own.over_token;
  if (!gap || rule === "token" || rule === PLAIN) return null;
  const begin = `${upper(theRule(rule))}’s block efficiency`, difference = { value: Math.abs(gap.mean), path: "derived:difference" };
  const tail = losslessHere(record, rule) ? [] : [` It is ${TAG}.`];
  if (!hasInterval(gap)) return [`${begin} was ${gap.mean < 0 ? "below" : "above"} the token rule’s by `, difference, ", without an interval.", ...tail];
  const half = halfWidth(gap);
  if (gap.low === 0 && gap.high === 0) return [`${begin} is the token rule’s: they kept the same in every block.`, ...tail];
  if (gap.low > 0 || gap.high < 0) return [`${begin} is ${gap.mean < 0 ? "below" : "above"} the token rule’s by `, difference, " ± ", half, ": more than its interval.", ...tail];
  const shown = { value: gap.mean, path: `${path(rule, "over_token")}/mean`, format: signed };
  return [`${begin} is not distinguishable from the token rule’s with so few ${record.summary.groups}s (difference `, shown, " ± ", half, ")", ...whatWouldTell(record, gap, sets), ...tail];
}

const SPEEDS = {
  slower: ["Speculation is slower than plain decoding on this machine with ", ": the draft and the longer target calls cost more than the kept tokens save."],
  faster: ["Speculation is faster than plain decoding on this machine with ", "."],
  open: ["Neither measurably faster nor slower than plain decoding on this machine: ", "."],
  once: ["Measured against plain decoding, without an interval: ", "."],
};

/** What measured speeds say, rules with the same answer in one sentence. */
export function againstPlain(record) {
  const groups = { slower: [], faster: [], open: [], once: [] };
  for (const rule of record.rules) {
    const own = figures(record, rule), speed = own && own.speedup;
    if (speed && rule !== PLAIN) groups[!hasInterval(speed) ? "once" : speed.high < 1 ? "slower" : speed.low > 1 ? "faster" : "open"].push({ rule, speed });
  }
  return Object.entries(groups).filter(([, members]) => members.length).map(([kind, members]) => {
    const parts = members.flatMap(({ rule, speed }, n) => [`${n ? ", " : ""}${ruleWords(rule)} at `, ...estimateParts(speed, path(rule, "speedup")), ` times its speed${losslessHere(record, rule) ? "" : ` (${TAG})`}`]);
    return [SPEEDS[kind][0], ...parts, SPEEDS[kind][1]];
  });
}

/** All findings, in the order of the lanes. @param {any} record @param {any[]} [sets] config.prompt_sets */
export function findings(record, sets) {
  if (!record.summary) return [];
  const rules = record.rules.filter((rule) => figures(record, rule));
  return [grouping(record), ...rules.map((rule) => againstToken(record, rule, sets)), ...againstPlain(record)].filter(Boolean);
}

/** What the lanes show, in one sentence, from the first run alone. */
export function laneCaption(lanes, axis, record) {
  const honest = lanes.filter((lane) => lane.calls.length && losslessHere(record, lane.rule));
  if (lanes.some((lane) => !lane.finish)) return "The first run: each segment is one target call, the marks in it are the tokens it gained.";
  const least = honest.reduce((best, lane) => (lane.end < best.end ? lane : best), honest[0]);
  const others = honest.filter((lane) => lane !== least && lane.tokens === (least && least.tokens));
  if (!least || !others.length) return "Each segment is one target call, the marks in it are the tokens it gained; the lane that ends first needed least.";
  const what = { calls: "fewest target calls", measured: "least time", predicted: "least predicted time" }[axis];
  const tie = others.some((lane) => lane.end === least.end);
  return tie ? "Each segment is one target call; in this one run no lossless lane alone is first. One run proves nothing."
    : `Each segment is one target call; in this one run ${ruleWords(least.rule)} needed the ${what}. One run proves nothing.`;
}

/** The costs that a prediction rests on, for pictures that leave the page. @param {ReturnType<import("./race_model.js").costsOf>} costs */
export function costWords({ c, v, from }) {
  return `Predicted with c = ${number(c)} (${from.c}) for a draft step and v = ${number(v)} (${from.v}) for a target call, in plain target steps.`;
}

/** "1st", "2nd", "11th". */
export function ordinal(n) {
  const teen = n % 100 > 10 && n % 100 < 14;
  return `${n}${(!teen && ["th", "st", "nd", "rd"][n % 10]) || "th"}`;
}

/** Why the lanes' texts differ. */
export function textWords(record, reference) {
  const lossy = record.rules.filter((rule) => !losslessHere(record, rule)), honest = record.rules.filter((rule) => losslessHere(record, rule));
  const greedy = record.settings.temperature === 0;
  const out = [];
  if (honest.length > 1) {
    out.push(greedy ? "At temperature 0 there is nothing to draw: every lossless rule writes this very text."
      : "Same law, not same text: once the first difference in kept tokens happens the runs draw other numbers. Each text is an honest sample of the target; only the law is the same.");
  }
  if (lossy.length) out.push(`${lossy.map(ruleWords).join(", ")}: another law, not only another text. What is written there is no sample of the target.`);
  if (record.rules.length > 1) out.push(`Marked is the first token that differs from ${reference === PLAIN ? "plain decoding’s" : `the ${ruleWords(reference)} rule’s`}.`);
  return out;
}

/** "run 7 of 30", or what came of it. */
export function progressWords(view, finished) {
  const { status, progress, message } = view, record = view.earlier ? null : view.record;
  if (status === "error") return message || "The race failed.";
  if (!record) return status === "running" ? (progress && progress.text) || "Waiting for the server" : status === "cancelled" ? message || "Cancelled before the first run." : "";
  const planned = record.planned;
  if (status === "running") return `run ${Math.min(finished + 1, planned)} of ${planned}`;
  if (status === "cancelled") return message || `Cancelled: ${finished} of ${plural(planned, "run")} finished; what had come is kept.`;
  return `${plural(finished, "run")} finished.`;
}
