/** An auditor's report (docs/audit.md) in words: parts of running text, a number as {value, path}. No document. */

import { full, many, number } from "../format.js";
import { mistakeWords, ruleTitle } from "../rule_gallery.js";
import { say } from "../words/parts/audit.js";
import { pieces } from "../words/pieces.js";
import { known } from "../words/words.js";
import { titleOf } from "./presets.js";

const LETTERS = "ABCDE";
/** Kinds of worlds whose laws are those of a preset. */
const PRESETS = ["two_symbols", "model_c"];

/** A prefix of tokens as the Sandbox writes it: [2, 0] → "CA". @param {number[]} tokens */
export const prefixWords = (tokens) => (tokens.every((token) => token < LETTERS.length) ? tokens.map((token) => LETTERS[token]).join("") : `(${tokens.join(", ")})`);

/** A world's name, its laws called as in the Sandbox where they have a name there: "model_c V=3 γ=2 #0" → "“Three symbols, by position”, V=3 γ=2 #0". @param {string} name */
export function worldWords(name) {
  const [kind, ...sizes] = name.split(" ");
  return PRESETS.includes(kind) ? say("audit.world.named", { title: titleOf({ name: kind, title: kind }), sizes: sizes.join(" ") }) : name;
}

/** Three digits of however small a number, without an exponent. */
const small = (x) => (x > 0 && x < 1e-6 ? full(Number(x.toPrecision(3))) : number(x));
const figure = (name, x, path, format = small) => ({ value: x, path: `report:${path}`, name, format });

/** The answer, in one sentence. @param {any} report @param {string} rule its name in words */
export function answerOf(report, rule) {
  const how = !report.lossless ? "lossy" : report.up_to_rounding ? "rounding" : report.verdict === "exact" ? "exact" : "sampled";
  return say(`audit.answer.${how}`, { rule, count: report.worlds.length, follows: report.up_to_rounding ? ruleTitle(report.up_to_rounding, report.up_to_rounding) : "" });
}

/** What kind of answer no verifier may give; the record's name of it where the catalogue has none. @param {string} kind */
function problemWords(kind) {
  const name = kind.replace(/[ -]/g, "_");
  return known(`audit.problem.${name}`) ? say(`audit.problem.${name}`) : kind;
}

/** The mistake that a rule is most like, and what goes wrong with that. @param {any} report */
function nearestWords({ nearest, subject, verdict }) {
  const { name, title, issue, exact } = nearest, how = name === subject ? "own" : !exact ? "near" : verdict === "exact" ? "exact" : "alike";
  const mistake = pieces(`audit.mistake.${exact ? (issue ? "seen" : "plain") : issue ? "apart_seen" : "apart"}`, {
    title: ruleTitle(name, title), issue, distance: figure(say("audit.distance"), nearest.distance, "/nearest/distance"),
  });
  return pieces(`audit.nearest.${how}`, { mistake, wrong: mistakeWords(name, nearest.goes_wrong) });
}

/**
 * What was found, a line each: [label, parts].
 * @param {any} report @returns {[string, any[]][]}
 */
export function factsOf(report) {
  const { worst, nearest, problem_counts: counts, worlds } = report;
  /** @type {[string, any[]][]} */
  const lines = [];
  const exact = report.verdict === "exact", rounding = exact && report.max_deviation <= report.tolerance;
  const deviation = figure(say("audit.deviation.name"), report.max_deviation, "/max_deviation", rounding ? () => say("audit.deviation.rounding") : small);
  lines.push([say("audit.deviation"), exact ? pieces("audit.deviation.exact", { deviation, tolerance: figure(say("audit.tolerance"), report.tolerance, "/tolerance") })
    : pieces("audit.deviation.sampled", { deviation, texts: report.sample_size, bound: figure(say("audit.bound"), report.error_bound, "/error_bound") })]);
  if (!report.lossless && worlds.every((world) => world.lossless)) lines.push([say("audit.worst"), [say("audit.worst.answers")]]);
  else if (!report.lossless && worst) {
    const got = figure(say("audit.worst.got"), worst.got, "/worst/got"), right = figure(say("audit.worst.right"), worst.right, "/worst/right");
    lines.push([say("audit.worst.prefix"), worst.prefix.length ? pieces("audit.worst.starts", { prefix: prefixWords(worst.prefix), got, right, world: worldWords(worst.world) }) : pieces("audit.worst.valid", { got, world: worldWords(worst.world) })]);
  }
  if (nearest) lines.push([say("audit.nearest"), nearestWords(report)]);
  if (report.lossless_at_temperature_0 !== null) lines.push([say("audit.cold"), [say(report.lossless_at_temperature_0 ? "audit.cold.yes" : "audit.cold.no")]]);
  for (const kind of Object.keys(counts)) {
    const first = report.problems.find((problem) => problem.kind === kind), answers = figure(say("audit.answers.name"), counts[kind], `/problem_counts/${kind}`);
    lines.push([problemWords(kind), pieces(first ? "audit.answers_first" : "audit.answers", { answers, count: counts[kind], message: first ? first.message : "" })]);
  }
  for (const note of report.notes) lines.push([say("audit.note"), [note]]);
  const looked = { count: worlds.length, planned: report.worlds_planned, calls: many(report.calls), seconds: number(report.seconds) };
  lines.push([say("audit.looked"), [say(worlds.length === report.worlds_planned ? "audit.looked.all" : "audit.looked.some", looked)]]);
  return lines;
}

/**
 * E[τ], averaged over the worlds of each γ: this rule's, the token rule's, the block rule's, the optimum.
 * @param {any[]} worlds @returns {{gamma: number, count: number, means: number[]}[]}
 */
export function expectedOf(worlds) {
  const groups = new Map();
  for (const world of worlds) if (world.gamma && world.vocab_size > 1) groups.set(world.gamma, [...(groups.get(world.gamma) || []), world]);
  return [...groups].sort(([a], [b]) => a - b).map(([gamma, group]) => ({
    gamma, count: group.length,
    means: ["expected", "expected_token", "expected_block", "optimum"].map((name) => group.reduce((sum, world) => sum + world[name], 0) / group.length),
  }));
}
