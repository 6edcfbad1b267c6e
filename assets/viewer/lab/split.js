/** Where the time of a call goes, lane by lane: draft, target, verification, the rest. */

import { milliseconds, number } from "../format.js";
import { frame } from "../marks.js";
import { exportButtons } from "../compare/pictures_export.js";
import { ruleWords } from "../compare/rule_words.js";
import { createScroller } from "../scroller.js";
import { html, onWidth, pool, set, show, svg, text, tip, value } from "../svg.js";
import { conditionWords, splitOf } from "./series.js";

const ROW = 40, BAR = 14, FIGURES = 78, NARROW = 330; // px; below NARROW the words that the caption says too are left out
const PARTS = [["draft", "draft", "pic-fill-draft"], ["target", "target", "pic-fill-target"], ["verify", "verification", "lab-fill-verify"], ["rest", "the rest", "pic-fill-rejected"]];
const nameOf = (rule) => (rule === "plain" ? "plain decoding" : ruleWords(rule));

/** @param {Element} container */
export function createSplit(container) {
  const { body, caption, tools, instead } = frame(container, {
    name: "lab-split", title: "Where the time goes",
    about: "Mean milliseconds a target call: drafting, the target’s forward pass, deciding what is kept, and the loop around it. Plain decoding, measured in the same turns, gives one token a call; the rules give more, which the last column divides by.",
  });
  const legend = html("ul", { class: "pic-legend" }, body);
  for (const [, words, fill] of PARTS) {
    const item = html("li", null, legend), picture = svg("svg", { width: 14, height: 10, class: "lab-swatch", "aria-hidden": "true" }, item);
    svg("rect", { width: 14, height: 10, class: fill }, picture);
    html("span", null, item, ` ${words}`);
  }
  const box = html("div", null, body), chart = /** @type {SVGSVGElement} */ (svg("svg", { class: "pic-chart", role: "img" }, box)), more = html("details", { class: "lab-as-table" }, body);
  html("summary", null, more, "these numbers as a table");
  const table = html("table", { class: "lab-table" }, createScroller(more));
  exportButtons(tools, chart, "lab-time-split", () => ({ title: "Where the time goes", caption: caption.textContent || "" }));
  const rows = pool(() => createRow(chart));
  let lanes = [], width = 0;
  onWidth(box, (w) => {
    width = w;
    draw();
  });

  function draw() {
    if (!width || !lanes.length) return;
    const sums = lanes.map((lane) => lane.parts.reduce((sum, part) => sum + part.ms, 0)), longest = Math.max(...sums);
    set(chart, { width, height: lanes.length * ROW, viewBox: `0 0 ${width} ${lanes.length * ROW}`, "aria-label": `Milliseconds a call: ${lanes.map((lane, n) => `${nameOf(lane.rule)} ${milliseconds(sums[n])}`).join(", ")}.` });
    rows.take(lanes.length).forEach((row, n) => row.draw(lanes[n], n * ROW, (width - FIGURES) / longest, sums[n], width));
  }

  function fill() {
    table.textContent = "";
    if (!more.open) return;
    const head = html("tr", null, html("thead", null, table)), lines = html("tbody", null, table);
    for (const words of ["", ...PARTS.map(([, name]) => name)]) html("th", { scope: "col" }, head, words);
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
      instead(lanes.length ? null : at ? `No times are measured at γ = ${at.gamma} for ${at.one} yet.` : "Nothing is measured for this yet.");
      show(tools, lanes.length > 0);
      if (!lanes.length) return;
      const name = at.one[0].toUpperCase() + at.one.slice(1);
      text(caption, `${name}, γ = ${at.gamma}, ${conditionWords(at.setting)}: a rule pays if its call, divided by its tokens, is shorter than plain decoding’s.${at.task ? "" : " Choose another task above."}`);
      draw();
      fill();
    },
  };
}

function createRow(chart) {
  const root = svg("g", null, chart), name = svg("text", { class: "race-name" }, root), bars = pool(() => svg("rect", { height: BAR }, root)), figure = svg("text", { class: "pic-text-soft", "text-anchor": "end" }, root), each = svg("text", { class: "pic-figure", "text-anchor": "end" }, root);
  return {
    root,
    draw(lane, y, scale, sum, width) {
      set(root, { "data-rule": lane.rule });
      const narrow = width < NARROW, gained = `${number(lane.tokens)} ${lane.tokens === 1 ? "token" : "tokens"}`;
      text(set(name, { x: 0, y: y + 11 }), `${nameOf(lane.rule)}: ${milliseconds(sum)}${narrow ? "" : " a call"}, ${gained}${narrow || lane.rule === "plain" ? "" : " (its own run)"}`);
      let x = 0;
      bars.take(lane.parts.length).forEach((bar, n) => {
        const part = lane.parts[n], w = part.ms * scale;
        set(bar, { x, y: y + 16, width: Math.max(w - 0.5, 0), class: PARTS[n][2], "data-path": part.path, "data-value": part.ms });
        tip(bar, `${PARTS[n][1]}: ${milliseconds(part.ms)} a call`);
        x += w;
      });
      text(set(figure, { x: width, y: y + 11 }), "a token");
      value(set(each, { x: width, y: y + 27 }), sum / lane.tokens, "derived:ms_a_token", { format: milliseconds });
    },
  };
}
