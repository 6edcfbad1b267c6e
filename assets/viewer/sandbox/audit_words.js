/** An auditor's report (docs/audit.md) in words: parts of running text, a number as {value, path}. No document. */

import { full, number, plural } from "../format.js";

const LETTERS = "ABCDE";

/** A prefix of tokens as the Sandbox writes it: [2, 0] → "CA". @param {number[]} tokens */
export const prefixWords = (tokens) => (tokens.every((token) => token < LETTERS.length) ? tokens.map((token) => LETTERS[token]).join("") : `(${tokens.join(", ")})`);

/** Three digits of however small a number, without an exponent. */
const small = (x) => (x > 0 && x < 1e-6 ? full(Number(x.toPrecision(3))) : number(x));
const figure = (name, x, path, format = small) => ({ value: x, path: `report:${path}`, name, format });

/** The answer, in one sentence. @param {any} report @param {string} rule its name in words */
export function answerOf(report, rule) {
  const where = `${plural(report.worlds.length, "small world")}`;
  if (!report.lossless) return `${rule} is NOT lossless.`;
  return report.verdict === "exact" ? `${rule} is lossless: in ${where} the law of its text is exactly the target's.` : `${rule} looks lossless: in ${where} no difference from the target's law was seen.`;
}

/**
 * What was found, a line each: [label, parts].
 * @param {any} report @returns {[string, any[]][]}
 */
export function factsOf(report) {
  const { worst, nearest, problem_counts: counts, worlds } = report;
  /** @type {[string, any[]][]} */
  const lines = [];
  const rounding = report.verdict === "exact" && report.max_deviation <= report.tolerance;
  const bound = report.verdict === "exact"
    ? [" (tolerance ", figure("tolerance", report.tolerance, "/tolerance"), ")"]
    : [`; ${report.sample_size} texts a world, a probability off by more than `, figure("error bound", report.error_bound, "/error_bound"), " would have been seen"];
  lines.push(["largest deviation", [figure("largest deviation of a prefix’s probability", report.max_deviation, "/max_deviation", rounding ? () => "only rounding" : small), ...bound]]);
  if (!report.lossless && worlds.every((world) => world.lossless)) lines.push(["worst", ["the law of the text is right, but some answers are such as no verifier may give"]]);
  else if (!report.lossless && worst) {
    const got = figure("under this rule", worst.got, "/worst/got"), right = figure("under the target", worst.right, "/worst/right");
    lines.push(["worst prefix", worst.prefix.length
      ? [`the text starts with ${prefixWords(worst.prefix)} with probability `, got, " instead of ", right, ` (world: ${worst.world})`]
      : ["only ", got, ` of the probability has a valid answer (world: ${worst.world})`]]);
  }
  if (nearest) {
    const alike = nearest.name === report.subject ? "recognised:" : nearest.exact ? (report.verdict === "exact" ? "behaves exactly like" : "looks like") : "nearest to";
    const apart = nearest.exact ? [] : [", up to ", figure("largest difference of the laws", nearest.distance, "/nearest/distance")];
    lines.push(["nearest mistake", [`${alike} “${nearest.title}”`, ...apart, `${nearest.issue ? ` (seen in ${nearest.issue})` : ""}. ${nearest.goes_wrong}`]]);
  }
  if (report.lossless_at_temperature_0 !== null) lines.push(["at temperature 0", [report.lossless_at_temperature_0 ? "lossless on one-hot targets" : "not lossless on one-hot targets either"]]);
  for (const kind of Object.keys(counts)) {
    const first = report.problems.find((problem) => problem.kind === kind);
    lines.push([kind, [figure("answers that no verifier may give", counts[kind], `/problem_counts/${kind}`), `${counts[kind] === 1 ? " answer" : " answers"}${first ? `, first: ${first.message}` : ""}`]]);
  }
  for (const note of report.notes) lines.push(["note", [note]]);
  const planned = worlds.length === report.worlds_planned ? "" : ` of ${report.worlds_planned}`;
  lines.push(["looked at", [`${worlds.length}${planned} worlds, ${report.calls.toLocaleString("en")} calls, ${number(report.seconds)} s`]]);
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
