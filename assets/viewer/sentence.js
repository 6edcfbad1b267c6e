/** The one large sentence: what just happened, in words; also what a screen reader hears at each step. */

import { inWindow, joining, roles } from "./derive.js";
import { full, number, pieceText, sub, dataValue } from "./format.js";
import { ruleWords } from "./rule_names.js";
import { html, set } from "./svg.js";
import { say } from "./words/parts/step_sentence.js";
import { pieces } from "./words/pieces.js";

const FINISHES = ["eos", "length", "context"];

/**
 * @typedef {string|{value: number, path: string}|{id: number, kind: string}} Part words, a number of the trace, or a token
 * @param {any} view
 * @returns {Part[]}
 */
export function sentenceOf(view) {
  const { block, trace, phase } = view;
  if (!block) return [];
  if (view.urged) return [say("sentence.urged")];
  if (view.predicting && phase === "score") return [say("sentence.your_turn")];
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
  if (block.gamma === 0) return [say("sentence.no_draft")];
  return [say("sentence.draft", { count: block.gamma, cold: trace.settings.temperature === 0 ? say("sentence.cold") : "" })];
}

function score({ block }) {
  const rows = block.paths[0].rows, count = block.gamma;
  const same = rows.filter((row) => row.tv !== null && row.tv < 1e-9).length;
  if (count === 0) return [say("sentence.score_none")];
  return [say(same === count ? "sentence.score_same" : same ? "sentence.score_some" : "sentence.score", { count, same })];
}

function verify(view) {
  const { coins, tried, verdict, block } = view;
  const i = coins[tried - 1];
  const passed = view.uniforms[i - 1] < verdict.accept_prob[i - 1];
  return pieces("sentence.verify", { position: i, token: drafted(view, i - 1), threshold: threshold(view, i), coin: eta(view, i), outcome: outcome(verdict.order === "right_to_left", passed, i, block.gamma) });
}

function outcome(backwards, passed, i, gamma) {
  if (!backwards) return !passed ? say("sentence.rejected", { kept: i - 1 }) : say(i < gamma ? "sentence.kept" : "sentence.kept_all");
  if (passed) return i > 1 ? say("sentence.prefix_kept", { kept: i }) : say("sentence.first_kept");
  return i > 1 ? say("sentence.prefix_fails", { failed: i, next: i - 1 }) : say("sentence.last_fails");
}

function correct(view) {
  const { verdict, block, accepted: kept } = view, backwards = verdict.order === "right_to_left";
  const rescued = backwards ? roles(block, verdict, view.uniforms).filter((role) => role.role === "rescued").length : 0;
  const slots = { token: token(verdict.next_token, verdict.next_kind), kept, rescued, position: backwards ? kept : kept + 1 };
  if (block.gamma === 0) return pieces("sentence.plain", slots);
  if (kept === block.gamma) return pieces(rescued ? "sentence.all_rescued" : "sentence.all", slots);
  if (kept === 0) return pieces(verdict.residual_scale ? "sentence.none_residual" : "sentence.none", slots);
  return pieces(!backwards ? "sentence.fails" : rescued ? "sentence.decides_rescued" : "sentence.decides", slots);
}

function commit(view, trace) {
  const { block, rule, accepted, verdict } = view;
  const foreign = rule !== block.verifier;
  const gained = accepted + 1, count = joining(trace, block, verdict);
  const last = view.blockIndex + 1 === trace.blocks.length ? trace.finish : null;
  const finish = block.finish || last, cut = count !== gained;
  const out = [say(foreign ? "sentence.would_join" : "sentence.joins", { count, owner: ruleWords(block.verifier) })];
  if (cut) out.push(say(foreign ? "sentence.would_cut" : "sentence.cut", { gained }));
  if (foreign && !view.saved && !inWindow(block) && view.blockIndex + 1 === trace.blocks.length) out.push(say("sentence.continue"));
  if (!foreign && FINISHES.includes(finish)) out.push(say(`sentence.finish.${finish}`));
  const all = accepted === block.gamma && block.gamma && !foreign && !cut;
  return [out.join(""), ...(all ? pieces("sentence.with_bonus", { count: accepted, token: token(verdict.next_token, verdict.next_kind) }) : [])];
}

function whatIf(view) {
  const { whatIf: asked, block, verdict } = view;
  const { accepted, decidedBy } = asked;
  const moved = asked.uniforms.flatMap((x, i) => (x !== block.uniforms.verify[i] ? [i + 1] : []));
  const i = !moved.length || moved.includes(decidedBy) ? decidedBy || 1 : moved[moved.length - 1];
  const inside = asked.uniforms[i - 1] < verdict.accept_prob[i - 1];
  const kept = accepted === 0 ? say("sentence.asked_none") : accepted === block.gamma ? say("sentence.asked_all") : say("sentence.asked_some", { kept: accepted });
  return pieces(inside ? "sentence.what_if_in" : "sentence.what_if_out", {
    position: sub(i), coin: eta(view, i), threshold: threshold(view, i), outcome: accepted === verdict.accepted ? say("sentence.same", { outcome: kept }) : kept,
  });
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

