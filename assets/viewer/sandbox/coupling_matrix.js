/**
 * The coupling of the drafted and the emitted block: one matrix a rule, their difference, and the optimum of one block.
 * Up to a thousand cells are retained nodes, more are a canvas below the same labels, marginals and marks.
 */

import { exportButtons } from "../compare/pictures_export.js";
import { createScroller } from "../scroller.js";
import { html, onWidth, pool, set, svg, text } from "../svg.js";
import { say } from "../words/parts/sandbox_pictures.js";
import { say as common } from "../words/parts/viewer.js";
import { commonPrefix, placeOf, rulesOf, samePlace, within } from "./blocks.js";
import { createCellLine } from "./cell_line.js";
import { coloursOf, createMatrixCanvas, tintsOf } from "./matrix_canvas.js";
import { cellAt, cornerOf, layoutOf } from "./matrix_layout.js";
import { captionOf, cellWords, createMatrixPanel } from "./matrix_panel.js";
import { largestOf, sheetsOf } from "./matrix_sheets.js";
import { pictureFrame } from "./picture_frame.js";
import { csvButton, couplingRows } from "./sandbox_tables.js";
import { lawsWords } from "./sandbox_words.js";
import { allowSaves, captioned, unsaved } from "./saving.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** Scrolls to the chosen cell of a rule's panel and gives the matrix the focus: the arrow keys go on from there. @param {string} rule */
export function showChosenCell(rule) {
  const cell = document.querySelector(`.sbx-panel[data-name="${rule}"] .sbx-chosen`);
  if (!cell) return;
  cell.scrollIntoView({ block: "center", inline: "nearest" });
  /** @type {HTMLElement} */ (cell.closest(".sbx-stage")).focus({ preventScroll: true });
}

/** @param {Element} container @param {any} actions */
export function createCouplingMatrix(container, actions) {
  const { root, tools, caption, body, instead } = pictureFrame(container, {
    name: "coupling-matrix",
    title: say("picture.coupling.title"),
    about: say("picture.coupling.about"),
  });
  const differs = html("button", { type: "button", class: "pic-toggle", id: "sandbox-difference", "aria-pressed": "false" }, tools, say("picture.coupling.difference"));
  const larger = html("button", { type: "button", class: "pic-toggle", "aria-pressed": "false" }, tools, say("picture.coupling.large"));
  const line = createCellLine(body); // of one height, whatever it says: nothing may move under the pointer
  const scroll = createScroller(body);
  const stage = html("div", { class: "sbx-stage", tabindex: 0, role: "group", "aria-roledescription": say("picture.coupling.role"), "aria-label": say("picture.coupling.cells") }, scroll);
  const canvases = pool(() => createMatrixCanvas(stage));
  const chart = /** @type {SVGSVGElement} */ (svg("svg", { class: "pic-chart sbx-matrix", role: "img" }, stage));
  const panels = pool(() => createMatrixPanel(chart));
  const spoken = html("p", { class: "sbx-spoken", "aria-live": "polite" }, body);
  csvButton(tools, "coupling", () => couplingRows(last.picture, last.pending.optimum ? null : last.optimum));
  tools.addEventListener("click", fillForExport, true);
  exportButtons(tools, chart, "coupling", () => ({ caption: `${caption.textContent} ${lawsWords(last.picture)}` }));
  let last = null, width = 0, large = false, aloud = false, drawn = null, layout = null, colours = null, sheets = [], largest = { masses: 0, difference: 0 };

  differs.addEventListener("click", () => actions.toggleDifference());
  larger.addEventListener("click", () => {
    large = !large;
    set(larger, { "aria-pressed": String(large) });
    draw();
  });
  onWidth(body, (w) => {
    width = w;
    draw();
  });
  new MutationObserver(() => {
    colours = null;
    draw();
  }).observe(document.body, { attributes: true, attributeFilter: ["class"] });

  const scaleOf = (sheet) => (sheet.kind === "difference" ? largest.difference : largest.masses);

  function draw() {
    if (!last || !width) return;
    const { picture } = last, { symbols, gamma } = picture, n = picture.blocks.length;
    sheets = sheetsOf(last, rulesOf(last));
    const wanted = `${symbols} ${gamma} ${width} ${sheets.length} ${large}`;
    if (!layout || layout.wanted !== wanted) layout = { wanted, ...layoutOf({ symbols, gamma, width, panels: sheets.length, large }) };
    largest = { masses: largestOf(sheets.filter((sheet) => sheet.kind !== "difference"), n), difference: largestOf(sheets.filter((sheet) => sheet.kind === "difference"), n) };
    panels.take(sheets.length).forEach((panel, k) => {
      const { x, y } = cornerOf(layout, k);
      set(panel.root, { transform: `translate(${x} ${y})` });
      panel.draw(sheets[k], picture, layout, scaleOf(sheets[k]));
      panel.fill([]);
    });
    if (!layout.retained && !colours) colours = coloursOf(stage);
    canvases.take(layout.retained ? 0 : sheets.length).forEach((canvas, k) => canvas.draw(sheets[k], layout, scaleOf(sheets[k]), colours, cornerOf(layout, k)));
    set(chart, { width: layout.total, height: layout.whole, viewBox: `0 0 ${layout.total} ${layout.whole}`, "aria-label": say("picture.coupling.label", { count: n, sheets: sheets.map((sheet) => sheet.title).join(common("viewer.comma")) }) });
    drawn = { picture, optimum: last.optimum, waiting: last.pending.optimum, rules: rulesOf(last).join(" "), difference: last.difference };
    mark();
  }

  function mark() {
    const selected = within(last.selected, last.picture), hovered = within(last.hovered, last.picture);
    panels.all.slice(0, sheets.length).forEach((panel) => panel.mark(last.picture, selected, hovered));
    const over = hovered.row !== null && hovered.column !== null;
    line.update(last.picture, sheets, over ? hovered.row : selected.row, over ? hovered.column : selected.column);
    if (aloud) text(spoken, line.words());
    aloud = false;
  }

  /** A canvas cannot be saved as SVG: its cells stand in the picture as paths while it is. */
  function fillForExport(event) {
    if (!layout || layout.retained || !event.target.closest("[data-export]")) return;
    panels.all.slice(0, sheets.length).forEach((panel, k) => panel.fill(tintsOf(sheets[k], layout, scaleOf(sheets[k]), panel.stripes)));
    setTimeout(() => panels.all.forEach((panel) => panel.fill([])), 0);
  }

  /** The cell under the pointer, its panel with it. @param {MouseEvent} event */
  function under(event) {
    if (!last || !layout) return null;
    const box = chart.getBoundingClientRect(), zoom = box.width / layout.total;
    return cellAt(layout, sheets.length, (event.clientX - box.left) / zoom, (event.clientY - box.top) / zoom);
  }

  const placed = (row, column) => ({ row, column, prefix: commonPrefix(last.picture.blocks[row], last.picture.blocks[column]) });
  let over = placeOf(null);
  function hover(place) {
    if (samePlace(place, over)) return;
    over = place;
    actions.hover(place);
  }
  stage.addEventListener("pointermove", (event) => {
    const cell = under(event);
    hover(cell ? placed(cell.row, cell.column) : placeOf(null));
    set(stage, { title: cell ? cellWords(sheets[cell.panel], last.picture, cell.row, cell.column) : null });
  });
  stage.addEventListener("pointerleave", () => hover(placeOf(null)));
  stage.addEventListener("click", (event) => {
    const cell = under(event);
    if (cell) actions.select(placed(cell.row, cell.column));
  });
  stage.addEventListener("keydown", (event) => {
    if (!last || event.ctrlKey || event.metaKey || event.altKey) return;
    const n = last.picture.blocks.length, at = within(last.selected, last.picture);
    let [row, column] = [at.row ?? 0, at.column ?? 0];
    if (event.key in STEPS) {
      const [down, across] = STEPS[event.key];
      if (at.row !== null && at.column !== null) [row, column] = [Math.min(n - 1, Math.max(0, row + down)), Math.min(n - 1, Math.max(0, column + across))];
    } else if (event.key === "Home") column = 0;
    else if (event.key === "End") column = n - 1;
    else if (event.key === "PageUp") row = 0;
    else if (event.key === "PageDown") row = n - 1;
    else if (event.key === "Escape") {
      actions.select(placeOf(null));
      return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
    aloud = true;
    actions.select(placed(row, column));
  });

  return {
    update(view) {
      allowSaves(tools, unsaved(view));
      if (!view.picture) {
        last = null;
        return instead(say(view.status === "error" ? "picture.coupling.failed" : "picture.coupling.waits"));
      }
      instead(null);
      last = view;
      text(caption, captioned(view, captionOf(view.picture, rulesOf(view))));
      set(differs, { "aria-pressed": String(Boolean(view.difference)) });
      set(root, { "data-stale": view.old, "data-pending": view.pending.picture });
      const same = drawn && drawn.picture === view.picture && drawn.optimum === view.optimum && drawn.waiting === view.pending.optimum && drawn.rules === rulesOf(view).join(" ") && drawn.difference === view.difference;
      if (same) mark();
      else draw();
    },
  };
}
