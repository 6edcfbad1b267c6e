/**
 * A picture of series over a whole number or a quantity: lines, marks, whiskers, a readout for the pointer and for the arrow keys,
 * and the same as a table. A series is told by its mark and its dashes, not by a colour: the page's colours have meanings of their own.
 */

import { cells, frame } from "../marks.js";
import { number } from "../format.js";
import { exportButtons } from "../compare/pictures_export.js";
import { phrase } from "../compare/measure_parts.js";
import { ticks, tickText } from "../compare/scale.js";
import { say } from "../words/parts/lab_pictures.js";
import { say as sayMeasure } from "../words/parts/measure.js";
import { say as sayViewer } from "../words/parts/viewer.js";
import { pieces } from "../words/pieces.js";
import { insideParts, tooWide } from "./lab_words.js";
import { createScroller } from "../scroller.js";
import { html, onWidth, pool, present, set, show, svg, text, tip } from "../svg.js";

const LEFT = 46, RIGHT = 14, TOP = 12, BOTTOM = 34, HEIGHT = 250, REACH = 32, STYLES = 6;
const MARKS = [
  "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", "M-3.6 -3.6h7.2v7.2h-7.2z", "M0 -4.6l4.4 7.8h-8.8z", "M0 -5l4.6 5l-4.6 5l-4.6 -5z", "M0 4.6l4.4 -7.8h-8.8z", "M-4 -1.3h2.7v-2.7h2.6v2.7h2.7v2.6h-2.7v2.7h-2.6v-2.7h-2.7z",
];

/**
 * @typedef {object} Series
 * @property {string} name @property {string} [words] in the legend @property {import("./series.js").Point[]} points @property {boolean} [line] its points are joined
 * @property {boolean} [dots] false: no marks @property {(p: any) => boolean} [whiskers] which intervals are drawn @property {boolean} [hollow] @property {number} [style]
 */

/** Where a point's mean stands: in an interval, or (`bare`) by itself. @param {any} point */
const pathOf = (point) => (point.bare ? point.path : `${point.path}/mean`);

const LETTER = 6, LINE = 12; // px: about a letter and a line of the labels at the best γ

/** Whether a whisker is drawn. @param {any} series @param {any} point */
const isWhiskered = (series, point) => point.low !== null && !tooWide(point) && (!series.whiskers || series.whiskers(point));

/**
 * @param {Element} container
 * @param {{name: string, title: string, about: string, x: string, y: string, format?: (x: any) => string, tick?: (x: number) => string, zero?: number, top?: number, within?: [number, number], whole?: boolean}} options
 *   `zero`: a value that is marked and always inside; `top`: what no value is above, though an interval may reach there; `within`: where intervals are cut off, as no value can lie beyond; `whole`: x are whole numbers
 */
export function createChart(container, { name, title, about, x: xWords, y: yWords, format = number, tick = tickText, zero = null, top = Infinity, within = [-Infinity, Infinity], whole = true }) {
  const inside = (x) => Math.min(Math.max(x, within[0]), within[1]);
  /** @param {any} point */
  const words = (point) => {
    const figure = [{ value: point.mean, path: pathOf(point), format }, ...insideParts(point, point.path, (x) => format(inside(x)))];
    return point.said ? point.said(figure) : figure;
  };
  const { root, body, caption, tools, instead } = frame(container, { name: `lab-${name}`, title, about });
  const legend = html("ul", { class: "pic-legend lab-legend" }, body);
  const box = html("div", { class: "lab-plot" }, body);
  const chart = /** @type {SVGSVGElement} */ (svg("svg", { class: "pic-chart lab-chart", role: "img", tabindex: 0, "aria-describedby": `lab-${name}-readout` }, box));
  const readout = html("p", { class: "lab-readout", id: `lab-${name}-readout`, role: "status" }, body), says = phrase(readout);
  const more = html("details", { class: "lab-as-table" }, body);
  html("summary", null, more, say("sweep.as_table"));
  const scroll = createScroller(more), table = html("table", { class: "lab-table" }, scroll);
  exportButtons(tools, chart, `lab-${name}`, () => ({ title, caption: caption.textContent || "" }));

  const ground = svg("g", null, chart), layer = svg("g", null, chart);
  const grid = pool(() => svg("line", { class: "race-grid" }, ground)), steps = pool(() => svg("text", { class: "pic-text-soft", "text-anchor": "end" }, ground));
  const places = pool(() => svg("text", { class: "pic-text-soft", "text-anchor": "middle" }, ground));
  const axis = svg("line", { class: "pic-axis" }, ground), zeroLine = svg("line", { class: "race-zero" }, ground);
  const bandOf = pool(() => svg("line", { class: "lab-best" }, ground)), bandWords = pool(() => svg("text", { class: "lab-best-words" }, ground));
  const below = svg("text", { class: "pic-column-words", "text-anchor": "end" }, ground), beside = svg("text", { class: "pic-column-words" }, ground);
  const lines = pool(() => createSeries(layer)), keys = pool(() => createKey(legend));
  const ring = svg("circle", { class: "lab-ring", r: 8 }, chart);
  present(ring, false);
  let last = null, width = 0, chosen = null, places_ = [];

  onWidth(box, (w) => {
    width = w;
    draw();
  });

  function draw() {
    if (!last || !width) return;
    const { series, best = [] } = last, points = series.flatMap((one) => one.points), xs = points.map((p) => p.x);
    const ends = series.flatMap((one) => one.points.flatMap((p) => [p.mean, ...(isWhiskered(one, p) ? [inside(p.low), inside(p.high)] : [])])), centre = points.map((p) => p.mean);
    // An interval from two prompts may reach anywhere: it is cut off rather than flattening everything else.
    const spread = Math.max(...centre) - Math.min(...centre) || Math.abs(centre[0] || 1) * 0.2, far = spread * 1.5;
    let low = Math.max(Math.min(...ends), Math.min(...centre) - far), high = Math.min(Math.max(...ends), Math.max(...centre) + far);
    if (zero !== null) [low, high] = [Math.min(low, zero), Math.max(high, zero)];
    const pad = (high - low || 1) * 0.07;
    [low, high] = [low - (zero !== null && low === zero ? 0 : pad), Math.min(high + pad, top)];
    const [least, most] = whole ? [Math.min(...xs), Math.max(...xs)] : [0, Math.max(...xs, 0.1) * 1.02], side = whole ? Math.max((most - least) * 0.03, 0.3) : 0;
    const X = (x) => LEFT + ((x - least + side) / (most - least + 2 * side || 1)) * (width - LEFT - RIGHT), Y = (y) => HEIGHT - BOTTOM - ((Math.min(Math.max(y, low), high) - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
    const floor = HEIGHT - BOTTOM;
    set(chart, { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, "aria-label": say("sweep.picture", { title, caption: caption.textContent || "" }) });
    const rows = ticks(low, high, 6), columns = whole ? [...new Set(xs)].sort((a, b) => a - b) : ticks(least, most, Math.max(3, width / 70));
    const apart = columns.length > 1 ? (X(columns[columns.length - 1]) - X(columns[0])) / (columns.length - 1) : width, nth = Math.max(1, Math.ceil(20 / apart));
    grid.take(rows.length).forEach((line, n) => set(line, { x1: LEFT, x2: width - RIGHT, y1: Y(rows[n]), y2: Y(rows[n]) }));
    steps.take(rows.length).forEach((label, n) => text(set(label, { x: LEFT - 6, y: Y(rows[n]) + 4 }), tick(rows[n])));
    const labelled = columns.filter((_, n) => n % nth === 0);
    places.take(labelled.length).forEach((label, n) => text(set(label, { x: X(labelled[n]), y: floor + 14 }), tickText(labelled[n])));
    set(axis, { x1: LEFT, x2: width - RIGHT, y1: floor, y2: floor });
    present(zeroLine, zero !== null);
    if (zero !== null) set(zeroLine, { x1: LEFT, x2: width - RIGHT, y1: Y(zero), y2: Y(zero) });
    text(set(below, { x: width - RIGHT, y: floor + 29 }), xWords);
    text(set(beside, { x: 2, y: 9 }), yWords);
    const labels = bestLabels(best, X, width), bandTop = TOP + 2 + LINE * Math.max(0, ...labels.map((one) => one.line + 1));
    bandOf.take(best.length).forEach((line, n) => tip(set(line, { x1: X(best[n].x), x2: X(best[n].x), y1: bandTop, y2: floor, "data-path": "derived:best_gamma", "data-value": best[n].x, "data-rule": best[n].name, class: `lab-best is-s${best[n].style}` }), best[n].words));
    bandWords.take(labels.length).forEach((label, n) => text(set(label, { x: labels[n].x, y: TOP + 10 + LINE * labels[n].line }), labels[n].words));
    lines.take(series.length).forEach((line, n) => line.draw(series[n], styleOf(series, n), { X, Y, low, high, format, inside }));
    places_ = series.flatMap((one, s) => one.points.map((p, n) => ({ p, s, n, x: X(p.x), y: Y(p.mean), one })));
    point(null);
  }

  /** Reads a point out, or takes the readout away. */
  function point(place, loud = false) {
    chosen = place;
    present(ring, Boolean(place));
    set(readout, { "aria-live": loud ? "polite" : "off" });
    if (!place) return void says([last && last.hint ? last.hint : say("sweep.readout")]);
    set(ring, { cx: place.x, cy: place.y });
    const { p, one } = place;
    const said = { series: one.words || one.name, figure: words(p) };
    says(p.at ? pieces("sweep.point_at", { ...said, place: p.at }) : pieces("sweep.point", { ...said, axis: xWords, x: whole ? p.x : number(p.x) }));
  }
  chart.addEventListener("pointermove", (event) => {
    const box_ = chart.getBoundingClientRect(), x = event.clientX - box_.left, y = event.clientY - box_.top;
    const near = places_.map((one) => ({ one, far: Math.hypot(one.x - x, one.y - y) })).sort((a, b) => a.far - b.far)[0];
    point(near && near.far < REACH ? near.one : null);
  });
  chart.addEventListener("pointerleave", () => point(null));
  chart.addEventListener("blur", () => point(null));
  chart.addEventListener("keydown", (event) => {
    if (!event.key.startsWith("Arrow") || !places_.length) return;
    event.preventDefault();
    event.stopPropagation();
    if (!chosen) return point(places_[0], true);
    const sorted = [...places_].sort((a, b) => a.x - b.x);
    const mine = sorted.filter((one) => one.s === chosen.s), at = mine.indexOf(chosen), step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) return point(mine[Math.min(Math.max(at + step, 0), mine.length - 1)], true);
    const all = [...new Set(places_.map((one) => one.s))], next = all[Math.min(Math.max(all.indexOf(chosen.s) + (event.key === "ArrowDown" ? 1 : -1), 0), all.length - 1)];
    point(sorted.filter((one) => one.s === next).reduce((best, one) => (Math.abs(one.x - chosen.x) < Math.abs(best.x - chosen.x) ? one : best)), true);
  });

  /** The table of all points: only once it is open, it may be long. */
  function fill() {
    table.textContent = "";
    if (!last || !more.open) return;
    const head = html("tr", null, html("thead", null, table)), rows = html("tbody", null, table), { series } = last;
    const columns = [...new Set(series.flatMap((one) => one.points.map((p) => p.at || p.x)))];
    html("th", { scope: "col" }, head, xWords);
    for (const one of series) html("th", { scope: "col" }, head, one.words || one.name);
    for (const column of columns) {
      const row = html("tr", null, rows);
      html("th", { scope: "row" }, row, String(column));
      for (const one of series) {
        const cell = html("td", null, row), p = one.points.find((q) => (q.at || q.x) === column);
        if (p) phrase(cell)(words(p));
      }
    }
  }
  more.addEventListener("toggle", fill);

  return {
    root, body, caption, tools,
    /** @param {{series: Series[], caption: string, few?: string, best?: any[], hint?: string}|null} what `few`: a word on its intervals @param {string} [why] words in place of the picture */
    update(what, why = say("sweep.nothing")) {
      const some = what && what.series.some((one) => one.points.length);
      last = some ? what : null;
      instead(some ? null : why);
      show(tools, Boolean(some));
      if (!some) return;
      const first = what.caption[0].toUpperCase() + what.caption.slice(1);
      text(caption, what.few ? sayMeasure("measure.sentences", { first, second: what.few }) : first);
      const named = what.series.filter((one) => one.words !== "");
      keys.take(named.length).forEach((key, n) => key.draw(named[n], styleOf(what.series, what.series.indexOf(named[n]))));
      show(legend, named.length > 1);
      draw();
      fill();
    },
  };
}

const styleOf = (series, n) => (series[n].style ?? n) % STYLES;

function createKey(parent) {
  const root = html("li", null, parent), picture = svg("svg", { width: 30, height: 12, class: "lab-key", "aria-hidden": "true" }, root), name = html("span", null, root);
  const line = svg("path", { d: "M0 6H30" }, picture), mark = svg("path", { transform: "translate(15 6)" }, picture);
  return {
    root,
    draw(series, style) {
      set(line, { class: series.line ? `lab-line is-s${style}` : "lab-none" });
      present(mark, series.dots !== false);
      set(mark, { d: MARKS[style], class: `lab-mark is-s${style}${series.hollow ? " is-hollow" : ""}` });
      text(name, series.words || series.name);
    },
  };
}

/** A whisker's end: a bar, or an arrow (`depth` px, downwards from its tip) where it goes on beyond the axis. */
const end = (x, y, depth) => `M${(x - 3).toFixed(1)} ${(y + depth).toFixed(1)}L${x.toFixed(1)} ${y.toFixed(1)}L${(x + 3).toFixed(1)} ${(y + depth).toFixed(1)}`;

/**
 * The labels at the best γ: one for rules that share it, more where it would be too long, on lines of their own where they would overprint each other.
 * @param {any[]} best @param {(x: number) => number} X @param {number} width @returns {{words: string, x: number, line: number}[]} x: where it begins
 */
export function bestLabels(best, X, width) {
  const ends = [], wordsOf = (rules) => say("sweep.best", { rules: rules.join(sayViewer("viewer.comma")) }), widthOf = (rules) => cells(wordsOf(rules)) * LETTER;
  /** @type {{gamma: number, rules: string[]}[]} */
  const labels = [];
  for (const { x: gamma, short } of [...best].sort((a, b) => a.x - b.x)) {
    const last = labels[labels.length - 1];
    if (last && last.gamma === gamma && widthOf([...last.rules, short]) <= width - LEFT - 2) last.rules.push(short);
    else labels.push({ gamma, rules: [short] });
  }
  return labels.map(({ gamma, rules }) => {
    const words = wordsOf(rules), wide = widthOf(rules);
    const x = Math.max(Math.min(X(gamma) - wide / 2, width - wide), LEFT + 2), free = ends.findIndex((taken) => taken + LETTER < x), line = free < 0 ? ends.length : free;
    ends[line] = x + wide;
    return { words, x, line };
  });
}

function createSeries(parent) {
  const root = svg("g", null, parent), path = svg("path", { class: "lab-line" }, root);
  const whiskers = pool(() => svg("path", null, root)), marks = pool(() => svg("path", null, root));
  return {
    root,
    draw(series, style, { X, Y, low, high, format, inside }) {
      set(root, { "data-series": series.name });
      const { points } = series;
      set(path, { class: series.line ? `lab-line is-s${style}` : "lab-none", d: series.line && points.length ? "M" + points.map((p) => `${X(p.x).toFixed(1)} ${Y(p.mean).toFixed(1)}`).join("L") : null });
      const wide = points.filter((p) => isWhiskered(series, p));
      whiskers.take(wide.length).forEach((node, n) => {
        const p = wide[n], x = X(p.x) + (style - 1) * 2, ends = [inside(p.low), inside(p.high)], [a, b] = ends.map(Y);
        set(node, { class: `lab-whisker is-s${style}`, d: `${end(x, b, ends[1] > high ? 5 : 0)}M${x.toFixed(1)} ${b.toFixed(1)}V${a.toFixed(1)}${end(x, a, ends[0] < low ? -5 : 0)}`, "data-low": p.low, "data-high": p.high });
      });
      const shown = series.dots === false ? [] : points;
      marks.take(shown.length).forEach((node, n) => {
        const p = shown[n];
        set(node, { d: MARKS[style], transform: `translate(${X(p.x).toFixed(1)} ${Y(p.mean).toFixed(1)})`, class: `lab-mark is-s${style}${series.hollow ? " is-hollow" : ""}${p.class || ""}`, "data-path": pathOf(p), "data-value": p.mean, "data-x": p.x });
        tip(node, sayMeasure("measure.named", { name: series.words || series.name, what: format(p.mean) }));
      });
    },
  };
}
