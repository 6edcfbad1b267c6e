/** The one large sentence: what just happened, in words; also what a screen reader hears at each step. */

import { inWindow, joining, roles } from "./derive.js";
import { full, number, pieceText, plural, sub, dataValue } from "./format.js";
import { html, set } from "./svg.js";

/**
 * @typedef {string|{value: number, path: string}|{id: number, kind: string}} Part words, a number of the trace, or a token
 * @param {any} view
 * @returns {Part[]}
 */
export function sentenceOf(view) {
  const { block, trace, phase } = view;
  if (!block) return [];
  if (view.urged) return ["Make your bet first; then the coins are tossed."];
  if (view.predicting && phase === "score") return ["Your turn: make your bet, then the coins are tossed."];
  if (view.whatIf && phase !== "draft" && phase !== "score") return whatIf(view);
  if (phase === "draft") return draft(view);
  if (phase === "score") return score(view);
  if (phase === "verify") return verify(view);
  return phase === "correct" ? correct(view) : commit(view, trace);
}

const token = (id, kind) => ({ id, kind });
const drafted = (view, i) => token(view.block.paths[0].tokens[i], "draft");

function eta(view, i) {
  return { value: view.uniforms[i - 1], path: view.whatIf ? "derived:what_if_uniform" : `/blocks/${view.blockIndex}/uniforms/verify/${i - 1}` };
}

function threshold(view, i) {
  return { value: view.verdict.accept_prob[i - 1], path: `/blocks/${view.blockIndex}/verdicts/${view.rule}/accept_prob/${i - 1}` };
}

function draft({ block, trace }) {
  if (block.gamma === 0) return ["No token is drafted for this block: the target takes one plain step."];
  const cold = trace.settings.temperature === 0 ? " At temperature 0 each law is one certain token." : "";
  return [`The draft model proposes ${plural(block.gamma, "token")}${block.gamma === 1 ? "; the target has not seen it yet." : ", one after another; the target has not seen them yet."}${cold}`];
}

function score({ block }) {
  const rows = block.paths[0].rows;
  const same = rows.filter((row) => row.tv !== null && row.tv < 1e-9).length;
  const words = `One target call scores all ${plural(block.gamma, "drafted token")} and the place after them.`;
  if (block.gamma === 0) return ["One target call gives the law of the next token."];
  if (same === block.gamma) return [words + " Draft and target agree completely here (D = T): nothing can be rejected."];
  return [words + (same ? ` At ${plural(same, "position")} draft and target agree completely (D = T).` : "")];
}

function verify(view) {
  const { coins, tried, verdict, block } = view;
  const i = coins[tried - 1];
  const passed = view.uniforms[i - 1] < verdict.accept_prob[i - 1];
  const out = [`Position ${i}, token `, drafted(view, i - 1), ": threshold h ", threshold(view, i), ", coin η ", eta(view, i), ": "];
  if (verdict.order === "right_to_left") {
    if (passed) out.push(`the prefix of ${i} is kept.` + (i > 1 ? " No shorter prefix needs its coin." : ""));
    else if (i > 1) out.push(`the prefix of ${i} fails. Next, the prefix of ${i - 1}.`);
    else out.push("the last prefix fails too: 0 kept.");
  } else if (!passed) out.push(`rejected. ${i - 1} kept; the tokens behind it are not looked at.`);
  else out.push(i < block.gamma ? "kept. Next, the token behind it." : "kept, and with it everything.");
  return out;
}

function rescued(view) {
  return roles(view.block, view.verdict, view.uniforms).filter((role) => role.role === "rescued").length;
}

function correct(view) {
  const { verdict, block, accepted } = view;
  const y = token(verdict.next_token, verdict.next_kind);
  if (block.gamma === 0) return ["The target draws the next token: ", y, "."];
  if (accepted === block.gamma) return [`Everything is kept${rescueWords(view)}. Bonus from the target: `, y, "."];
  if (accepted === 0) return [`Everything is rejected: 0 kept. Correction${verdict.residual_scale ? ", drawn from the residual" : ""}: `, y, "."];
  const begin = verdict.order === "right_to_left" ? `Position ${accepted} decides: ${accepted} kept${rescueWords(view)}.` : `Position ${accepted + 1} fails: ${accepted} kept.`;
  return [`${begin} Correction: `, y, "."];
}

function rescueWords(view) {
  const count = view.verdict.order === "right_to_left" ? rescued(view) : 0;
  return count ? `, ${count} of them rescued` : "";
}

const FINISH = {
  eos: " The end-of-text token ends the run.",
  length: " The limit on new tokens is reached.",
  context: " The model's context is full.",
};

function commit(view, trace) {
  const { block, rule, accepted, verdict } = view;
  const foreign = rule !== block.verifier;
  const gained = accepted + 1, count = joining(trace, block, verdict);
  const last = view.blockIndex + 1 === trace.blocks.length ? trace.finish : null;
  const finish = block.finish || last;
  const words = foreign ? `Under this rule ${plural(count, "token")} would join the text; this block was decided by ${block.verifier.replaceAll("_", " ")}.` : `${plural(count, "token")} ${count === 1 ? "joins" : "join"} the text for one target call.`;
  const cut = count === gained ? "" : foreign ? ` (${gained} would be gained; the end cuts them.)` : ` (${gained} were gained; the end cuts them.)`;
  const on = foreign && !view.saved && !inWindow(block) && view.blockIndex + 1 === trace.blocks.length ? ' "Continue from here" decides the block anew with this rule.' : "";
  const all = accepted === block.gamma && block.gamma && !foreign && !cut;
  return [words + cut + on + (foreign || !finish ? "" : FINISH[finish] || ""), ...(all ? [` All ${plural(accepted, "drafted token")} and the bonus `, token(verdict.next_token, verdict.next_kind), "."] : [])];
}

function whatIf(view) {
  const { whatIf: asked, block, verdict } = view;
  const { accepted, decidedBy } = asked;
  const moved = asked.uniforms.flatMap((x, i) => (x !== block.uniforms.verify[i] ? [i + 1] : []));
  const i = !moved.length || moved.includes(decidedBy) ? decidedBy || 1 : moved[moved.length - 1];
  const inside = asked.uniforms[i - 1] < verdict.accept_prob[i - 1];
  const end = accepted === 0 ? "no prefix survives: 0 kept." : accepted === block.gamma ? "everything is kept." : `${accepted} kept.`;
  const same = accepted === verdict.accepted ? " The same as it was." : "";
  return [`What if: with η${sub(i)} = `, eta(view, i), inside ? " (< " : " (≥ ", threshold(view, i), `): ${end}${same} The laws stay as they are.`];
}

/** Appends one part to a node. @param {Element} root @param {Part & {whole?: boolean}} part `whole`: a count @param {(id: number) => any} pieces */
export function appendPart(root, part, pieces) {
  if (typeof part === "string") root.append(part);
  else if ("id" in part) html("span", { class: `sd-chip ${part.kind}`, "data-token-id": part.id }, root, pieceText(pieces(part.id)));
  else html("span", { class: "sd-figure", "data-path": part.path, "data-value": dataValue(part.value), title: full(part.value) }, root, (part.whole ? String : number)(part.value));
}

/** @param {Element} container */
export function createSentence(container) {
  const root = html("p", { class: "sd-sentence", "aria-live": "polite", "aria-atomic": "true" }, container);
  let before = "";
  return {
    update(view) {
      const parts = sentenceOf(view);
      const signature = JSON.stringify(parts);
      if (signature === before) return;
      before = signature;
      root.textContent = "";
      for (const part of parts) appendPart(root, part, view.pieces);
      set(root, { "data-empty": parts.length === 0 });
    },
  };
}

