/**
 * What is asked before something is shown, and what the answer is: read off the trace, or the Sandbox's picture, whenever it is wanted. No document.
 *
 * A question is {id, words, slots, options: [{value, words, slots}]}, `words` a key of ../words/en/teacher.js; what is told is {id, right, words, slots}.
 */

import { roles, tokensOf } from "../derive.js";
import { numeric } from "../format.js";
import { listed } from "./listed.js";
import { ruleWords } from "../rule_gallery.js";

/** @typedef {{id: string, words: string, slots: any, options: {value: string, words: string, slots: any}[]}} Question */
/** @typedef {{id: string, right: boolean, words: string, slots: any}} Told */

const RESCUER = "block";
const NOBODY = "none", SAME = "same";
const EQUAL = 1e-9; // means that are equal up to rounding

const whole = (value, path) => ({ value, path, whole: true });

/** What of the predictions asked for a block can be asked about. @param {any} block @param {string[]} kinds */
export function askable(block, kinds) {
  if (!block || block.gamma === 0) return [];
  return kinds.filter((kind) => kind === "tau" || (kind === "rescued" && Boolean(block.verdicts[RESCUER])));
}

/** Positions (from 1) of the tokens that block verification keeps although their own test, the token rule's, fails. @param {any} block @returns {number[]} */
export const rescuedAt = (block) => roles(block, block.verdicts[RESCUER]).flatMap(({ role }, i) => (role === "rescued" ? [i + 1] : []));

/**
 * About one block of a run, for the rules given.
 * @param {any} view @param {string[]} kinds @param {string[]} rules whose τ is asked
 * @returns {Question[]}
 */
export function blockQuestions({ block }, kinds, rules) {
  const asked = askable(block, kinds), out = [];
  const count = block ? block.gamma : 0;
  if (asked.includes("tau")) {
    for (const rule of rules.filter((name) => block.verdicts[name])) {
      const options = Array.from({ length: count + 1 }, (_, n) => ({ value: String(n), words: "bet.number", slots: { number: n } }));
      out.push({ id: `tau:${rule}`, words: "bet.tau", slots: { rule: ruleWords(rule), count }, options });
    }
  }
  if (asked.includes("rescued")) {
    const tokens = tokensOf(block).map((id, i) => ({ value: String(i + 1), words: "bet.token", slots: { position: i + 1, token: { id, kind: "draft" } } }));
    out.push({ id: "rescued", words: "bet.rescued", slots: {}, options: [{ value: NOBODY, words: "bet.nobody", slots: {} }, ...tokens] });
  }
  return out;
}

/** @param {any} view @param {Record<string, string>} bets @returns {Told[]} */
export function blockTold({ block, blockIndex }, bets) {
  return Object.entries(bets).flatMap(([id, bet]) => {
    const [kind, rule = RESCUER] = id.split(":"), verdict = block.verdicts[rule];
    if (!verdict) return [];
    if (kind === "tau") {
      const { accepted, length_law: law } = verdict, base = `/blocks/${blockIndex}/verdicts/${rule}`, right = Number(bet) === accepted;
      const chance = (n) => ({ value: numeric(law[n] ?? 0), path: `${base}/length_law/${n}` });
      return [{ id, right, words: right ? "bet.tau_right" : "bet.tau_wrong", slots: { rule: ruleWords(rule), bet, kept: whole(accepted, `${base}/accepted`), chance: chance(accepted), other: chance(Number(bet)) } }];
    }
    const found = rescuedAt(block), right = found.length ? found.includes(Number(bet)) : bet === NOBODY;
    const said = bet === NOBODY ? "nobody" : "one", truth = found.length ? "some" : "none";
    return [{ id, right, words: `bet.rescued_${said}_${truth}`, slots: { bet, positions: listed(found), count: found.length } }];
  });
}

/** About a state of the Sandbox. @param {any} state as it is typed @returns {Question[]} */
export function stateQuestions({ rules }) {
  const options = rules.map((rule) => ({ value: rule, words: "bet.rule", slots: { rule: ruleWords(rule) } }));
  return [{ id: "keeps", words: "bet.keeps", slots: {}, options: [...options, { value: SAME, words: "bet.same", slots: {} }] }];
}

/** @param {any} view whose picture belongs to the state @param {Record<string, string>} bets @returns {Told[]} */
export function stateTold({ picture, state }, bets) {
  if (!Object.hasOwn(bets, "keeps")) return [];
  const [left, right] = state.rules, expected = (rule) => ({ value: picture.rules[rule].expected, path: `picture:/rules/${rule}/expected` });
  const apart = expected(left).value - expected(right).value, best = Math.abs(apart) < EQUAL ? SAME : apart > 0 ? left : right;
  const good = bets.keeps === best;
  const slots = { bet: bets.keeps === SAME ? "" : ruleWords(bets.keeps), left: ruleWords(left), right: ruleWords(right), first: expected(left), second: expected(right) };
  return [{ id: "keeps", right: good, words: good ? "bet.keeps_right" : bets.keeps === SAME ? "bet.keeps_not_same" : "bet.keeps_wrong", slots }];
}
