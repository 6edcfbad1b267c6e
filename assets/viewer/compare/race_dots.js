/** The race's figures as dots with intervals: block efficiency, difference to token, speed-up over plain, a row a rule. */

import { number } from "../format.js";
import { cells } from "../marks.js";
import { html, onWidth, pool, present, set, svg, text, tip, value } from "../svg.js";
import { say as sayMeasure } from "../words/parts/measure.js";
import { say } from "../words/parts/racing.js";
import { linesOf } from "./lines.js";
import { fewGroups, hasInterval, signed } from "./measure_parts.js";
import { factsOf, laneWords, losslessHere, PLAIN, pointer } from "./measure_rules.js";
import { predictedSpeedup } from "./race_model.js";
import { costWords } from "./race_words.js";
import { exportButtons } from "./pictures_export.js";
import { ticks, tickText } from "./scale.js";

const ROW = 30, HEAD = 34, AXIS = 22, LABEL = 124, FIGURE = 58, WIDE = 780, GAP = 26;
const NAME = 13, SMALL = 11, BOLD = 7.6; // pixels: a line of the name, of the tag, a bold character
const PANELS = [
  { name: "efficiency", words: "racing.panel.tokens", line: 1, format: number },
  { name: "over_token", words: "racing.panel.tokens", line: 0, format: signed, without: ["token", PLAIN] },
  { name: "speedup", words: "racing.panel.signs", line: 1, format: number, without: [PLAIN] },
];
const titleOf = (panel) => say(`racing.panel.${panel.name}`);

/** What the dots and lines are. */
export function dotsCaption(record) {
  const { groups, group_count: count, runs, confidence } = record.summary;
  const words = say(count < 2 ? "racing.dots_alone" : "racing.dots", { count: runs, percent: Math.round(confidence * 100) });
  return fewGroups(count) ? sayMeasure("measure.sentences", { first: words, second: sayMeasure(`measure.few.${groups}`) }) : words;
}

/** Is a prediction drawn? */
const diamonds = (record) => record.rules.some((rule) => rule !== PLAIN && record.summary.rules[rule] && record.summary.rules[rule].efficiency);

/** The rows below each other, each as high as its name needs. */
function rowsOf(record, rules) {
  let y = 0;
  const fits = (line) => cells(line) <= Math.floor((LABEL - 8) / BOLD);
  return rules.map((rule) => {
    const lines = linesOf(laneWords(rule), fits), tags = losslessHere(record, rule) ? [] : [sayMeasure("measure.tag.first"), sayMeasure("measure.tag.second")];
    const words = lines.length * NAME + tags.length * SMALL, height = Math.max(ROW, words + 10), row = { rule, lines, tags, y, height, first: y + (height - words) / 2 };
    y += height;
    return row;
  });
}

/** @param {Element} container */
export function createDots(container) {
  const tools = html("div", { class: "pic-tools" }, container);
  const box = html("div", null, container);
  const chart = /** @type {SVGSVGElement} */ (svg("svg", { class: "pic-chart race-dots", role: "img" }, box));
  exportButtons(tools, chart, "race-figures", () => ({ caption: last ? `${dotsCaption(last.record)} ${diamonds(last.record) ? `${costWords(last.costs)} ` : ""}${factsOf(last.record, last.sets)}` : "" }));
  const panels = PANELS.map((panel) => createPanel(chart, panel));
  const names = pool(() => createName(chart));
  let last = null, width = 0;
  onWidth(container, (w) => {
    width = w;
    draw();
  });

  function draw() {
    if (!last || !width) return;
    const { record, costs } = last, rules = record.rules.filter((rule) => record.summary.rules[rule]);
    const shown = panels.filter((panel) => present(panel.root, rules.some((rule) => panel.estimate(record, rule))).parentNode), count = shown.length;
    const wide = width >= WIDE, room = wide ? (width - LABEL - count * (FIGURE + GAP)) / count : width - LABEL - FIGURE - 8;
    const list = rowsOf(record, rules), under = list.reduce((sum, row) => sum + row.height, 0), height = HEAD + under + AXIS;
    shown.forEach((panel, n) => panel.draw(record, list, under, costs, wide ? { x: LABEL + n * (room + FIGURE + GAP), y: 0, room } : { x: LABEL, y: n * (height + 8), room }));
    const copies = wide ? 1 : count;
    names.take(rules.length * copies).forEach((name, n) => name.draw(list[n % rules.length], Math.floor(n / rules.length) * (height + 8) + HEAD));
    const whole = wide ? height : count * (height + 8);
    const spoken = rules.map((rule) => say(losslessHere(record, rule) ? "racing.dots.rule" : "racing.dots.rule_lossy", { rule: laneWords(rule), value: number(record.summary.rules[rule].efficiency && record.summary.rules[rule].efficiency.mean) }));
    set(chart, { width, height: whole, viewBox: `0 0 ${width} ${whole}`, "aria-label": say("racing.dots.label", { figures: spoken.join("; ") }) });
  }

  return {
    update(record, costs, sets) {
      last = { record, costs, sets };
      draw();
    },
  };
}

function createName(chart) {
  const root = svg("g", null, chart);
  const names = pool(() => svg("text", { class: "race-name", x: 0 }, root)), tags = pool(() => svg("text", { class: "race-tag", x: 0 }, root));
  return {
    root,
    draw(row, y) {
      set(root, { "data-rule": row.rule });
      names.take(row.lines.length).forEach((line, n) => text(set(line, { y: y + row.first + 10 + n * NAME }), row.lines[n]));
      tags.take(row.tags.length).forEach((line, n) => text(set(line, { y: y + row.first + row.lines.length * NAME + 9 + n * SMALL }), row.tags[n]));
    },
  };
}

function createPanel(chart, panel) {
  const root = svg("g", { "data-panel": panel.name }, chart), ground = svg("g", null, root), layer = svg("g", null, root);
  const title = svg("text", { class: "pic-column" }, root), words = svg("text", { class: "pic-column-words" }, root);
  const grid = pool(() => svg("line", { class: "race-grid" }, ground)), labels = pool(() => svg("text", { class: "pic-text-soft", "text-anchor": "middle" }, root));
  const zero = svg("line", { class: "race-zero" }, ground);
  const rows = pool(() => createDot(layer));
  const estimate = (record, rule) => (panel.without && panel.without.includes(rule) ? null : record.summary.rules[rule][panel.name]);
  return {
    root, estimate,
    draw(record, list, under, costs, { x, y, room }) {
      const rules = list.map((row) => row.rule);
      const at = (rule) => estimate(record, rule);
      const predicted = (rule) => (panel.name === "speedup" && rule !== PLAIN ? predictedSpeedup(record, rule, costs) : null);
      const all = [panel.line];
      for (const rule of rules) {
        const one = at(rule), other = predicted(rule);
        if (one) all.push(one.mean, ...(hasInterval(one) ? [one.low, one.high] : []));
        if (other !== null) all.push(other);
      }
      const [least, most] = [Math.min(...all), Math.max(...all)], pad = (most - least || 1) * 0.06, low = least - pad, high = most + pad;
      const to = (q) => x + ((q - low) / (high - low)) * room, floor = y + HEAD + under;
      text(set(title, { x, y: y + 11 }), titleOf(panel));
      text(set(words, { x, y: y + 25 }), say(panel.words));
      const steps = ticks(low, high, Math.max(2, room / 52));
      grid.take(steps.length).forEach((line, n) => set(line, { x1: to(steps[n]), x2: to(steps[n]), y1: y + HEAD, y2: floor + 4 }));
      labels.take(steps.length).forEach((label, n) => text(set(label, { x: to(steps[n]), y: floor + 15 }), tickText(steps[n])));
      set(zero, { x1: to(panel.line), x2: to(panel.line), y1: y + HEAD, y2: floor + 4 });
      rows.take(rules.length).forEach((row, n) => row.draw(record, rules[n], at(rules[n]), predicted(rules[n]), { to, y: y + HEAD + list[n].y + list[n].height / 2, right: x + room + FIGURE, panel }));
    },
  };
}

function createDot(parent) {
  const root = svg("g", null, parent);
  const line = svg("path", { class: "race-interval", "data-kind": "interval" }, root);
  const hollow = svg("path", { class: "race-predicted", "data-kind": "predicted" }, root);
  const dot = svg("circle", { r: 4.5, "data-kind": "mean" }, root);
  const figure = svg("text", { class: "pic-figure", "text-anchor": "end" }, root);
  return {
    root,
    draw(record, rule, estimate, predicted, { to, y, right, panel }) {
      const path = pointer("race:", "summary", "rules", rule, panel.name), lossy = !losslessHere(record, rule);
      set(root, { "data-rule": rule, class: lossy ? "is-lossy" : "" });
      for (const node of [dot, figure]) present(node, Boolean(estimate));
      present(line, hasInterval(estimate));
      present(hollow, predicted !== null);
      if (estimate) {
        set(dot, { cx: to(estimate.mean), cy: y, class: lossy ? "race-dot is-lossy" : "race-dot", "data-path": `${path}/mean`, "data-value": estimate.mean });
        tip(dot, say(lossy ? "racing.dot_lossy" : "racing.dot", { rule: laneWords(rule), figure: titleOf(panel), value: panel.format(estimate.mean) }));
        value(set(figure, { x: right, y: y + 4 }), estimate.mean, `${path}/mean`, { format: panel.format, name: sayMeasure("measure.named", { name: laneWords(rule), what: titleOf(panel) }) });
      }
      if (hasInterval(estimate)) {
        const [a, b] = [to(estimate.low), to(estimate.high)].map((q) => q.toFixed(2));
        set(line, { d: `M${a} ${y - 4}v8M${a} ${y}H${b}M${b} ${y - 4}v8`, "data-low": estimate.low, "data-high": estimate.high });
      }
      if (predicted !== null) {
        set(hollow, { d: `M${to(predicted).toFixed(2)} ${y - 5.5}l5.5 5.5l-5.5 5.5l-5.5 -5.5z`, "data-path": "derived:predicted_speedup", "data-value": predicted });
        tip(hollow, say("racing.predicted", { rule: laneWords(rule), value: number(predicted) }));
      }
    },
  };
}
