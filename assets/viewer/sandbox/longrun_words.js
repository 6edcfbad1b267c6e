/** What the long run says, in sentences made of the record's numbers. No document. */

import { ruleWords } from "../compare/rule_words.js";
import { strays } from "./sandbox_words.js";

const EQUAL = 1e-9;

/** Standard errors on either side of a mean that hold 95 %. */
export const Z = 1.96;

/** The longest list of blocks that all of the record's rules have. @param {any} longrun @param {string[]} rules */
export const blocksOf = (longrun, rules) => Math.min(...rules.map((rule) => longrun.rules[rule].expected.length));

/** A number of the record as a part of a phrase. @param {any} longrun @param {string} rule @param {number|"long_run"} at */
export function gained(longrun, rule, at) {
  const { expected, long_run } = longrun.rules[rule];
  return at === "long_run" ? { value: long_run, path: `longrun:/rules/${rule}/long_run`, name: `${ruleWords(rule)}: tokens a target call in the long run` }
    : { value: expected[at], path: `longrun:/rules/${rule}/expected/${at}`, name: `${ruleWords(rule)}: expected in block ${at + 1}` };
}

/** What two long runs must differ by to be told apart: more than rounding, and than what the merging of memories may have cost. */
const margin = (longrun, rules) => rules.reduce((sum, rule) => sum + (longrun.rules[rule].exact ? 0 : longrun.rules[rule].error), EQUAL);

/** The findings, each a phrase. @param {any} longrun @param {[string, string]} rules @param {any} picture its rules say who remembers @returns {any[][]} */
export function longRunWords(longrun, rules, picture) {
  const [left, right] = rules, out = [];
  if (left === right) return [[`Choose another rule beside ${ruleWords(left)} to compare the two.`]];
  const first = longrun.rules[right].expected[0] - longrun.rules[left].expected[0], later = longrun.rules[right].long_run - longrun.rules[left].long_run;
  const space = margin(longrun, [...rules]);
  const [winner, loser] = first > 0 ? [right, left] : [left, right];
  const but = (rule) => (strays(picture.rules[rule]) ? ", but its text is not the target’s" : picture.rules[rule].lossless !== "always" ? ", but it is not lossless" : "");
  if (Math.abs(first) <= EQUAL && Math.abs(later) <= space) out.push([`${ruleWords(left)} and ${ruleWords(right)} gain the same: `, gained(longrun, left, "long_run"), " tokens a target call."]);
  else if (Math.abs(first) > EQUAL && first * later < 0 && Math.abs(later) > space) {
    out.push([`In the first block ${ruleWords(winner)} gains more, `, gained(longrun, winner, 0), " against ", gained(longrun, loser, 0), `; in the long run it loses, `, gained(longrun, winner, "long_run"), " against ", gained(longrun, loser, "long_run"), `${but(winner).replace("but", "and")}.`]);
    if (picture.rules[winner].remembers) out.push([`${ruleWords(winner)} takes in one block more than its share and pays in the next: after a correction the rest of the old block must follow the modified target T̃, which agrees less with the draft. The optimum of one block is not the optimum of many.`]);
  } else {
    const best = later > 0 ? right : left, other = best === left ? right : left;
    out.push(Math.abs(later) <= space ? [`In the long run the two cannot be told apart: `, gained(longrun, left, "long_run"), " and ", gained(longrun, right, "long_run"), " tokens a target call."]
      : Math.abs(first) <= EQUAL ? [`${ruleWords(best)} gains more in the long run (`, gained(longrun, best, "long_run"), " against ", gained(longrun, other, "long_run"), " tokens a target call); in the first block the two are equal (", gained(longrun, best, 0), `)${but(best)}.`]
      : [`${ruleWords(best)} gains more, in the first block (`, gained(longrun, best, 0), " against ", gained(longrun, other, 0), ") and in the long run (", gained(longrun, best, "long_run"), " against ", gained(longrun, other, "long_run"), ` tokens a target call)${but(best)}.`]);
  }
  for (const rule of rules) {
    const { expected, long_run } = longrun.rules[rule];
    if (!picture.rules[rule].remembers) out.push([`${ruleWords(rule)} remembers nothing: every target call gains `, gained(longrun, rule, "long_run"), "."]);
    else if (expected[0] - long_run > space) out.push([`${ruleWords(rule)} remembers: its gain falls from `, gained(longrun, rule, 0), " in the first block to ", gained(longrun, rule, "long_run"), " in the long run."]);
  }
  return out;
}

/** How the numbers were found. @param {any} longrun @param {string[]} rules */
export function sourceWords(longrun, rules) {
  const rough = rules.filter((rule) => !longrun.rules[rule].exact), [first] = rules, { simulated } = longrun.rules[first];
  const all = rules.flatMap((rule) => longrun.rules[rule].expected.map((gain, k) => Math.abs(longrun.rules[rule].simulated.mean[k] - gain) <= Z * longrun.rules[rule].simulated.standard_error[k] + EQUAL));
  const held = all.filter(Boolean).length;
  // By rules without memory every block is drawn anew; two rules meet the same draws.
  const tied = [...(rules.length > 1 ? ["the rules meet the same drawn tokens and uniforms"] : []), ...(rules.some((rule) => longrun.rules[rule].states > 1) ? ["the blocks of one run depend on each other"] : [])];
  return [
    rough.length ? "The law of what the rule remembers is carried from block to block; memories that are nearly alike were taken together" : "Exact: the law of what each rule remembers is carried from block to block",
    ...rough.flatMap((rule) => [`, which moves the long run of ${ruleWords(rule)} by `, { value: longrun.rules[rule].error, path: `longrun:/rules/${rule}/error` }, " at most, by an estimate"]),
    ". Simulated besides, ", { value: simulated.runs, path: `longrun:/rules/${first}/simulated/runs`, format: String }, " runs: of the intervals of 95 % around their means ",
    { value: held, path: "derived:simulated_held", format: String }, ` of ${all.length} hold what is computed.${tied.length ? ` They are not independent: ${tied.join(", and ")}, so that intervals hold or miss together.` : ""}`,
  ];
}
