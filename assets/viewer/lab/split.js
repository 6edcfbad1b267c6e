/** Where the time of a call goes, lane by lane: draft, target, verification, the rest. */

import { milliseconds, number } from "../format.js";
import { fit, frame } from "../marks.js";
import { exportButtons } from "../compare/pictures_export.js";
import { ruleWords } from "../rule_gallery.js";
import { createScroller } from "../scroller.js";
import { html, onWidth, pool, set, show, svg, text, tip, value } from "../svg.js";
import { say } from "../words/parts/lab_pictures.js";
import { say as sayMeasure } from "../words/parts/measure.js";
import { say as sayViewer } from "../words/parts/viewer.js";
import { conditionWords, splitOf } from "./series.js";
import { taskWords } from "./task_words.js";

const ROW = 40, BAR = 14, FIGURES = 78, GAP = 8; // px
const PARTS = [["draft", "pic-fill-draft"], ["target", "pic-fill-target"], ["verify", "lab-fill-verify"], ["rest", "pic-fill-rejected"]];
const nameOf = (rule) => (rule === "plain" ? sayMeasure("measure.plain") : ruleWords(rule)), partWords = (part) => say(`sweep.split.${part}`);

/** @param {Element} container */
export function createSplit(container) {
  const { body, caption, tools, instead } = frame(container, { name: "lab-split", title: say("sweep.split.title"), about: say("sweep.split.about") });
  const legend = html("ul", { class: "pic-legend" }, body);
  for (const [name, fill] of PARTS) {
    const item = html("li", null, legend), picture = svg("svg", { width: 14, height: 10, class: "lab-swatch", "aria-hidden": "true" }, item);
    svg("rect", { width: 14, height: 10, class: fill }, picture);
    html("span", null, item, ` ${partWords(name)}`);
  }
  const box = html("div", null, body), chart = /** @type {SVGSVGElement} */ (svg("svg", { class: "pic-chart", role: "img" }, box)), more = html("details", { class: "lab-as-table" }, body);
  html("summary", null, more, say("sweep.as_table"));
  const table = html("table", { class: "lab-table" }, createScroller(more));
  exportButtons(tools, chart, "lab-time-split", () => ({ title: say("sweep.split.title"), caption: caption.textContent || "" }));
  const rows = pool(() => createRow(chart));
  let lanes = [], width = 0;
  onWidth(box, (w) => {
    width = w;
    draw();
  });

  function draw() {
    if (!width || !lanes.length) return;
    const sums = lanes.map((lane) => lane.parts.reduce((sum, part) => sum + part.ms, 0)), longest = Math.max(...sums);
    set(chart, { width, height: lanes.length * ROW, viewBox: `0 0 ${width} ${lanes.length * ROW}`, "aria-label": say("sweep.split.label", { lanes: lanes.map((lane, n) => say("sweep.split.lane", { rule: nameOf(lane.rule), time: milliseconds(sums[n]) })).join(sayViewer("viewer.comma")) }) });
    const shown = rows.take(lanes.length);
    shown.forEach((row, n) => row.draw(lanes[n], n * ROW, (width - FIGURES) / longest, sums[n], width));
    if (!shown.every((row) => row.fits())) shown.forEach((row) => row.shorten());
  }

  function fill() {
    table.textContent = "";
    if (!more.open) return;
    const head = html("tr", null, html("thead", null, table)), lines = html("tbody", null, table);
    for (const words of ["", ...PARTS.map(([name]) => partWords(name))]) html("th", { scope: "col" }, head, words);
    for (const lane of lanes) {
      const row = html("tr", null, lines);
      html("th", { scope: "row" }, row, nameOf(lane.rule));
      for (const part of lane.parts) value(html("td", null, row), part.ms, part.path, { format: milliseconds });
    }
  }
  more.addEventListener("toggle", fill);

  return {
    update(summary, at) {
      lanes = summary ? splitOf(summary, at) : [];
      instead(lanes.length ? null : at ? say("sweep.split.none", { gamma: at.gamma, task: taskWords(at.one) }) : say("sweep.nothing"));
      show(tools, lanes.length > 0);
      if (!lanes.length) return;
      const words = say(at.task ? "sweep.split.caption" : "sweep.split.caption_average", { task: taskWords(at.one), gamma: at.gamma, condition: conditionWords(at.setting) });
      text(caption, words[0].toUpperCase() + words.slice(1));
      draw();
      fill();
    },
  };
}

function createRow(chart) {
  const root = svg("g", null, chart), textOf = (attributes) => /** @type {SVGTextElement} */ (svg("text", attributes, root));
  const name = textOf({ class: "race-name" }), bars = pool(() => svg("rect", { height: BAR }, root)), figure = textOf({ class: "pic-text-soft", "text-anchor": "end" }), each = textOf({ class: "pic-figure", "text-anchor": "end" });
  let said = { rule: "", time: "", tokens: "", count: 0 }, room = 0;
  const fits = () => name.getComputedTextLength() <= room;
  return {
    root, fits,
    /** Without the words that the definition says too, and if need be with the beginning of the name. */
    shorten() {
      text(name, say("sweep.split.row_narrow", said));
      for (let length = said.rule.length; !fits() && length > 3; length--) text(name, say("sweep.split.row_narrow", { ...said, rule: fit(said.rule, length) }));
    },
    draw(lane, y, scale, sum, width) {
      set(root, { "data-rule": lane.rule });
      said = { rule: nameOf(lane.rule), time: milliseconds(sum), tokens: number(lane.tokens), count: lane.tokens };
      text(set(name, { x: 0, y: y + 11 }), say(lane.rule === "plain" ? "sweep.split.row" : "sweep.split.row_own", said));
      let x = 0;
      bars.take(lane.parts.length).forEach((bar, n) => {
        const part = lane.parts[n], w = part.ms * scale;
        set(bar, { x, y: y + 16, width: Math.max(w - 0.5, 0), class: PARTS[n][1], "data-path": part.path, "data-value": part.ms });
        tip(bar, say("sweep.split.bar", { part: partWords(part.name), time: milliseconds(part.ms) }));
        x += w;
      });
      text(set(figure, { x: width, y: y + 11 }), say("sweep.split.each"));
      room = width - figure.getComputedTextLength() - GAP;
      value(set(each, { x: width, y: y + 27 }), sum / lane.tokens, "derived:ms_a_token", { format: milliseconds });
    },
  };
}
