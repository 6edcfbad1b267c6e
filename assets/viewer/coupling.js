/**
 * The coupling at one position: where the mass drafted here ends up. As a flow (draft → emitted) or, by a switch, as a matrix.
 */

import { emittedAt, leading } from "./arrange.js";
import { fold, part, tokensOf } from "./derive.js";
import { createFlow } from "./flow.js";
import { number, percent, pieceText } from "./format.js";
import { choice, clicks, frame } from "./marks.js";
import { createMatrix } from "./matrix.js";
import { createScroller } from "./scroller.js";
import { html, onWidth, present, set, text, value } from "./svg.js";

const LISTED = { flow: 11, matrix: 10 };
const CAPTION = {
  flow: "Green goes straight through, kept; what is over-offered either gathers in the knot and leaves as a correction, or was stopped at an earlier prefix.",
  matrix: "Each row is a drafted token, each column what leaves this position: green on the diagonal is kept, vermilion is corrected, grey was stopped earlier. Cells below 0.001 are tinted, their value is in the tooltip.",
};

/** @param {Element} container @param {object} actions */
export function createCoupling(container, actions) {
  const { root, heading, tools, caption, body, instead } = frame(container, {
    name: "coupling",
    title: "Where the drafted mass goes",
    about: "A coupling of the drafted and the emitted token, given the prefix drafted so far. Kept: min(D, s·T) stays on its token. Corrected: h·(D − s·T)₊ is spread over "
      + "(s·T − D)₊ in proportion, whatever token it came from, so it is one flow and not many (a matrix of rank one). Stopped at an earlier prefix: (1 − h)·(D − s·T)₊, in all 1 − min(1, s). "
      + "Rows add up to D, columns to s·T (for s ≤ 1). h is the threshold of the prefix before this position; the token rule has s = h = 1 wherever it arrives.",
  });
  let mode = "flow", last = null, width = 0, chosen = null;
  const modes = choice(tools, "How the coupling is drawn", [["flow", "as a flow"], ["matrix", "as a matrix"]], (name) => {
    mode = name;
    if (last) draw();
  });
  const holder = createScroller(body);
  const flow = createFlow(holder);
  const matrix = createMatrix(holder);
  const fate = createFate(body);
  clicks(root, actions);
  const hovered = (event) => {
    const mark = event.type === "pointerleave" ? null : event.target.closest("[data-token-id]");
    const id = mark ? mark.getAttribute("data-token-id") : null;
    const next = id === null ? null : id === "rest" ? "rest" : Number(id);
    if (next !== chosen && last) {
      chosen = next;
      fate.update(last, part(last.block, last.verdict, last.position), chosen);
    }
  };
  holder.addEventListener("pointerover", hovered);
  holder.addEventListener("pointerleave", hovered);
  onWidth(body, (w) => {
    width = w;
    if (last) draw();
  });

  function draw() {
    const whole = part(last.block, last.verdict, last.position);
    const must = [tokensOf(last.block)[whole.index], emittedAt(last).id, last.token];
    const listed = fold(whole, leading(whole, must, LISTED[mode]));
    present(flow.root, mode === "flow");
    present(matrix.root, mode === "matrix");
    text(caption, CAPTION[mode]);
    (mode === "flow" ? flow : matrix).draw(last, listed, width);
    fate.update(last, whole, chosen);
  }

  return {
    update(view) {
      last = null;
      chosen = null;
      if (!view.block) return instead("Nothing decoded yet: take a step.");
      const p = part(view.block, view.verdict, view.position);
      text(heading, p.bonus ? "Where the drafted mass goes" : `Position ${p.index + 1}: where the drafted mass goes`);
      present(modes.root, p.coupled && view.phase !== "draft");
      if (p.bonus) return instead("Nothing is drafted after the block, so there is nothing to couple: the bonus token is drawn from the target " + (p.tilde ? "T̃, which is still modified here." : "as it is."));
      if (view.phase === "draft") return instead("The target has not scored this block yet: score it to see where the mass goes.");
      if (p.modified) return instead("The rule works with a modified target here, whose masses the trace does not list, so no coupling is drawn.");
      if (!p.coupled) return instead("This rule has no residual, so its corrections do not flow from over-offered to still-wanted tokens.");
      instead(null);
      last = view;
      if (width) draw();
    },
  };
}

/** One line on what happens to one drafted token (the chosen or hovered one, else the token really drafted). */
function createFate(parent) {
  const line = html("p", { class: "pic-fate" }, parent);
  const who = html("bdi", { class: "pic-who" }, line), what = html("span", null, line);
  const parts = [["draft", "drafted with ", ""], ["overlap", "; kept ", ""], ["corrected", ", corrected ", ""], ["stopped", ", stopped at an earlier prefix ", ""], ["arrives", ". Emitted here by correction ", ""]]
    .map(([name, before]) => [name, html("span", null, line, before), html("span", { class: "pic-figure" }, line)]);
  const tail = html("span", null, line, "");
  return {
    update(view, p, hovered) {
      const drafted = tokensOf(view.block)[p.index];
      const id = hovered !== null ? hovered : view.token !== null && p.ids.includes(view.token) ? view.token : drafted;
      const v = id === "rest" ? -1 : p.ids.indexOf(id);
      const at = (name) => (v < 0 ? p.rest[name] : p[name][v]);
      const moved = p.total.residual > 0 ? p.coin * at("excess") : 0;
      const figures = { draft: at("draft"), overlap: at("overlap"), corrected: moved, stopped: at("excess") - moved, arrives: at("corrected") };
      set(text(who, v < 0 ? "" : pieceText(view.pieces(id))), { "data-token-id": v < 0 ? null : id });
      text(what, v < 0 ? `The ${p.rest.count} tokens not listed: ` : `${id === drafted ? " (the drafted token)" : ""}: `);
      for (const [name, , node] of parts) value(node, figures[name], `derived:fate_${name}`);
      const share = figures.draft > 0 ? figures.overlap / figures.draft : 0;
      text(tail, figures.draft > 0 ? `. ${view.verdict.order === "right_to_left" ? "Once drafted, it is kept with probability" : "Once it is reached and drafted, it is kept with probability"} ${share >= 1 ? "1" : number(share)} (${percent(share)})${view.verdict.order === "right_to_left" ? ", given this prefix and averaged over the drafts that may follow" : ""}.` : ".");
    },
  };
}
