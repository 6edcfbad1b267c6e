/**
 * The race in words: what its intervals count, whether a difference is more than its interval, whether speculation is worth it
 * here. Sentences are phrases (see measure_parts.js). No document.
 */

import { number } from "../format.js";
import { say as sayMeasure } from "../words/parts/measure.js";
import { say } from "../words/parts/racing.js";
import { say as sayViewer } from "../words/parts/viewer.js";
import { pieces } from "../words/pieces.js";
import { language } from "../words/words.js";
import { estimateParts, hasInterval, signed } from "./measure_parts.js";
import { laneWords, losslessHere, PLAIN, pointer, theRule } from "./measure_rules.js";

const figures = (record, rule) => record.summary.rules[rule];
const path = (rule, name) => pointer("race:", "summary", "rules", rule, name);
const upper = (words) => words[0].toUpperCase() + words.slice(1);

/** What the intervals count, or why there are none. */
export function grouping(record) {
  const { groups, group_count: count, runs, confidence } = record.summary;
  const measured = { value: runs, path: "race:/summary/runs", format: String }, counted = { value: count, path: "race:/summary/group_count", format: String };
  const slots = { runs: measured, count: counted, percent: Math.round(confidence * 100) };
  if (count < 2) return pieces(count === 1 && runs === 1 ? "racing.alone.run" : "racing.alone.group", slots);
  return pieces(groups === "prompt" ? "racing.counted.prompt" : "racing.counted.seed", slots);
}

/** Block efficiency against the token rule's, with what the difference is worth; null for the token rule and plain decoding. */
export function againstToken(record, rule) {
  const own = figures(record, rule), gap = own && own.over_token;
  if (!gap || rule === "token" || rule === PLAIN) return null;
  const name = upper(theRule(rule)), tail = losslessHere(record, rule) ? [] : [say("racing.against.lossy")];
  if (!hasInterval(gap)) return [...pieces(gap.mean < 0 ? "racing.against.below_once" : "racing.against.above_once", { rule: name, difference: { value: Math.abs(gap.mean), path: "derived:difference" } }), ...tail];
  if (gap.low === 0 && gap.high === 0) return [say("racing.against.same", { rule: name }), ...tail];
  // A sample size that would tell is not projected from a difference whose interval holds 0: it would have no upper bound.
  const kind = gap.low > 0 ? "above" : gap.high < 0 ? "below" : record.summary.groups === "prompt" ? "open_prompt" : "open_seed";
  return [...pieces(`racing.against.${kind}`, { rule: name, difference: estimateParts(gap, path(rule, "over_token"), signed) }), ...tail];
}

/** What measured speeds say, rules with the same answer in one sentence. */
export function againstPlain(record) {
  const groups = { slower: [], faster: [], open: [], once: [] };
  for (const rule of record.rules) {
    const own = figures(record, rule), speed = own && own.speedup;
    if (speed && rule !== PLAIN) groups[!hasInterval(speed) ? "once" : speed.high < 1 ? "slower" : speed.low > 1 ? "faster" : "open"].push({ rule, speed });
  }
  return Object.entries(groups).filter(([, members]) => members.length).map(([kind, members]) => {
    const rules = members.flatMap(({ rule, speed }, n) => [n ? sayViewer("viewer.comma") : "", ...pieces(losslessHere(record, rule) ? "racing.at_speed" : "racing.at_speed_lossy", { rule: laneWords(rule), speed: estimateParts(speed, path(rule, "speedup")) })]);
    return pieces(`racing.speed.${kind}`, { rules });
  });
}

/** All findings, in the order of the lanes. @param {any} record */
export function findings(record) {
  if (!record.summary) return [];
  const rules = record.rules.filter((rule) => figures(record, rule));
  return [grouping(record), ...rules.map((rule) => againstToken(record, rule)), ...againstPlain(record)].filter(Boolean);
}

/** What the lanes show, in one sentence, from the first run alone. */
export function laneCaption(lanes, axis, record) {
  const honest = lanes.filter((lane) => lane.calls.length && losslessHere(record, lane.rule));
  if (lanes.some((lane) => !lane.finish)) return say("racing.caption.running");
  const least = honest.reduce((best, lane) => (lane.end < best.end ? lane : best), honest[0]);
  const others = honest.filter((lane) => lane !== least && lane.tokens === (least && least.tokens));
  if (!least || !others.length) return say("racing.caption");
  const tie = others.some((lane) => lane.end === least.end);
  return tie ? say("racing.caption.tie") : say(`racing.caption.${axis}`, { rule: laneWords(least.rule) });
}

/** The costs that a prediction rests on, for pictures that leave the page. @param {ReturnType<import("./race_model.js").costsOf>} costs */
export function costWords({ c, v, from }) {
  return say("racing.costs.used", { c: number(c), from_c: say(`racing.from.${from.c}`), v: number(v), from_v: say(`racing.from.${from.v}`) });
}

/** "1st", "2nd", "11th". */
export function ordinal(n) {
  const form = new Intl.PluralRules(language(), { type: "ordinal" }).select(n);
  return say(`racing.ordinal.${form}`, { count: n });
}

/** Why the lanes' texts differ. */
export function textWords(record, reference) {
  const lossy = record.rules.filter((rule) => !losslessHere(record, rule)), honest = record.rules.filter((rule) => losslessHere(record, rule));
  const greedy = record.settings.temperature === 0;
  const out = [];
  if (honest.length > 1) {
    out.push(say(greedy ? "racing.words.cold" : "racing.words.honest"));
  }
  if (lossy.length) out.push(say("racing.words.lossy", { rules: lossy.map(laneWords).join(sayViewer("viewer.comma")) }));
  if (record.rules.length > 1) out.push(say("racing.words.marked", { rule: theRule(reference) }));
  return out;
}

/** "run 7 of 30", or what came of it. */
export function progressWords(view, finished) {
  const { status, progress, message } = view, record = view.earlier ? null : view.record;
  if (status === "error") return message || say("racing.progress.failed");
  if (!record) return status === "running" ? (progress && progress.text) || sayMeasure("measure.waiting") : status === "cancelled" ? message || say("racing.progress.cancelled_first") : "";
  const planned = record.planned;
  if (status === "running") return say("racing.progress.running", { number: Math.min(finished + 1, planned), count: planned });
  if (status === "cancelled") return message || say("racing.progress.cancelled", { finished, count: planned });
  return say("racing.progress.done", { count: finished });
}
