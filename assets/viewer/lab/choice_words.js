/** What to use, in words: the draft, γ and rule that should be fastest, how sure that is, and what is as good. No document, and no number of its own. */

import { ruleWords } from "../rule_gallery.js";
import { say } from "../words/parts/lab.js";
import { pieces } from "../words/pieces.js";
import { gain, insideParts } from "./lab_words.js";

const VERDICTS = { faster: "lab.choice.verdict.faster", slower: "lab.choice.verdict.slower", open: "lab.choice.verdict.open", wide: "lab.choice.verdict.wide", alone: "lab.choice.verdict.alone" };

const plain = (x) => Number(x).toFixed(2);
export const times = (x) => `${plain(x)} ×`;
export const whole = (x) => String(x);

/** What is read of a task (null: of the average): its choices, each with its place in the summary. @param {any} summary @param {string|null} task */
export const choicesOf = (summary, task) => (summary.choices || []).map((choice, n) => ({ choice, n })).filter(({ choice }) => choice.setting.task === task);

/** Rules that share a line are one there. @param {string[]} rules */
export const rulesWords = (rules) => rules.map(ruleWords).join(" = ");

/** @param {string[]} rules @param {number} gamma */
const ruleOrRules = (rules, gamma) => (rules.length === 1 ? say("lab.choice.rule", { rule: ruleWords(rules[0]) }) : say("lab.choice.rules", { rules: rulesWords(rules), gamma }));

/**
 * A choice in sentences, as parts of a phrase.
 * @param {{choice: any, n: number}} found @param {any[]} predictions @returns {any[]}
 */
export function choiceParts({ choice, n }, predictions) {
  if (choice.best === null) return [say("lab.choice.none")];
  const line = choice.lines[choice.best], record = predictions[line.prediction], path = `lab:/summary/predictions/${line.prediction}`, from = `lab:/summary/choices/${n}/lines/${choice.best}`;
  const [first, last] = record.nearly_best, others = choice.lines.filter((one) => one.nearly), what = record.even ? "even" : record.loses ? "lost" : "use";
  const said = [pieces(`lab.choice.${what}`, {
    draft: record.setting.draft, gamma: { value: record.best_gamma, path: `${path}/best_gamma`, format: whole }, rules: ruleOrRules(line.rules, record.best_gamma),
    times: { value: record.best_speedup, path: `${path}/best_speedup`, format: plain },
  })];
  if (what === "use" && first < last && record.source === "texts") said.push([say("lab.choice.flat", { first, last })]);
  if (line.speedup) said.push(pieces("lab.choice.measured", {
    gamma: { value: line.gamma, path: `${from}/gamma`, format: whole }, figure: { value: line.speedup.mean, path: `${from}/speedup/mean`, format: plain },
    interval: insideParts(line.speedup, `${from}/speedup`, plain), verdict: say(VERDICTS[line.verdict]),
  }));
  if (line.gain && line.rules.length === 1) said.push(pieces("lab.choice.gain", {
    rule: ruleWords(line.rules[0]), gain: { value: line.gain.mean, path: `${from}/gain/mean`, format: gain }, interval: insideParts(line.gain, `${from}/gain`, gain),
  }));
  if (others.length) said.push([say("lab.choice.nearly", { lines: others.map((one) => lineWords(one, predictions)).join(say("lab.semicolon")) })]);
  return said.reduce((before, after) => pieces("measure.sentences", { first: before, second: after }));
}

/** @param {any} line @param {any[]} predictions */
function lineWords(line, predictions) {
  const { setting, best_gamma: gamma } = predictions[line.prediction];
  return say("lab.choice.line", { draft: setting.draft, gamma, rules: ruleOrRules(line.rules, gamma) });
}
