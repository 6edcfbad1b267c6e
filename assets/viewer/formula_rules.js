/** The lines that differ from rule to rule: weight, threshold, what a coin decided, and the law of τ. See formula_book.js. */

import { decide } from "./derive.js";
import { numeric, sub } from "./format.js";
import { say } from "./words/parts/step_formulas.js";
import { pieces } from "./words/pieces.js";

const H = (i) => `h${sub(i)}`, W = (i) => `w${sub(i)}`, R = (i) => `R${sub(i)}`;

/** w_i from the weight before it. */
export function weightLines(c, i) {
  if (i <= 0) return [[say("formula.weight.empty")]];
  const r = c.ratio(i), before = c.weight(i - 1), result = c.weight(i);
  if (c.rule === "token") return [[`${W(i)} = ${W(i - 1)}·min(1, r${sub(i)}) = `, before, "·min(1, ", r, ") = ", result]];
  if (c.rule === "greedy_block") return [[`${R(i)} = ${R(i - 1)}·${c.target(i - 1) === "T" ? `r${sub(i)}` : `T̃(x${sub(i)})/D(x${sub(i)})`} = `, c.scale(i - 1), "·", c.step(i), " = ", c.scale(i)], [`${W(i)} = min(1, ${R(i)}) = `, result]];
  if (c.rule === "block") return [[`${W(i)} = min(1, ${W(i - 1)}·r${sub(i)}) = min(1, `, before, "·", r, ") = ", result]];
  return [[`${W(i)} = P(τ ≥ ${i} │ x${sup(i)}) = `, result]];
}

/** h_i and what it is made of. */
export function thresholdLines(c, i) {
  const h = c.accept(i), A = `A${sub(i)}`;
  if (c.rule === "token") return [[`${H(i)} = min(1, r${sub(i)}) = min(1, `, c.ratio(i), ") = ", h]];
  if (c.rule === "block") {
    if (i === c.gamma) return [...weightLines(c, i), [`${H(i)} = ${W(i)} = `, h]];
    const empty = numeric(c.sum(i, "residual").x) === 0 && numeric(c.weight(i).x) === 1;
    if (empty) return [...weightLines(c, i), [`${A} = Σᵥ (${W(i)}T − D)₊ = `, c.sum(i, "residual")], pieces("formula.counts_as", { formula: `${H(i)} = ${A}/(${A}+1−${W(i)})`, value: h })];
    return [...weightLines(c, i), [`${A} = Σᵥ (${W(i)}T − D)₊ = `, c.sum(i, "residual")], [`${H(i)} = ${A}/(${A}+1−${W(i)}) = `, c.sum(i, "residual"), "/(", c.sum(i, "residual"), "+1−", c.weight(i), ") = ", h]];
  }
  if (c.rule === "greedy_block") {
    const lines = weightLines(c, i).slice(0, 1);
    if (i === c.gamma) return [...lines, [`${H(i)} = min(1, ${R(i)}) = min(1, `, c.scale(i), ") = ", h]];
    if (numeric(c.sum(i, "excess").x) === 0) return [...lines, pieces("formula.no_excess", { formula: `${H(i)} = min(1, Σᵥ (${R(i)}${c.target(i)} − D)₊ / Σᵥ (D − ${R(i)}${c.target(i)})₊)`, value: h })];
    return [...lines, [`${H(i)} = min(1, Σᵥ (${R(i)}${c.target(i)} − D)₊ / Σᵥ (D − ${R(i)}${c.target(i)})₊) = min(1, `, c.sum(i, "residual"), " / ", c.sum(i, "excess"), ") = ", h]];
  }
  if (c.rule === "sampled_match") return [[`${H(i)} = T(${c.drafted(i)}) = `, h]];
  return [[`${H(i)} = `, h]];
}

/** What η_i decided, as far as the phase shows it. */
export function coinLines(c, i) {
  const { view, verdict } = c;
  if (!view.revealed.cut || view.predicting) return [];
  const uniforms = view.whatIf ? view.whatIf.uniforms : c.block.uniforms.verify;
  const { accepted, decidedBy } = decide(verdict, uniforms);
  const passed = uniforms[i - 1] < numeric(verdict.accept_prob[i - 1]);
  const backwards = verdict.order === "right_to_left";
  const outcome = backwards ? (i < accepted ? "survived" : passed ? "prefix_kept" : i > 1 ? "prefix_fails" : "no_prefix")
    : decidedBy !== null && i > decidedBy ? "unneeded" : passed ? "token_kept" : "token_rejected";
  return [pieces(view.whatIf ? "formula.decided_what_if" : "formula.decided", {
    coin: [`η${sub(i)} = `, c.uniform(i), ` ${passed ? "<" : "≥"} ${H(i)} = `, c.accept(i)],
    outcome: say(`formula.outcome.${outcome}`, { i, next: i - 1, kept: accepted, decided: decidedBy ?? 0 }),
  })];
}

/** P(τ = i) as the product of the coins that have to fall that way. */
export function lengthLaw(c, i) {
  const result = c.bit(c.verdict.length_law[i], `${c.own}/length_law/${i}`), gamma = c.gamma;
  if (!c.verdict.accept_prob) return [[`P(τ = ${i}) = `, result]];
  const backwards = c.verdict.order === "right_to_left";
  const wins = [], loses = [];
  if (backwards) {
    if (i > 0) wins.push(i);
    for (let j = i + 1; j <= gamma; j++) loses.push(j);
  } else {
    for (let j = 1; j <= i; j++) wins.push(j);
    if (i < gamma) loses.push(i + 1);
  }
  const names = [...wins.map(H), ...loses.map((j) => `(1−${H(j)})`)].join("·") || "1";
  const figures = [...wins.map((j) => [c.accept(j)]), ...loses.map((j) => ["(1−", c.accept(j), ")"])].flatMap((bits, n) => (n ? ["·", ...bits] : bits));
  if (wins.length + loses.length === 1 && wins.length) return [[`P(τ = ${i}) = ${names} = `, result]];
  return [[`P(τ = ${i}) = ${names} = `, ...(figures.length ? figures : ["1"]), " = ", result]];
}

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const sup = (n) => String(n).replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)]);
