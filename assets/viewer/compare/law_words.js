/** The law check in words: total variation, what a p-value says, how far the samples are. Sentences are phrases. No document. */

import { many as thousands, number, percent } from "../format.js";
import { ruleWords } from "../rule_gallery.js";
import { say } from "../words/parts/lawcheck.js";
import { say as sayMeasure } from "../words/parts/measure.js";
import { pieces } from "../words/pieces.js";
import { losslessHere, pointer, theRule } from "./measure_rules.js";

export const EQUAL = 1e-9; // a distance below this is rounding
const upper = (words) => words[0].toUpperCase() + words.slice(1);
const known = (x) => typeof x === "number" && Number.isFinite(x);

/** The large number of a rule's distance from the target, and the lines below it. */
export function distance(record, rule) {
  const found = record.next.rules[rule], path = pointer("law:", "next", "rules", rule, "tv");
  const large = { value: found.tv, path, format: (x) => (Math.abs(x) < EQUAL ? "0" : number(x)) };
  if (found.exact) return { large, small: [say(found.tv < EQUAL ? "lawcheck.distance.equal" : "lawcheck.distance.exact")] };
  const blocks = record.pairs && record.pairs.done, exactly = known(found.tv_error);
  const slots = { count: { value: blocks, path: "law:/pairs/done", format: String }, error: { value: found.tv_error, path: pointer("law:", "next", "rules", rule, "tv_error"), format: number } };
  if (blocks) return { large, small: pieces(exactly ? "lawcheck.distance.estimated_from_error" : "lawcheck.distance.estimated_from", slots) };
  return { large, small: pieces(exactly ? "lawcheck.distance.estimated_error" : "lawcheck.distance.estimated", slots) };
}

/** What the law of the next token says of a rule. */
export function nextFinding(record, rule) {
  const found = record.next.rules[rule], value = { value: found.tv, path: pointer("law:", "next", "rules", rule, "tv"), format: number };
  const error = { value: found.tv_error, path: pointer("law:", "next", "rules", rule, "tv_error"), format: number };
  const slots = { rule: upper(theRule(rule)), value, error, share: { ...value, format: percent } };
  if (found.exact && found.tv < EQUAL) return pieces(losslessHere(record, rule) ? "lawcheck.finding.equal" : "lawcheck.finding.equal_lossy", slots);
  if (found.exact) return pieces("lawcheck.finding.other", slots);
  if (!known(found.tv_error)) return pieces("lawcheck.finding.estimated", slots);
  return pieces(found.tv < 2 * found.tv_error ? "lawcheck.finding.unbiased" : "lawcheck.finding.estimated_error", slots);
}

/** One in how many, rounded down to a round number. */
export function oneIn(p) {
  const many = Math.floor(1 / p + 1e-9), step = 10 ** Math.max(0, Math.floor(Math.log10(many)) - 1);
  return Math.floor(many / step) * step;
}

/** What the sampled pairs say of a rule. */
export function pairFinding(record, rule) {
  const { done, rules } = record.pairs, found = rules[rule], at = (...keys) => pointer("law:", "pairs", "rules", rule, ...keys);
  const name = upper(theRule(rule)), p = found.p_value;
  if (!done || !known(p)) return pieces("lawcheck.found.none", { rule: name });
  const honest = losslessHere(record, rule);
  if (found.impossible) return pieces("lawcheck.found.impossible", { rule: name, count: { value: found.impossible, path: at("impossible"), format: String }, done: { value: done, path: "law:/pairs/done", format: String } });
  const share = { value: p, path: at("p_value"), format: percent };
  if (p < 0.001) {
    const many = { value: p, path: at("p_value"), format: (x) => thousands(oneIn(Math.max(x, 1e-12))) }, fewer = p <= 1 / 2001 + 1e-12;
    if (honest) return pieces(fewer ? "lawcheck.found.fewer_honest" : "lawcheck.found.about_honest", { rule: name, many });
    return pieces(fewer ? "lawcheck.found.fewer" : "lawcheck.found.about", { rule: name, many });
  }
  if (p >= 0.01 && p < 0.1) return pieces("lawcheck.found.weak", { rule: name, share });
  const beyond = found.tv_by_chance && found.tv > found.tv_by_chance.high;
  return pieces(p < 0.01 ? "lawcheck.found.hard" : beyond ? "lawcheck.found.beyond" : honest ? "lawcheck.found.honest" : "lawcheck.found.lossy", { rule: name, share });
}

/** Why the columns of the pairs are not so many independent tests; nothing where there is only one. */
export const sharedWords = (record) => (record.rules.length > 1 ? say("lawcheck.shared") : "");

/** The distance of the observed pairs, and what chance alone shows. */
export function pairDistance(record, rule) {
  const found = record.pairs.rules[rule], at = (...keys) => pointer("law:", "pairs", "rules", rule, ...keys), chance = found.tv_by_chance;
  if (!known(found.tv)) return { large: null, small: [say("lawcheck.no_samples")] };
  const small = chance && known(chance.mean) ? pieces("lawcheck.by_chance", { mean: { value: chance.mean, path: at("tv_by_chance", "mean"), format: number }, high: { value: chance.high, path: at("tv_by_chance", "high"), format: number } }) : [];
  return { large: { value: found.tv, path: at("tv"), format: number }, small };
}

/** "120 of 600 samples", or what came of it. */
export function progressWords(view) {
  const { status, progress, message, options } = view, record = view.earlier ? null : view.record;
  const asked = (record && record.settings.samples) || options.samples, done = (record && record.pairs && record.pairs.done) || 0;
  if (status === "error") return message || say("lawcheck.progress.failed");
  if (!record) return status === "running" ? (progress && progress.text) || sayMeasure("measure.waiting") : status === "cancelled" ? message || say("lawcheck.progress.cancelled_first") : "";
  if (status === "running") return say("lawcheck.progress.running", { done, count: asked });
  if (status === "cancelled") return message || say("lawcheck.progress.cancelled", { done, count: asked });
  return say("lawcheck.progress.done", { count: done });
}

/** A rule's head in the pictures. */
export function headOf(record, rule) {
  const lossy = !losslessHere(record, rule);
  return { name: ruleWords(rule), lossy, claim: say(!lossy ? "lawcheck.claim.lossless" : record.lossless[rule] === "temperature_0" ? "lawcheck.claim.cold" : "lawcheck.claim.lossy") };
}
