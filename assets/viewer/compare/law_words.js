/** The law check in words: total variation, what a p-value says, how far the samples are. Sentences are phrases. No document. */

import { number, percent, plural } from "../format.js";
import { losslessHere, pointer, theRule } from "./measure_rules.js";
import { ruleWords } from "./rule_words.js";

export const EQUAL = 1e-9; // a distance below this is rounding
const upper = (words) => words[0].toUpperCase() + words.slice(1);
const known = (x) => typeof x === "number" && Number.isFinite(x);

/** The large number of a rule's distance from the target, and the lines below it. */
export function distance(record, rule) {
  const found = record.next.rules[rule], path = pointer("law:", "next", "rules", rule, "tv");
  const large = { value: found.tv, path, format: (x) => (Math.abs(x) < EQUAL ? "0" : number(x)) };
  if (found.exact) return { large, small: [found.tv < EQUAL ? "equal to the target (< 10⁻⁹)" : "exact total variation"] };
  const blocks = record.pairs && record.pairs.done;
  const from = ["estimated", ...(blocks ? [" from ", { value: blocks, path: "law:/pairs/done", format: String }, " blocks"] : [])];
  if (!known(found.tv_error)) return { large, small: from };
  return { large, small: [...from, " ± ", { value: found.tv_error, path: pointer("law:", "next", "rules", rule, "tv_error"), format: number }] };
}

/** What the law of the next token says of a rule. */
export function nextFinding(record, rule) {
  const found = record.next.rules[rule], tv = { value: found.tv, path: pointer("law:", "next", "rules", rule, "tv"), format: number };
  const begin = `${upper(theRule(rule))}: the next token `;
  if (found.exact && found.tv < EQUAL) return [`${begin}has exactly the target’s law.`, losslessHere(record, rule) ? "" : " That is this token only: the rule is not lossless, look at the next two."];
  if (found.exact) return [`${begin}follows another law: `, { ...tv, format: percent }, " of the probability would have to move to make it the target’s."];
  const off = known(found.tv_error) ? [" ± ", { value: found.tv_error, path: pointer("law:", "next", "rules", rule, "tv_error"), format: number }] : [];
  if (off.length && found.tv < 2 * found.tv_error) return [`${begin}shows no bias beyond the estimate’s error (total variation `, tv, ...off, "). More samples would narrow it."];
  return [`${begin}is estimated to follow another law, by a total variation of `, tv, ...off, "."];
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
  if (!done || !known(p)) return [`${name}: no samples yet.`];
  const honest = losslessHere(record, rule);
  if (found.impossible) return [`${name}: in `, { value: found.impossible, path: at("impossible"), format: String }, ` of `, { value: done, path: "law:/pairs/done", format: String }, " samples it wrote a pair to which the target gives probability 0: this is not the target’s law."];
  const share = { value: p, path: at("p_value"), format: percent };
  if (p < 0.001) {
    const rare = { value: p, path: at("p_value"), format: (x) => oneIn(Math.max(x, 1e-12)).toLocaleString("en") };
    return [`${name}: a lossless rule shows a deviation at least this large in ${p <= 1 / 2001 + 1e-12 ? "fewer than 1 in " : "about 1 in "}`, rare, honest ? " such samples. The rule is said to be lossless: this would be a mistake in it, or a very rare chance." : " such samples: this is not the target’s law."];
  }
  if (p >= 0.01 && p < 0.1) return [`${name}: a deviation at least this large would happen by chance in `, share, " of such samples: weak evidence; more samples decide."];
  const beyond = found.tv_by_chance && found.tv > found.tv_by_chance.high;
  const verdict = p < 0.01 ? "hard to put down to chance; more samples would tell."
    : beyond ? "no sign of a bias by this test, but chance alone shows so large a total variation in fewer than 5 % of them; more samples decide."
      : `no sign of a bias${honest ? "." : " in these two tokens at this number of samples, which does not make the rule lossless."}`;
  return [`${name}: a lossless rule shows a deviation at least this large in `, share, ` of such samples: ${verdict}`];
}

/** Why the columns of the pairs are not so many independent tests; nothing where there is only one. */
export const sharedWords = (record) => (record.rules.length > 1 ? "All rules are counted on the same drafts and uniforms: their columns are no independent evidence." : "");

/** The distance of the observed pairs, and what chance alone shows. */
export function pairDistance(record, rule) {
  const found = record.pairs.rules[rule], at = (...keys) => pointer("law:", "pairs", "rules", rule, ...keys), chance = found.tv_by_chance;
  if (!known(found.tv)) return { large: null, small: ["no samples yet"] };
  const small = chance && known(chance.mean) ? ["chance alone ", { value: chance.mean, path: at("tv_by_chance", "mean"), format: number }, ", 95 % below ", { value: chance.high, path: at("tv_by_chance", "high"), format: number }] : [];
  return { large: { value: found.tv, path: at("tv"), format: number }, small };
}

/** "120 of 600 samples", or what came of it. */
export function progressWords(view) {
  const { status, progress, message, options } = view, record = view.earlier ? null : view.record;
  const asked = (record && record.settings.samples) || options.samples, done = (record && record.pairs && record.pairs.done) || 0;
  if (status === "error") return message || "The law check failed.";
  if (!record) return status === "running" ? (progress && progress.text) || "Waiting for the server" : status === "cancelled" ? message || "Cancelled before anything was known." : "";
  if (status === "running") return `${done} of ${plural(asked, "sample")} of the next two tokens`;
  if (status === "cancelled") return message || `Cancelled after ${done} of ${plural(asked, "sample")}; what had come is kept.`;
  return `${plural(done, "sample")} of the next two tokens.`;
}

/** A rule's head in the pictures. */
export function headOf(record, rule) {
  const lossy = !losslessHere(record, rule);
  return { name: ruleWords(rule), lossy, claim: !lossy ? "lossless" : record.lossless[rule] === "temperature_0" ? "lossless at temperature 0 only" : "not lossless" };
}
