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
import { say } from "./words/parts/step_pictures.js";
import { around } from "./words/pieces.js";

const LISTED = { flow: 11, matrix: 10 };

/** @param {Element} container @param {object} actions */
export function createCoupling(container, actions) {
  const { root, heading, tools, caption, body, instead } = frame(container, {
    name: "coupling",
    title: say("drawn.coupling.title"),
    about: say("drawn.coupling.about"),
  });
  let mode = "flow", last = null, width = 0, chosen = null;
  const modes = choice(tools, say("drawn.coupling.drawn"), [["flow", say("drawn.coupling.flow")], ["matrix", say("drawn.coupling.matrix")]], (name) => {
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
    text(caption, say(`drawn.coupling.caption.${mode}`));
    (mode === "flow" ? flow : matrix).draw(last, listed, width);
    fate.update(last, whole, chosen);
  }

  return {
    update(view) {
      last = null;
      chosen = null;
      if (!view.block) return instead(say("drawn.nothing"));
      const p = part(view.block, view.verdict, view.position);
      text(heading, p.bonus ? say("drawn.coupling.title") : say("drawn.coupling.heading", { position: p.index + 1 }));
      present(modes.root, p.coupled && view.phase !== "draft");
      if (p.bonus) return instead(say(p.tilde ? "drawn.coupling.bonus_modified" : "drawn.coupling.bonus"));
      if (view.phase === "draft") return instead(say("drawn.coupling.unscored"));
      if (p.modified) return instead(say("drawn.coupling.modified"));
      if (!p.coupled) return instead(say("drawn.coupling.uncoupled"));
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
  const names = ["draft", "overlap", "corrected", "stopped", "arrives"], between = around("drawn.coupling.fate", {}, names);
  const parts = names.map((name, n) => [name, html("span", null, line, between[n]), html("span", { class: "pic-figure" }, line)]);
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
      text(what, say(v < 0 ? "drawn.coupling.fate.rest" : id === drafted ? "drawn.coupling.fate.drafted" : "drawn.coupling.fate.token", { count: p.rest.count }));
      for (const [name, , node] of parts) value(node, figures[name], `derived:fate_${name}`);
      const share = figures.draft > 0 ? figures.overlap / figures.draft : 0;
      const ending = figures.draft <= 0 ? "end" : view.verdict.order === "right_to_left" ? "backwards" : "forwards";
      text(tail, between[names.length] + say(`drawn.coupling.fate.${ending}`, { share: share >= 1 ? "1" : number(share), percent: percent(share) }));
    },
  };
}
