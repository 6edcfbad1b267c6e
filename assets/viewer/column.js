/**
 * One column of the lane. A drafted token: its chip, below it the token that replaced it, the bar of its weight w, and the
 * gauge 0–½–1 with the zone [0, h) and the dot η, which can be dragged or moved with the arrow keys. Or the bonus.
 */

import { full, number, pieceText, shorten } from "./format.js";
import { html, present, set, show, svg, text, tip, value } from "./svg.js";
import { say } from "./words/parts/step.js";
import { say as common } from "./words/parts/viewer.js";

const HEIGHT = 92, TOP = 6, WIDE = 20; // of the gauge
const NOTCH = 0.02; // a zone below this is drawn as a notch of a fixed height
const y = (p) => TOP + (1 - p) * HEIGHT;

/** @param {Element} parent @param {string} kind */
export function createChip(parent, kind) {
  const root = html("button", { type: "button", class: `sd-chip ${kind}` }, parent);
  return {
    root,
    /** @param {number} id @param {any} piece @param {string} kind @param {string} [note] */
    update(id, piece, kind, note = "") {
      const word = pieceText(piece);
      text(root, shorten(word, 14));
      set(root, { class: `sd-chip ${kind}`, "data-token-id": id, title: common(note ? "viewer.chip.title_note" : "viewer.chip.title", { word, id, note }), "aria-label": common(note ? "viewer.chip.label_note" : "viewer.chip.label", { word, id, note }) });
    },
  };
}

/** @param {number} index @param {any} actions */
export function createColumn(index, actions) {
  const root = html("div", { class: "sd-col", "data-position": index });
  const head = html("div", { class: "sd-col-head" }, root);
  const place = html("span", { class: "sd-col-place" }, head);
  const word = html("span", { class: "sd-col-word" }, head);
  const chip = createChip(root, "draft");
  const under = html("div", { class: "sd-under" }, root);
  const next = createChip(under, "correction");
  const bar = html("div", { class: "sd-wbar" }, root);
  set(bar, { "data-explain": "prefix_weight" });
  const fill = html("i", null, bar);
  const body = html("div", { class: "sd-col-body" }, root);
  const gauge = svg("svg", { class: "sd-gauge", viewBox: `0 0 ${WIDE + 6} ${HEIGHT + 2 * TOP}`, width: WIDE + 6, height: HEIGHT + 2 * TOP }, body);
  svg("rect", { class: "sd-gauge-frame", x: 3, y: TOP, width: WIDE, height: HEIGHT, rx: 3 }, gauge);
  const zone = svg("rect", { class: "sd-zone", x: 3, width: WIDE }, gauge);
  svg("line", { class: "sd-half", x1: 3, x2: 8, y1: y(0.5), y2: y(0.5) }, gauge);
  const edge = svg("line", { class: "sd-edge", x1: 1, x2: WIDE + 5 }, gauge);
  const dot = svg("circle", { class: "sd-dot", cx: 3 + WIDE / 2, r: 5, tabindex: "0", role: "slider", "aria-valuemin": 0, "aria-valuemax": 1 }, gauge);
  const list = html("div", { class: "sd-numbers" }, body);
  const rows = {};
  for (const [name, formula] of [["D", "draft"], ["T", null], ["r", "ratio"], ["h", "accept_prob"], ["η", "accept_prob"]]) {
    const line = html("div", { class: `sd-n-${name}` }, list);
    html("i", null, line, name);
    rows[name] = { line, cell: html("span", { "data-explain": formula }, line) };
  }
  const unlooked = html("p", { class: "sd-unlooked" }, list, say("step.coin_unneeded"));
  const about = html("p", { class: "sd-bonus-words" }, root);

  root.addEventListener("click", (event) => {
    actions.select({ position: index });
    const figure = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("[data-explain]"));
    if (figure) actions.explain(figure.dataset.explain, { i: index + 1, row: index, token: Number(chip.root.getAttribute("data-token-id")) });
  });
  for (const part of [chip.root, next.root]) {
    part.addEventListener("click", (event) => {
      event.stopPropagation();
      actions.select({ position: index, token: Number(part.getAttribute("data-token-id")) });
    });
  }

  const etaAt = (event) => {
    const box = gauge.getBoundingClientRect();
    const inside = ((event.clientY - box.top) / box.height) * (HEIGHT + 2 * TOP);
    return 1 - (inside - TOP) / HEIGHT;
  };
  dot.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    dot.focus({ preventScroll: true });
    dot.setPointerCapture(event.pointerId);
    const move = (moved) => actions.drag(index, etaAt(moved));
    const end = () => {
      dot.removeEventListener("pointermove", move);
      dot.removeEventListener("pointerup", end);
      dot.removeEventListener("pointercancel", end);
    };
    dot.addEventListener("pointermove", move);
    dot.addEventListener("pointerup", end);
    dot.addEventListener("pointercancel", end);
  });
  dot.addEventListener("click", (event) => event.stopPropagation());
  let eta = 0;
  dot.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 0.01, ArrowRight: 0.01, ArrowDown: -0.01, ArrowLeft: -0.01, PageUp: 0.1, PageDown: -0.1 }[event.key];
    if (event.key === "Escape") actions.resetDrag();
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    actions.drag(index, eta + by);
  });

  function number_(name, shown, x, path) {
    const { line, cell } = rows[name];
    set(line, { class: `sd-n-${name}${shown ? "" : " off"}` });
    if (shown) value(cell, x, path, { name });
    else {
      text(cell, "");
      set(cell, { "data-path": null, "data-value": null, title: null });
    }
  }

  function updateBonus(view, past) {
    const { verdict } = view;
    set(root, { class: "sd-col bonus" + (view.position === index ? " chosen" : "") });
    text(place, "+1");
    text(word, say(past ? "step.fate.past" : "step.bonus"));
    chip.update(verdict.next_token, view.pieces(verdict.next_token), "bonus", say("step.bonus.chip"));
    for (const part of [under, bar, body]) show(part, false);
    show(about, true);
    text(about, say("step.bonus.about"));
  }

  return {
    root,
    update(view, state) {
      if (state.bonus) return updateBonus(view, state.past);
      const { block, verdict, accepted, revealed } = view;
      const data = block.paths[0].rows[index];
      const base = `/blocks/${view.blockIndex}`, rule = `${base}/verdicts/${view.rule}`;
      const chosen = view.position === index;
      for (const part of [under, bar, body]) show(part, true);
      show(about, false);
      text(about, "");
      const chipKind = state.gone || (state.fate === "struck" && !revealed.cut) ? "rejected" : state.fate && state.fate !== "struck" ? "kept" : "draft";
      set(root, { class: `sd-col ${state.fate || "open"}${chosen ? " chosen" : ""}${state.now ? " now" : ""}${state.gone ? " gone" : ""}${state.notNeeded ? " unlooked" : ""}` });
      text(place, index + 1);
      text(word, state.word);
      chip.update(data.token, view.pieces(data.token), chipKind, state.word);
      const here = revealed.next && accepted === index;
      const known = !view.whatIf || view.whatIf.accepted === verdict.accepted;
      show(next.root, here);
      if (here && known) next.update(verdict.next_token, view.pieces(verdict.next_token), "correction", say(verdict.residual_scale ? "step.correction.residual" : "step.correction"));
      else {
        text(next.root, here ? "?" : "");
        set(next.root, { "data-token-id": null, "aria-label": null, class: "sd-chip correction", title: here ? say("step.correction.other") : null });
      }
      const weight = verdict.prefix_weight ? verdict.prefix_weight[index + 1] : null;
      const scored = revealed.scores, h = verdict.accept_prob ? verdict.accept_prob[index] : null;
      show(bar, scored && weight !== null);
      set(fill, { style: `width:${((weight || 0) * 100).toFixed(2)}%` });
      set(bar, { "data-path": scored && weight !== null ? `${rule}/prefix_weight/${index + 1}` : null, "data-value": scored ? weight : null, title: scored && weight !== null ? `w${index + 1} = ${full(weight)}` : null });
      const size = Math.max((h || 0) * HEIGHT, h !== null && h < NOTCH ? 3 : 0);
      show(gauge, scored);
      show(zone, h !== null);
      show(edge, h !== null);
      set(zone, { y: TOP + HEIGHT - size, height: size, class: `sd-zone${h !== null && h < NOTCH ? " notch" : ""}` });
      set(edge, { y1: TOP + HEIGHT - size, y2: TOP + HEIGHT - size });
      eta = view.uniforms[index];
      const dots = !state.waiting && h !== null && !view.predicting;
      present(dot, dots); // a coin that is not shown yet is nowhere on the page
      if (dots) set(dot, { cy: y(eta), class: `sd-dot${state.looked ? (state.passed ? " in" : " out") : ""}${view.whatIf && eta !== block.uniforms.verify[index] ? " moved" : ""}`,
        "aria-valuenow": eta.toFixed(3), "aria-valuetext": `η ${number(eta)}`, "aria-label": say("step.coin", { position: index + 1 }) });
      if (dots) tip(dot, say("step.coin.title", { position: index + 1, value: number(eta) }));
      show(unlooked, Boolean(state.notNeeded && h !== null));
      number_("D", chosen, data.draft, `${base}/paths/0/rows/${index}/draft`);
      number_("T", chosen && scored, data.target, `${base}/paths/0/rows/${index}/target`);
      number_("r", chosen && scored, data.ratio, `${base}/paths/0/rows/${index}/ratio`);
      number_("h", scored && h !== null, h, `${rule}/accept_prob/${index}`);
      number_("η", dots, eta, view.whatIf ? `derived:what_if_uniform` : `${base}/uniforms/verify/${index}`);
    },
  };
}
