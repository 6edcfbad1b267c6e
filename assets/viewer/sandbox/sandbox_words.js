/** What the Sandbox's cards and pictures say alike: what a rule is on these laws, its name with its title, the laws in a line. No document. */

import { number } from "../format.js";
import { ruleTitle, ruleWords } from "../rule_gallery.js";
import { say } from "../words/parts/sandbox.js";
import { EQUAL, isWrong } from "./blocks.js";
import { fraction } from "./simple_fractions.js";

const SHORT = 6; // characters of a decimal that reads as well as a fraction

/** A fraction of the record with the minus sign of all other numbers: "-1/9" → "−1/9". @param {string} exact */
export const minus = (exact) => exact.replace("-", "−");

/** "threshold · Keep while T ≥ D (wrong)"; once where both say the same. @param {string} name @param {any} rule picture.rules[name] */
export function titled(name, rule) {
  const words = ruleWords(name), title = ruleTitle(name, rule.title);
  return words.toLowerCase() === title.toLowerCase() ? title : `${words} · ${title}`;
}

/** Whether anything that a picture can show is not the target's: the γ tokens or the bonus after them. @param {any} rule picture.rules[name] */
export const strays = (rule) => isWrong(rule) || rule.bonus_tv > EQUAL;

/**
 * What a rule is, and what that comes to on the laws of its picture; `harmless`: it may output another law, but does not here.
 * @param {any} rule picture.rules[name] @returns {{kind: "lossless"|"lossy"|"harmless", text: string}}
 */
export function kindWords(rule) {
  if (rule.lossless === "always") return { kind: "lossless", text: say(rule.remembers ? "sandbox.kind.remembers" : "sandbox.kind.lossless") };
  const what = rule.mistake ? "mistake" : rule.lossless === "temperature_0" ? "cold" : "lossy";
  if (strays(rule)) return { kind: "lossy", text: say(`sandbox.kind.${what}`) };
  return { kind: "harmless", text: say(rule.unseen ? "sandbox.kind.mistake_unseen" : `sandbox.kind.${what}_here`) };
}

/** A probability as one would type it: "0.25", "1/3", else three digits. @param {number} x */
const typed = (x) => (String(x).length <= SHORT ? String(x) : fraction(x) || number(x));

/** "2/3, 1/3". @param {number[]} law */
export const lawWords = (law) => law.map(typed).join(", ");

/** The laws of a picture in one line, for what is saved of it; of laws by prefix the first alone. @param {any} picture */
export function lawsWords({ levels, context, gamma }) {
  const words = (level) => ({ free: () => lawWords(level[0][0]), position: () => level.map((rows) => lawWords(rows[0])).join(" | "), prefix: () => `${lawWords(level[0][0])}${gamma > 1 ? " …" : ""}` })[context]();
  return say(`sandbox.line.${context === "free" || gamma === 1 ? "all" : context}`, { gamma, draft: words(levels.draft), target: words(levels.target) });
}
