/** What a rule is, in words: lossless or not and at what temperature, its group, what its corrections are drawn from. No document. */

/** @typedef {{name: string, title: string, source: string, lossless: string, remembers: boolean, goes_wrong: string|null}} Rule */

export const FEWEST = 2, MOST = 4; // columns

/** A rule's name in a sentence. @param {string} name */
export const ruleWords = (name) => name.replaceAll("_", " ");

/** @param {Rule} rule */
const groupOf = (rule) => (rule.goes_wrong ? "Mistakes" : rule.lossless === "always" ? "Lossless" : "Lossy or lossless only at temperature 0");

/** The rules in the order of their lists: [[group, rules]], without empty groups. @param {Rule[]} rules */
export function grouped(rules) {
  return ["Lossless", "Lossy or lossless only at temperature 0", "Mistakes"]
    .map((name) => /** @type {[string, Rule[]]} */ ([name, rules.filter((rule) => groupOf(rule) === name)])).filter(([, list]) => list.length);
}

/** The record of a rule; one that this server does not know has only its name. @param {Rule[]} rules @param {string} name @returns {Rule} */
export const ruleOf = (rules, name) => rules.find((rule) => rule.name === name) || { name, title: ruleWords(name), source: "", lossless: "never", remembers: false, goes_wrong: null };

/** Whether the text of this rule follows the target at this temperature. @param {Rule} rule @param {number} temperature */
export const losslessAt = (rule, temperature) => rule.lossless === "always" || (rule.lossless === "temperature_0" && temperature === 0);

const LOSSY = {
  threshold: "it keeps a token whenever T ≥ D, too often",
  typical: "it keeps whatever is typical enough for the target, by intent",
  lenience: "it divides its test by l = 0.5 and so accepts too much, by intent",
};

/** What a column's head says of its rule. @param {Rule} rule @param {number} temperature @returns {{kind: "lossless"|"cold"|"lossy", text: string}} */
export function headWords(rule, temperature) {
  if (rule.lossless === "always") return { kind: "lossless", text: rule.remembers ? "lossless; it remembers: what it keeps early it pays for in later blocks" : "lossless" };
  if (rule.lossless === "temperature_0") {
    const only = "lossless at temperature 0 only";
    return temperature === 0 ? { kind: "cold", text: `${only}, as here` } : { kind: "lossy", text: `${only}: at T = ${temperature} this text would not follow the target` };
  }
  return { kind: "lossy", text: `NOT lossless: ${rule.goes_wrong || LOSSY[rule.name] || "its text does not follow the target"}` };
}

/** The law of the next token under a rule, in words. `struck` is the drafted token's visible text. */
export function lawWords(name, kind, struck) {
  if (name === "exact_match") return "the target's argmax";
  if (name === "threshold" || name === "typical") return "the target itself";
  if (kind === "bonus") return "the target";
  return name === "sampled_match" ? `the target without “${struck}”` : "the residual";
}

const SURE = {
  exact_match: ["the target's argmax", "not the target's argmax"],
  threshold: ["T ≥ D", "T < D"],
  typical: ["typical enough", "too unlikely"],
};

/** Words in place of a gauge where a rule tosses no coin at a position, else null. @param {string} name @param {number|null} h */
export function sureWords(name, h) {
  if (h === null || h === undefined) return "no coin";
  return SURE[name] && (h === 0 || h === 1) ? SURE[name][h === 1 ? 0 : 1] : null;
}
