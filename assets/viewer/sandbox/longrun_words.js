/** What the long run says, in sentences made of the record's numbers. No document. */

import { ruleWords } from "../rule_gallery.js";
import { say } from "../words/parts/sandbox_longrun.js";
import { pieces } from "../words/pieces.js";
import { strays } from "./sandbox_words.js";

const EQUAL = 1e-9;

/** Standard errors on either side of a mean that hold 95 %. */
export const Z = 1.96;

/** The longest list of blocks that all of the record's rules have. @param {any} longrun @param {string[]} rules */
export const blocksOf = (longrun, rules) => Math.min(...rules.map((rule) => longrun.rules[rule].expected.length));

/** A number of the record as a part of a phrase. @param {any} longrun @param {string} rule @param {number|"long_run"} at */
export function gained(longrun, rule, at) {
  const { expected, long_run } = longrun.rules[rule];
  return at === "long_run" ? { value: long_run, path: `longrun:/rules/${rule}/long_run`, name: say("longrun.name.later", { rule: ruleWords(rule) }) }
    : { value: expected[at], path: `longrun:/rules/${rule}/expected/${at}`, name: say("longrun.name.block", { rule: ruleWords(rule), block: at + 1 }) };
}

/** What two long runs must differ by to be told apart: more than rounding, and than what the merging of memories may have cost. */
const margin = (longrun, rules) => rules.reduce((sum, rule) => sum + (longrun.rules[rule].exact ? 0 : longrun.rules[rule].error), EQUAL);

/** The findings, each a phrase. @param {any} longrun @param {[string, string]} rules @param {any} picture its rules say who remembers @returns {any[][]} */
export function longRunWords(longrun, rules, picture) {
  const [left, right] = rules, out = [];
  if (left === right) return [[say("longrun.choose", { rule: ruleWords(left) })]];
  const first = longrun.rules[right].expected[0] - longrun.rules[left].expected[0], later = longrun.rules[right].long_run - longrun.rules[left].long_run;
  const space = margin(longrun, [...rules]);
  const [winner, loser] = first > 0 ? [right, left] : [left, right];
  /** What has to be said beside a gain. */
  const but = (rule) => (strays(picture.rules[rule]) ? "stray" : picture.rules[rule].lossless !== "always" ? "lossy" : "plain");
  /** The numbers of one rule beside those of another. */
  const figures = (rule, other) => ({ first: gained(longrun, rule, 0), first_other: gained(longrun, other, 0), later: gained(longrun, rule, "long_run"), later_other: gained(longrun, other, "long_run") });
  if (Math.abs(first) <= EQUAL && Math.abs(later) <= space) out.push(pieces("longrun.same", { left: ruleWords(left), right: ruleWords(right), gain: gained(longrun, left, "long_run") }));
  else if (Math.abs(first) > EQUAL && first * later < 0 && Math.abs(later) > space) {
    out.push(pieces(`longrun.turns.${but(winner)}`, { winner: ruleWords(winner), ...figures(winner, loser) }));
    if (picture.rules[winner].remembers) out.push([say("longrun.pays", { winner: ruleWords(winner) })]);
  } else {
    const best = later > 0 ? right : left, other = best === left ? right : left;
    out.push(Math.abs(later) <= space ? pieces("longrun.close", { left: gained(longrun, left, "long_run"), right: gained(longrun, right, "long_run") })
      : pieces(Math.abs(first) <= EQUAL ? `longrun.later_more.${but(best)}` : `longrun.both_more.${but(best)}`, { best: ruleWords(best), ...figures(best, other) }));
  }
  for (const rule of rules) {
    const { expected, long_run } = longrun.rules[rule], own = { rule: ruleWords(rule), gain: gained(longrun, rule, "long_run"), later: gained(longrun, rule, "long_run"), first: gained(longrun, rule, 0) };
    if (!picture.rules[rule].remembers) out.push(pieces("longrun.forgets", own));
    else if (expected[0] - long_run > space) out.push(pieces("longrun.remembers", own));
  }
  return out;
}

/** How the numbers were found. @param {any} longrun @param {string[]} rules */
export function sourceWords(longrun, rules) {
  const rough = rules.filter((rule) => !longrun.rules[rule].exact), [first] = rules, { simulated } = longrun.rules[first];
  const all = rules.flatMap((rule) => longrun.rules[rule].expected.map((gain, k) => Math.abs(longrun.rules[rule].simulated.mean[k] - gain) <= Z * longrun.rules[rule].simulated.standard_error[k] + EQUAL));
  const held = all.filter(Boolean).length;
  // By rules without memory every block is drawn anew; two rules meet the same draws.
  const draws = rules.length > 1, blocks = rules.some((rule) => longrun.rules[rule].states > 1);
  const error = (rule) => ({ value: longrun.rules[rule].error, path: `longrun:/rules/${rule}/error` });
  const [one, two] = rough, merged = one === undefined ? {} : { rule: ruleWords(one), error: error(one), ...(two !== undefined && { other: ruleWords(two), other_error: error(two) }) };
  return [
    ...pieces(two !== undefined ? "longrun.source.merged_both" : one !== undefined ? "longrun.source.merged" : "longrun.source.exact", merged),
    ...pieces("longrun.source.held", {
      runs: { value: simulated.runs, path: `longrun:/rules/${first}/simulated/runs`, format: String }, held: { value: held, path: "derived:simulated_held", format: String }, count: all.length,
    }),
    ...(draws || blocks ? [say(`longrun.source.tied_${draws && blocks ? "both" : draws ? "draws" : "blocks"}`)] : []),
  ];
}
