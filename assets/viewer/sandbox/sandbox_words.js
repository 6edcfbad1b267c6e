/** What the Sandbox's cards and pictures say alike: what a rule is on these laws, its name with its title, the laws in a line. No document. */

import { ruleWords } from "../compare/rule_words.js";
import { number } from "../format.js";
import { EQUAL, isWrong } from "./blocks.js";
import { fraction } from "./simple_fractions.js";

const SHORT = 6; // characters of a decimal that reads as well as a fraction

/** A fraction of the record with the minus sign of all other numbers: "-1/9" → "−1/9". @param {string} exact */
export const minus = (exact) => exact.replace("-", "−");

/** "threshold · Keep while T ≥ D (wrong)". @param {string} name @param {any} rule picture.rules[name] */
export const titled = (name, rule) => `${ruleWords(name)} · ${rule.title}`;

/** Whether anything that a picture can show is not the target's: the γ tokens or the bonus after them. @param {any} rule picture.rules[name] */
export const strays = (rule) => isWrong(rule) || rule.bonus_tv > EQUAL;

/**
 * What a rule is, and what that comes to on the laws of its picture; `harmless`: it may output another law, but does not here.
 * @param {any} rule picture.rules[name] @returns {{kind: "lossless"|"lossy"|"harmless", text: string}}
 */
export function kindWords(rule) {
  if (rule.lossless === "always") return { kind: "lossless", text: rule.remembers ? "lossless, remembers" : "lossless" };
  const what = rule.mistake ? "a mistake" : rule.lossless === "temperature_0" ? "lossless only at temperature 0" : "lossy";
  if (strays(rule)) return { kind: "lossy", text: what };
  return { kind: "harmless", text: `${what}; ${rule.unseen ? "no law shows it" : "outputs the target here"}` };
}

/** A probability as one would type it: "0.25", "1/3", else three digits. @param {number} x */
const typed = (x) => (String(x).length <= SHORT ? String(x) : fraction(x) || number(x));

/** "2/3, 1/3". @param {number[]} law */
export const lawWords = (law) => law.map(typed).join(", ");

/** The laws of a picture in one line, for what is saved of it; of laws by prefix the first alone. @param {any} picture */
export function lawsWords({ levels, context, gamma }) {
  const words = (level) => ({ free: () => lawWords(level[0][0]), position: () => level.map((rows) => lawWords(rows[0])).join(" | "), prefix: () => `${lawWords(level[0][0])}${gamma > 1 ? " …" : ""}` })[context]();
  const by = context === "position" && gamma > 1 ? ", by position" : context === "prefix" && gamma > 1 ? ", at first; then by prefix" : "";
  return `γ = ${gamma}, D = ${words(levels.draft)}; T = ${words(levels.target)}${by}.`;
}
