/** What a rule is, in words: lossless or not and at what temperature, its group, what its corrections are drawn from. No document. */

import { groupWords, mistakeWords, ruleWords } from "../rule_gallery.js";
import { say } from "../words/parts/column.js";
import { pieces } from "../words/pieces.js";
import { known } from "../words/words.js";

/** @typedef {{name: string, title: string, source: string, lossless: string, remembers: boolean, goes_wrong: string|null}} Rule */

export const FEWEST = 2, MOST = 4; // columns

/** The place of a rule's group. @param {Rule} rule */
const placeOf = (rule) => (rule.goes_wrong ? 2 : rule.lossless === "always" ? 0 : 1);

/** The rules in the order of their lists: [[group, rules]], without empty groups. @param {Rule[]} rules @returns {[string, Rule[]][]} */
export const grouped = (rules) => [0, 1, 2].map((place) => rules.filter((rule) => placeOf(rule) === place)).filter((list) => list.length).map((list) => [groupWords(list[0]), list]);

/** The record of a rule; one that this server does not know has only its name. @param {Rule[]} rules @param {string} name @returns {Rule} */
export const ruleOf = (rules, name) => rules.find((rule) => rule.name === name) || { name, title: ruleWords(name), source: "", lossless: "never", remembers: false, goes_wrong: null };

/** Where a rule comes from; papers keep their names. @param {Rule} rule */
export const sourceWords = ({ name, source }) => (source && known(`column.source.${name}`) ? say(`column.source.${name}`) : source || null);

/** Whether the text of this rule follows the target at this temperature. @param {Rule} rule @param {number} temperature */
export const losslessAt = (rule, temperature) => rule.lossless === "always" || (rule.lossless === "temperature_0" && temperature === 0);

const LOSSY = ["threshold", "typical", "lenience"];

/** Why a rule is lossy. @param {Rule} rule */
function lossyWhy(rule) {
  if (rule.goes_wrong) return mistakeWords(rule.name, rule.goes_wrong);
  return say(LOSSY.includes(rule.name) ? `column.lossy.${rule.name}` : "column.lossy.other");
}

/** What a column's head says of its rule. @param {Rule} rule @param {number} temperature @returns {{kind: "lossless"|"cold"|"lossy", text: string}} */
export function headWords(rule, temperature) {
  if (rule.lossless === "always") return { kind: "lossless", text: say(rule.remembers ? "column.is.remembers" : "column.is.lossless") };
  if (rule.lossless === "temperature_0") {
    return temperature === 0 ? { kind: "cold", text: say("column.is.cold") } : { kind: "lossy", text: say("column.is.warm", { temperature }) };
  }
  return { kind: "lossy", text: say("column.is.lossy", { why: lossyWhy(rule) }) };
}

/** The law of the next token under a rule, in words. @param {string} name @param {string} kind @param {any} struck the drafted token, as a part of the sentence */
export function lawWords(name, kind, struck) {
  if (name === "exact_match") return say("column.law.argmax");
  if (name === "threshold" || name === "typical") return say("column.law.target_itself");
  if (kind === "bonus") return say("column.law.target");
  return name === "sampled_match" ? pieces("column.law.without", { token: struck }) : say("column.law.residual");
}

const SURE = {
  exact_match: (h) => say(h ? "column.sure.exact_match.yes" : "column.sure.exact_match.no"),
  threshold: (h) => (h ? "T ≥ D" : "T < D"),
  typical: (h) => say(h ? "column.sure.typical.yes" : "column.sure.typical.no"),
};

/** Words in place of a gauge where a rule tosses no coin at a position, else null. @param {string} name @param {number|null} h */
export function sureWords(name, h) {
  if (h === null || h === undefined) return say("column.no_coin");
  return SURE[name] && (h === 0 || h === 1) ? SURE[name](h) : null;
}
