/**
 * Every formula behind a number, with this step's numbers put in. Pure: a formula is lines of text and numbers.
 * Sums over v run over the whole vocabulary and are read from the trace; they are never sums of the shown tokens.
 *
 * @typedef {string | {x: number|string, path: string, format?: (x: any) => string}} Bit
 * @typedef {{title: string, lines: Bit[][], words?: string, rows: number[]}} Formula rows: positions (row numbers) it belongs to; [] the block
 */

import { expectedLength, part, rowsOf, tokensOf } from "./derive.js";
import { number, numeric, pieceText, sub } from "./format.js";
import { coinLines, lengthLaw, thresholdLines, weightLines } from "./formula_rules.js";
import { ruleWords } from "./rule_names.js";
import { say } from "./words/parts/step_formulas.js";
import { pieces } from "./words/pieces.js";

/** What the builders share: the records, their pointers, and names of things. */
export function contextOf(view, rule = view.rule) {
  const { block, blockIndex } = view, verdict = block.verdicts[rule];
  const base = `/blocks/${blockIndex}`, own = `${base}/verdicts/${rule}`, rows = rowsOf(block);
  const bit = (x, path) => ({ x, path });
  const derived = (x, name) => bit(x, `derived:${name}`);
  return {
    view, block, verdict, rule, rows, gamma: block.gamma, bit, derived, base, own,
    word: (id) => (id === "rest" ? say("formula.others") : pieceText(view.pieces(id))),
    drafted: (i) => pieceText(view.pieces(tokensOf(block)[i - 1])),
    ratio: (i) => bit(rows[i - 1].ratio, `${base}/paths/0/rows/${i - 1}/ratio`),
    weight: (i) => bit(verdict.prefix_weight[i], `${own}/prefix_weight/${i}`),
    accept: (i) => bit(verdict.accept_prob[i - 1], `${own}/accept_prob/${i - 1}`),
    scale: (i) => bit(verdict.residual_scale[i], `${own}/residual_scale/${i}`),
    /** T̃ where the rule works with a modified target, else T. */
    target: (row) => (verdict.effective_target && verdict.effective_target[row] ? "T̃" : "T"),
    /** The drafted token's ratio under the law that the rule works with. */
    step: (i) => (verdict.effective_target && verdict.effective_target[i - 1] ? derived(numeric(verdict.effective_target[i - 1].drafted) / numeric(rows[i - 1].draft), "modified_ratio") : bit(rows[i - 1].ratio, `${base}/paths/0/rows/${i - 1}/ratio`)),
    sum: (i, name) => bit(verdict.rows[i][name], `${own}/rows/${i}/${name}`),
    uniform: (i) => (view.whatIf ? derived(view.whatIf.uniforms[i - 1], "what_if_uniform") : bit(block.uniforms.verify[i - 1], `${base}/uniforms/verify/${i - 1}`)),
    part: (i) => part(block, verdict, i),
    /** s in the rule's own words at row i, e.g. "w₃"; "" where it is 1 by definition. */
    factor: (i) => (rule === "token" ? "" : (rule === "block" ? "w" : rule === "greedy_block" ? "R" : "s") + sub(i)),
    coinName: (i) => (verdict.order === "right_to_left" && i > 0 ? `h${sub(i)}` : "1"),
  };
}

/** Masses of one token (or "rest", or null for the whole vocabulary) in a row, as numbers with pointers. */
function masses(c, row, token) {
  const p = c.part(row), v = token === null || token === "rest" ? -1 : p.ids.indexOf(token);
  const own = c.verdict.effective_target ? c.verdict.effective_target[row] : null;
  const shown = (side) => side === "target" && own ? c.bit(v < 0 ? p.rest.target : p.target[v], v < 0 ? `${c.own}/effective_target/${row}/rest` : `${c.own}/effective_target/${row}/shown/${v}`) : c.bit(v < 0 ? p.rest[side] : p[side][v], v < 0 ? `${c.base}/paths/0/rows/${row}/rest/${side}` : `${c.base}/paths/0/rows/${row}/shown/${side}/${v}`);
  const mass = (name) => (v < 0 ? c.bit(p.rest[name], `${c.own}/rows/${row}/rest_${name}`) : c.derived(p[name][v], name));
  const other = (name) => c.derived(v < 0 ? p.rest[name] : p[name][v], name);
  return { p, listed: v >= 0, D: shown("draft"), T: shown("target"), mass, other };
}

const SYMBOLS = {
  overlap: (sT) => `min(D, ${sT})`,
  residual: (sT) => `(${sT} − D)₊`,
  excess: (sT) => `(D − ${sT})₊`,
};

function massFormula(kind) {
  return (c, { row, token = null }) => {
    const s = c.factor(row), T = c.target(row), symbol = SYMBOLS[kind];
    const sigma = kind === "residual" && c.verdict.order === "right_to_left" && row > 0 ? `A${sub(row)} = ` : "";
    const whole = [`${sigma}Σᵥ ${symbol(s + T)} = `, c.sum(row, kind)];
    if (token === null) return { title: say(`formula.${kind}.position`, { position: row + 1 }), rows: [row], lines: [whole], words: say("formula.summed") };
    const m = masses(c, row, token), word = c.word(token), result = m.mass(kind);
    if (!m.listed) return { title: say(`formula.${kind}.rest`), rows: [row], lines: [[say("formula.sum_others", { count: m.p.rest.count, mass: symbol(s + T) }), result], whole], words: say("formula.summed_rest") };
    const sT = s ? [c.scale(row), " · ", m.T] : [m.T];
    const inner = kind === "overlap" ? ["min(", m.D, ", ", ...sT, ")"] : kind === "residual" ? ["(", ...sT, " − ", m.D, ")₊"] : ["(", m.D, " − ", ...sT, ")₊"];
    return { title: say(`formula.${kind}.token`, { token: word }), rows: [row], lines: [[`${symbol("\u0000").replaceAll("D", `D(${word})`).replaceAll("\u0000", `${s}${T}(${word})`)} = `, ...inner, " = ", result], whole] };
  };
}

/** name → (context, args) → Formula. Args: i = a prefix length or drafted token 1…γ; row = 0…γ; token = id, "rest" or null. */
export const BOOK = {
  ratio: (c, { i }) => {
    const base = `${c.base}/paths/0/rows/${i - 1}`, row = c.rows[i - 1], x = c.drafted(i);
    return { title: say("formula.ratio", { i }), rows: [i - 1], lines: [[`r${sub(i)} = T(${x}) / D(${x}) = `, c.bit(row.target, `${base}/target`), " / ", c.bit(row.draft, `${base}/draft`), " = ", c.ratio(i)]], words: say("formula.ratio.words") };
  },
  prefix_weight: (c, { i }) => ({ title: say("formula.weight", { i }), rows: [i - 1, i], lines: weightLines(c, i), words: say("formula.weight.words") }),
  accept_prob: (c, { i }) => ({ title: say(c.verdict.order === "right_to_left" ? "formula.threshold_prefix" : "formula.threshold_token", { i }), rows: [i - 1, i], lines: [...thresholdLines(c, i), ...coinLines(c, i)], words: i === (c.verdict.order === "right_to_left" ? c.gamma : 1) ? say("formula.coin.first") : c.verdict.order === "right_to_left" ? say("formula.coin.prefix") : say("formula.coin.token") }),
  overlap: massFormula("overlap"), residual: massFormula("residual"), excess: massFormula("excess"),
  draft: (c, { row, token }) => ({ title: say("formula.draft", { token: c.word(token) }), rows: [row], lines: [[`D(${c.word(token)}) = `, masses(c, row, token).D]], words: say("formula.draft.words") }),
  scaled: (c, { row, token }) => {
    const m = masses(c, row, token), s = c.part(row).coupled ? c.factor(row) : "", word = c.word(token);
    return { title: say("formula.scaled", { token: word }), rows: [row], lines: [s ? [`${s}${c.target(row)}(${word}) = `, c.scale(row), " · ", m.T, " = ", m.other("scaled")] : [`${c.target(row)}(${word}) = `, m.T]], words: say(s ? "formula.scaled.words" : "formula.target.words") };
  },
  next_law: (c, { row, token }) => {
    const m = masses(c, row, token), word = c.word(token), law = m.other("law");
    if (!c.part(row).coupled || m.p.total.residual <= 0) return { title: say("formula.next", { token: word }), rows: [row], lines: [[`P(Y = ${word} │ τ = ${row}) = ${c.target(row)}(${word}) = `, law]], words: say(!m.p.bonus ? "formula.next.empty" : m.p.tilde ? "formula.next.bonus_modified" : "formula.next.bonus") };
    return { title: say("formula.correction", { token: word }), rows: [row], lines: [[`P(Y = ${word} │ τ = ${row}) = (${c.factor(row)}${c.target(row)}(${word}) − D(${word}))₊ / Σᵥ (${c.factor(row)}${c.target(row)} − D)₊ = `, m.mass("residual"), " / ", c.sum(row, "residual"), " = ", law]], words: say("formula.correction.words") };
  },
  coupling: (c, { row, from, to }) => {
    const a = masses(c, row, from), b = masses(c, row, to), h = c.derived(a.p.coin, "coin"), s = c.factor(row) + c.target(row), at = (id) => `${s}(${c.word(id)})`;
    const spread = a.p.total.residual > 0 ? (a.p.coin * a.mass("excess").x * b.mass("residual").x) / a.p.total.residual : 0;
    const moved = a.p.total.residual <= 0 ? pieces("formula.no_correction", { formula: [`Σᵥ (${s} − D)₊ = `, c.sum(row, "residual")] }) : [`${c.coinName(row)} · (D(${c.word(from)}) − ${at(from)})₊ · (${at(to)} − D(${c.word(to)}))₊ / Σᵥ (${s} − D)₊ = `, h, " · ", a.mass("excess"), " · ", b.mass("residual"), " / ", c.sum(row, "residual"), " = ", c.derived(spread, "coupling_corrected")];
    const kept = [`Σ min(D, ${s}) = `, a.mass("overlap")];
    if (from !== to) return { title: say("formula.coupling", { from: c.word(from), to: c.word(to) }), rows: [row], lines: [moved] };
    if (from !== "rest") return massFormula("overlap")(c, { row, token: from });
    return { title: say("formula.among"), rows: [row], lines: [pieces("formula.among.kept", { formula: kept }), pieces("formula.among.corrected", { formula: moved })] };
  },
  column: (c, { row, token }) => {
    const m = masses(c, row, token), kept = m.mass("overlap"), arrives = m.other("corrected"), s = c.factor(row) + c.target(row), fits = m.p.scale <= 1;
    return { title: say("formula.column", { token: c.word(token) }), rows: [row], lines: [[say("formula.column.sum"), kept, " + ", arrives, " = ", c.derived(kept.x + arrives.x, "emitted"), ...(fits ? [` = ${s}(${c.word(token)})`] : [])]], words: say(fits ? "formula.column.words" : "formula.column.short") };
  },
  corrected: (c, { row }) => {
    const p = c.part(row);
    return { title: say("formula.corrected", { position: row + 1 }), rows: [row], lines: [[`${c.coinName(row)} · Σᵥ (D − ${c.factor(row)}${c.target(row)})₊ = `, c.derived(p.coin, "coin"), " · ", c.sum(row, "excess"), " = ", c.derived(p.total.corrected, "corrected_mass")]], words: say("formula.corrected.words") };
  },
  stopped: (c, { row }) => {
    const p = c.part(row);
    return { title: say("formula.stopped"), rows: [row], lines: [[`(1 − ${c.coinName(row)}) · Σᵥ (D − ${c.factor(row)}${c.target(row)})₊ = (1 − `, c.derived(p.coin, "coin"), ") · ", c.sum(row, "excess"), " = ", c.derived(p.total.stopped, "stopped_mass")], ["1 − min(1, s) = 1 − min(1, ", c.scale(row), ") = ", c.derived(1 - Math.min(1, p.scale), "one_minus_scale")]] };
  },
  length_law: (c, { i }) => ({ title: say("formula.length_law", { i, rule: ruleWords(c.rule) }), rows: [], lines: lengthLaw(c, i), words: say("formula.length_law.words") }),
  expected_accepted: (c) => {
    const law = c.verdict.length_law, terms = law.flatMap((p, i) => (i === 0 ? [] : [i > 1 ? " + " : "", `${i}·`, c.bit(p, `${c.own}/length_law/${i}`)]));
    return { title: say("formula.expected", { rule: ruleWords(c.rule) }), rows: [], lines: [["E[τ│block] = Σᵢ i·P(τ = i) = ", ...(terms.length ? terms : ["0"]), " = ", c.bit(c.verdict.expected_accepted ?? expectedLength(law), `${c.own}/expected_accepted`)]], words: say("formula.expected.words") };
  },
  tv: (c, { row }) => ({ title: say("formula.tv", { position: row + 1 }), rows: [row], lines: [["TV(D, T) = ½ Σᵥ │D − T│ = ", c.bit(c.rows[row].tv, `${c.base}/paths/0/rows/${row}/tv`)], ["Σᵥ min(D, T) = 1 − TV = ", c.derived(1 - numeric(c.rows[row].tv), "one_minus_tv")]], words: say("formula.tv.words") }),
  entropy: (c, { row }) => {
    const base = `${c.base}/paths/0/rows/${row}`, r = c.rows[row];
    const lines = [["H(T) = −Σᵥ T ln T = ", c.bit(r.target_entropy, `${base}/target_entropy`), " nats"]];
    if (r.draft_entropy !== null) lines.unshift(["H(D) = −Σᵥ D ln D = ", c.bit(r.draft_entropy, `${base}/draft_entropy`), " nats"]);
    return { title: say("formula.entropy", { position: row + 1 }), rows: [row], lines };
  },
};
BOOK.uniform = BOOK.accept_prob;
BOOK.target = BOOK.scaled;

/** A formula by name, or null where the rule or the row has no such number. @returns {Formula|null} */
export function formula(view, name, args = {}) {
  if (!view.block || !BOOK[name]) return null;
  const c = contextOf(view, args.rule && view.block.verdicts[args.rule] ? args.rule : view.rule);
  const i = args.i ?? (args.position ?? view.position) + 1, row = args.row ?? args.position ?? view.position;
  try {
    return BOOK[name](c, { ...args, i, row });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // a null in the trace: this rule has no such field here
    return null;
  }
}

/** A line as plain text. @param {Bit[]} line */
export const lineText = (line) => line.map((bit) => (typeof bit === "string" ? bit : (bit.format || number)(bit.x))).join("");
