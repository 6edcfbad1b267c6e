/**
 * The few numbers that a trace leaves to the browser: masses and coupling cells of one row under one rule, and
 * verdicts for other uniforms. Pure functions on plain records (docs/trace.md); no document, no formatting.
 *
 * Sums over the whole vocabulary are never recomputed from the shown tokens: they come from `verdict.rows`.
 */

import { numeric } from "./format.js";

/** The drafted path's rows. @param {object} block */
export const rowsOf = (block) => block.paths[0].rows;

/** The drafted tokens x₁…x_γ. @param {object} block */
export const tokensOf = (block) => block.paths[0].tokens;

/** Whether a rule with memory was inside its modified window when it decided the block. @param {object} block */
export const inWindow = (block) => Boolean(block.memory && Object.keys(block.memory).length);

/** The rules whose verdicts a block carries, in the trace's order; a rule that joined later comes last. @param {object} trace @param {object} block */
export const rulesOf = (trace, block) => [...new Set([...trace.verifiers, ...Object.keys(block.verdicts)])].filter((rule) => Object.hasOwn(block.verdicts, rule));

/** s, the factor on T in row i's residual; NaN where the rule has none. */
export const scaleAt = (verdict, i) => (verdict.residual_scale ? numeric(verdict.residual_scale[i]) : NaN);

/**
 * How many of the τ + 1 gained tokens reach the text under a verdict: cut at the length limit and after an end-of-text token.
 * For the rule that decided the block it is `shown_tokens`.
 */
export function joining(trace, block, verdict) {
  if (verdict === block.verdicts[block.verifier]) return block.shown_tokens;
  const room = trace.settings.max_new_tokens - (block.start - trace.prompt.ids.length);
  const ends = trace.settings.eos_token_ids || trace.pair.eos_token_ids || [];
  const gained = [...block.paths[0].tokens.slice(0, verdict.accepted), verdict.next_token].slice(0, room > 0 ? room : undefined);
  const end = gained.findIndex((id) => ends.includes(id));
  return end < 0 ? gained.length : end + 1;
}

/** h, the threshold of prefix i: the probability that the correction is made here, given that it gets here. */
export function coinAt(verdict, i) {
  if (verdict.order !== "right_to_left" || i === 0) return 1;
  return verdict.accept_prob ? numeric(verdict.accept_prob[i - 1]) : NaN;
}

const FAINT = 1e-5; // a residual of which eight digits of the laws leave few
const REST = ["draft", "target", "scaled", "overlap", "residual", "excess", "corrected", "stopped", "law"];
const cache = new WeakMap();

/** The trace keeps eight digits of a shown probability: a smaller difference of D and s·T is rounding, not a residual. */
const ROUNDING = 2e-8;

/**
 * @typedef {object} Part masses of one row under one rule, token by token; `rest` holds the same sums over tokens not listed
 * @property {number} index row i = laws after the prefix x^i
 * @property {boolean} bonus the last row: no draft, Y ~ T
 * @property {boolean} coupled the rule has a residual here, so that masses and a coupling exist
 * @property {boolean} tilde the rule works with a modified target T̃ here (a rule with memory): all masses, `target` too, are T̃'s
 * @property {boolean} modified the rule's sums do not belong to the laws shown (a trace that does not list T̃): then nothing is coupled
 * @property {number} scale s  @property {number} coin h
 * @property {number[]} ids listed tokens  @property {Float64Array} draft D  @property {Float64Array} target T
 * @property {Float64Array} scaled s·T  @property {Float64Array} overlap min(D, sT)  @property {Float64Array} residual (sT − D)₊
 * @property {Float64Array} excess (D − sT)₊  @property {Float64Array} corrected mass emitted as a correction to this token
 * @property {Float64Array} stopped mass drafted here and stopped at an earlier prefix
 * @property {Float64Array} law the law of Y, if τ = i
 * @property {{count: number, draft: number, target: number, scaled: number, overlap: number, residual: number, excess: number, corrected: number, stopped: number, law: number}} rest
 * @property {{overlap: number, residual: number, excess: number, corrected: number, stopped: number}} total over the whole vocabulary
 */

/** Row i of a block under a verdict. Cached: a trace does not change. @returns {Part} */
export function part(block, verdict, i) {
  let known = cache.get(verdict);
  if (!known) cache.set(verdict, (known = []));
  return known[i] || (known[i] = makePart(rowsOf(block)[i], verdict, i));
}

/** @param {object} row @param {object} verdict @param {number} i @returns {Part} */
export function makePart(row, verdict, i) {
  const made = massesOf(row, verdict, i, verdict.rows ? verdict.rows[i] : null);
  if (!made.coupled) return made;
  // Rather no picture than one whose parts do not add up to the sums beside it.
  const shown = made.overlap.reduce((sum, x) => sum + x, made.rest.overlap);
  return Math.abs(shown - made.total.overlap) < 1e-6 ? made : { ...massesOf(row, verdict, i, null), modified: true };
}

function massesOf(row, verdict, i, sums) {
  const n = row.shown.ids.length;
  const bonus = row.shown.draft === null;
  const coupled = !bonus && Boolean(sums);
  const scale = bonus ? 1 : scaleAt(verdict, i);
  const coin = bonus ? 1 : coinAt(verdict, i);
  const own = verdict.effective_target ? verdict.effective_target[i] : null;
  const away = 1 - coin < 1e-12 ? 0 : 1 - coin; // a coin of 1 up to rounding stops nothing
  const array = () => new Float64Array(n);
  const out = {
    index: i, bonus, coupled, tilde: Boolean(own), modified: false, scale, coin, ids: row.shown.ids, draft: array(), target: array(), scaled: array(), overlap: array(),
    residual: array(), excess: array(), corrected: array(), stopped: array(), law: array(), rest: { count: row.rest.count }, total: {},
  };
  for (let v = 0; v < n; v++) {
    const target = (out.target[v] = numeric(own ? own.shown[v] : row.shown.target[v]));
    const draft = (out.draft[v] = bonus ? 0 : numeric(row.shown.draft[v]));
    const scaled = (out.scaled[v] = target === 0 ? 0 : scale * target); // s may be infinite
    out.overlap[v] = Math.min(draft, scaled);
    const gap = Math.abs(scaled - draft) <= ROUNDING * draft ? 0 : scaled - draft;
    out.residual[v] = Math.max(gap, 0);
    out.excess[v] = Math.max(-gap, 0);
  }
  const rest = out.rest;
  rest.target = numeric(own ? own.rest : row.rest.target);
  rest.draft = bonus ? 0 : numeric(row.rest.draft);
  rest.scaled = rest.target === 0 ? 0 : scale * rest.target;
  for (const name of ["overlap", "residual", "excess"]) {
    rest[name] = coupled ? numeric(sums["rest_" + name]) : 0;
    out.total[name] = coupled ? numeric(sums[name]) : 0;
  }
  // A share of the excess becomes corrections; s ≤ 1 makes this share times the excess equal to the residual.
  const { residual, excess } = out.total;
  const moved = coupled && residual > 0 ? (coin * excess) / residual : 0;
  // Of a residual as small as a trace's digits the parts may exceed the exact sum; no share of a law exceeds 1.
  const held = out.residual.reduce((sum, x) => sum + x, rest.residual), whole = residual < FAINT ? Math.max(residual, held) : residual;
  for (let v = 0; v < n; v++) {
    out.corrected[v] = moved * out.residual[v];
    out.stopped[v] = coupled ? away * out.excess[v] : 0;
    // D = T leaves no residual: the correction then has probability 0 and the rules fall back on T.
    out.law[v] = coupled && residual > 0 ? out.residual[v] / whole : out.target[v];
  }
  rest.corrected = moved * rest.residual;
  rest.stopped = away * rest.excess;
  rest.law = coupled && residual > 0 ? rest.residual / whole : rest.target;
  out.total.corrected = coupled && residual > 0 ? coin * excess : 0;
  out.total.stopped = coupled ? away * excess : 0;
  return out;
}

/**
 * The same row with only some tokens listed; the others join the rest.
 * @param {Part} whole @param {number[]} ids in the order wanted, each listed in `whole` @returns {Part}
 */
export function fold(whole, ids) {
  const places = ids.map((id) => whole.ids.indexOf(id));
  const out = { ...whole, ids, rest: { ...whole.rest } };
  const listed = new Set(places);
  for (const name of REST) {
    out[name] = Float64Array.from(places, (place) => whole[name][place]);
    for (let v = 0; v < whole.ids.length; v++) if (!listed.has(v)) out.rest[name] += whole[name][v];
  }
  out.rest.count = whole.rest.count + whole.ids.length - ids.length;
  return out;
}

/**
 * The coupling at one position: rows the token drafted, columns the token emitted. The last row and column are the
 * tokens not listed, taken together: their cell holds what is kept and what moves among them.
 * @param {Part} p
 * @returns {{cells: Float64Array[], stopped: Float64Array, rowSums: Float64Array, columnSums: Float64Array, stoppedSum: number, restKept: number, restMoved: number}}
 */
export function coupling(p) {
  const n = p.ids.length + 1;
  const get = (name, v) => (v < n - 1 ? p[name][v] : p.rest[name]);
  const cells = [];
  const stopped = new Float64Array(n);
  const rowSums = new Float64Array(n);
  const columnSums = new Float64Array(n);
  const moved = p.total.residual > 0 ? p.coin / p.total.residual : 0;
  let stoppedSum = 0;
  for (let v = 0; v < n; v++) {
    const row = new Float64Array(n);
    const excess = get("excess", v);
    for (let y = 0; y < n; y++) {
      row[y] = moved * excess * get("residual", y) + (v === y ? get("overlap", v) : 0);
      rowSums[v] += row[y];
      columnSums[y] += row[y];
    }
    stopped[v] = get("stopped", v);
    rowSums[v] += stopped[v];
    stoppedSum += stopped[v];
    cells.push(row);
  }
  return { cells, stopped, rowSums, columnSums, stoppedSum, restKept: p.rest.overlap, restMoved: moved * p.rest.excess * p.rest.residual };
}

/**
 * What a rule decides on other uniforms; the laws stay as they are.
 * @param {{order: string, accept_prob: number[]|null, accepted: number}} verdict
 * @param {number[]} uniforms η₁…η_γ (more are ignored)
 * @returns {{accepted: number, decidedBy: number|null, tried: number}} decidedBy: the position (1…γ) whose coin set τ, null where none
 *   did (right to left: none succeeded; left to right: none failed); tried: how many coins were looked at
 */
export function decide(verdict, uniforms) {
  const h = verdict.accept_prob;
  if (!h) return { accepted: verdict.accepted, decidedBy: null, tried: 0 };
  const gamma = h.length;
  if (verdict.order === "right_to_left") {
    for (let i = gamma; i >= 1; i--) if (uniforms[i - 1] < numeric(h[i - 1])) return { accepted: i, decidedBy: i, tried: gamma - i + 1 };
    return { accepted: 0, decidedBy: null, tried: gamma };
  }
  for (let i = 1; i <= gamma; i++) if (!(uniforms[i - 1] < numeric(h[i - 1]))) return { accepted: i - 1, decidedBy: i, tried: i };
  return { accepted: gamma, decidedBy: null, tried: gamma };
}

/** min(1, r) of every drafted token: the probability of passing its own test, the token rule's. */
export const ownProbabilities = (block) => tokensOf(block).map((_, i) => Math.min(1, numeric(rowsOf(block)[i].ratio)));

/**
 * What becomes of each drafted token.
 * @returns {{role: "carried"|"rescued"|"decides"|"struck"|"unneeded", coin: "passed"|"failed"|"not needed", decides: boolean, ownTest: boolean}[]}
 *   kept tokens are carried (their own test passed), rescued (it failed) or, at τ under a right-to-left rule, decide;
 *   dropped ones are struck, or unneeded where a left-to-right rule never looked at them. `decides` marks the coin that set τ.
 */
export function roles(block, verdict, uniforms = block.uniforms.verify) {
  const { accepted, decidedBy } = decide(verdict, uniforms);
  const backwards = verdict.order === "right_to_left";
  return ownProbabilities(block).map((own, index) => {
    const i = index + 1;
    const ownTest = uniforms[index] < own;
    const decides = i === decidedBy;
    let role, coin;
    if (backwards) {
      role = i > accepted ? "struck" : decides ? "decides" : ownTest ? "carried" : "rescued";
      coin = i > accepted ? "failed" : decides ? "passed" : "not needed";
    } else {
      role = i <= accepted ? "carried" : i === accepted + 1 ? "struck" : "unneeded";
      coin = i <= accepted ? "passed" : i === accepted + 1 ? "failed" : "not needed";
    }
    return { role, coin, decides, ownTest };
  });
}

/** E[τ] of a length law. @param {number[]} law */
export const expectedLength = (law) => law.reduce((sum, p, i) => sum + i * numeric(p), 0);

/**
 * The law of τ from the coins alone: the product over the coins in the rule's order (a check on the trace's own).
 * @param {{order: string, accept_prob: number[]}} verdict
 */
export function lengthLaw(verdict) {
  const h = verdict.accept_prob.map(numeric);
  const gamma = h.length;
  const law = new Array(gamma + 1).fill(0);
  let reach = 1;
  if (verdict.order === "right_to_left") {
    for (let i = gamma; i >= 1; i--) {
      law[i] = reach * h[i - 1];
      reach *= 1 - h[i - 1];
    }
    law[0] = reach;
  } else {
    for (let i = 0; i < gamma; i++) {
      law[i] = reach * (1 - h[i]);
      reach *= h[i];
    }
    law[gamma] = reach;
  }
  return law;
}

/** Means over blocks 0…last for one rule: of E[τ│block] and of the τ drawn. Null where a block has no such verdict. */
export function runningMean(trace, rule, last) {
  let expected = 0, accepted = 0;
  for (let k = 0; k <= last; k++) {
    const verdict = trace.blocks[k] && trace.blocks[k].verdicts[rule];
    if (!verdict) return null;
    expected += numeric(verdict.expected_accepted);
    accepted += verdict.accepted;
  }
  return { blocks: last + 1, expected: expected / (last + 1), accepted: accepted / (last + 1) };
}
