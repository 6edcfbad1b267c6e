/**
 * The next two tokens, decoded many times by the loop itself: how often each pair came (a dot with its error bar) against the
 * target's probability (an orange mark), a panel a rule. Cells were fixed from the target before anything was counted.
 */

import { number, percent, pieceText } from "../format.js";
import { fit, fitting, frame } from "../marks.js";
import { ruleWords } from "../rule_gallery.js";
import { html, onWidth, pool, present, set, svg, text, tip, value } from "../svg.js";
import { say } from "../words/parts/lawcheck.js";
import { createHead, HEAD } from "./law_layout.js";
import { headOf, pairDistance, pairFinding, sharedWords } from "./law_words.js";
import { phrase } from "./measure_parts.js";
import { factsOf, pointer } from "./measure_rules.js";
import { allowSaving, exportButtons } from "./pictures_export.js";
import { axisOf, niceEnd, reach, tickText } from "./scale.js";

const ROW = 20, MONO = 7.25, Z = 1.96, FIGURE = 58, GAP = 20, LEAST = 170;

/** @param {Element} container */
export function createPairs(container) {
  const { tools, caption, body, instead } = frame(container, {
    name: "law-pairs",
    title: say("lawcheck.pairs.title"),
    about: say("lawcheck.pairs.about"),
  });
  const chart = /** @type {SVGSVGElement} */ (svg("svg", { class: "pic-chart law-chart", role: "img" }, body));
  const saves = exportButtons(tools, chart, "law-two-tokens", () => ({ caption: last ? say("lawcheck.pairs.saved", { caption: caption.textContent || "", count: last.pairs.done, shared: sharedWords(last), facts: factsOf(last) }) : "" }));
  const heads = pool(() => createHead(chart)), labels = pool(() => svg("text", { class: "pic-token" }, chart));
  const figures = pool(() => svg("text", { class: "pic-figure pic-text-target", "text-anchor": "end" }, chart));
  const over = svg("text", { class: "pic-text-target", "text-anchor": "end" }, chart);
  const ends = pool(() => svg("text", { class: "pic-text-soft" }, chart)), grid = pool(() => svg("line", { class: "race-grid" }, chart));
  const zeros = pool(() => svg("line", { class: "pic-axis" }, chart));
  const rows = pool(() => createRow(chart));
  const words = html("div", { class: "measure-findings" }, body);
  const sentences = pool(() => {
    const root = html("p", null, words);
    return { root, say: phrase(root) };
  });
  const shared = html("p", { class: "measure-note" }, body);
  let last = null, width = 0;
  onWidth(body, (w) => {
    width = w;
    draw();
  });

  function draw() {
    if (!last || !width) return;
    const { pairs, pieces, rules } = last, n = pairs.done;
    const order = pairs.cells.map((_, k) => k).sort((a, b) => pairs.target[b] - pairs.target[a]), list = [...order, -1];
    const p = (k) => (k < 0 ? pairs.rest_target : pairs.target[k]), count = (rule, k) => (k < 0 ? pairs.rules[rule].rest : pairs.rules[rule].counts[k]);
    const share = (rule, k) => (n ? count(rule, k) / n : 0), error = (k) => (n ? Z * Math.sqrt(Math.max(p(k) * (1 - p(k)), 0) / n) : 0);
    // Neither the rest nor a single huge cell sets the axis: what goes beyond it is drawn on a broken row with a scale of its own.
    const extent = (rule, k) => Math.max(p(k), share(rule, k) + error(k)), usual = reach((order.length ? order : [-1]).map((k) => p(k) + error(k)));
    const top = niceEnd(axisOf(usual, rules.flatMap((rule) => order.map((k) => extent(rule, k)))));
    const scale = (rule, k) => (extent(rule, k) <= top ? top : p(k) > top ? Math.max(...rules.map((one) => extent(one, k))) : extent(rule, k));
    const name = (k) => (k < 0 ? say("lawcheck.pairs.others") : pairs.cells[k].map((id) => pieceText(pieces[id])).join(" "));
    const label = width < 520 ? 96 : 168, side = label + FIGURE + rules.length * LEAST <= width, height = HEAD + list.length * ROW + 10;
    const panels = rules.map((_, r) => {
      const x = side ? label + FIGURE + GAP + (r * (width - label - FIGURE - GAP)) / rules.length : label, w = side ? (width - label - FIGURE - GAP) / rules.length - GAP : width - label;
      return { x, y: side ? 0 : r * height, head: side ? x : 0, rows: (side ? 0 : r * height) + HEAD, room: w - FIGURE - 6, end: x + w };
    });
    const labelled = side ? [panels[0]] : panels;
    labels.take(labelled.length * list.length).forEach((node, i) => {
      const k = list[i % list.length], place = labelled[Math.floor(i / list.length)];
      set(node, { x: 0, y: place.rows + (i % list.length) * ROW + 14, "data-token-id": k < 0 ? "rest" : pairs.cells[k][0] });
      let span = node.firstElementChild;
      if (!span || span.tagName !== "tspan") span = svg("tspan", null, node);
      text(span, fit(k < 0 ? fitting([name(k), say("lawcheck.pairs.rest")], Math.floor((label - 6) / MONO)) : name(k), Math.floor((label - 6) / MONO)));
      tip(node, k < 0 ? say("lawcheck.pairs.unlisted") : say("lawcheck.pairs.tip", { name: name(k), first: pairs.cells[k][0], second: pairs.cells[k][1], target: number(p(k)) }));
    });
    present(over, side);
    text(set(over, { x: label + FIGURE - 4, y: HEAD - 5 }), say("lawcheck.target"));
    figures.take(side ? list.length : 0).forEach((figure, i) => {
      const k = list[i];
      value(set(figure, { x: label + FIGURE - 4, y: HEAD + i * ROW + 14 }), p(k), k < 0 ? "law:/pairs/rest_target" : `law:/pairs/target/${k}`, { name: say("lawcheck.pairs.target", { name: name(k) }) });
    });
    heads.take(rules.length).forEach((head, r) => {
      const { large, small } = pairDistance(last, rules[r]);
      head.draw(panels[r], headOf(last, rules[r]), large, small);
    });
    zeros.take(rules.length).forEach((line, r) => set(line, { x1: panels[r].x, x2: panels[r].x, y1: panels[r].rows, y2: panels[r].rows + list.length * ROW }));
    ends.take(2 * rules.length).forEach((end, i) => {
      const panel = panels[i >> 1], last_ = i % 2;
      text(set(end, { x: panel.x + last_ * panel.room, y: panel.rows - 5, "text-anchor": last_ ? "end" : "start" }), last_ ? tickText(top) : "0");
    });
    grid.take(rules.length).forEach((line, r) => set(line, { x1: panels[r].x + panels[r].room, x2: panels[r].x + panels[r].room, y1: panels[r].rows, y2: panels[r].rows + list.length * ROW }));
    const cut = rules.some((rule) => list.some((k) => scale(rule, k) > top));
    text(caption, say("lawcheck.pairs.caption", { cut: cut ? say("lawcheck.pairs.cut") : "" }));
    rows.take(rules.length * list.length).forEach((row, i) => {
      const r = Math.floor(i / list.length), k = list[i % list.length], rule = rules[r];
      row.draw({ panel: panels[r], y: panels[r].rows + (i % list.length) * ROW, rule, name: name(k), target: p(k), share: share(rule, k), count: count(rule, k), done: n, error: error(k), scale: scale(rule, k), broken: scale(rule, k) > top,
        path: k < 0 ? pointer("law:", "pairs", "rules", rule, "rest") : pointer("law:", "pairs", "rules", rule, "counts", k) });
    });
    const whole = side ? height : rules.length * height;
    set(chart, { width, height: whole, viewBox: `0 0 ${width} ${whole}`, "aria-label": say("lawcheck.pairs.label", { count: n, rules: rules.map((rule) => say("lawcheck.pairs.label_rule", { rule: ruleWords(rule), value: number(pairs.rules[rule].p_value) })).join("; ") }) });
  }

  return {
    update(record) {
      if (!record || !record.pairs) {
        last = null;
        allowSaving(saves, say("lawcheck.pairs.unsaved"));
        return instead(say("lawcheck.pairs.none"));
      }
      instead(null);
      allowSaving(saves, record.pairs.done ? null : say("lawcheck.pairs.unsaved"));
      if (last && last.pairs === record.pairs) return;
      last = record;
      const found = record.rules.map((rule) => pairFinding(record, rule));
      sentences.take(found.length).forEach((sentence, k) => sentence.say(found[k]));
      text(shared, sharedWords(record));
      draw();
    },
  };
}

function createRow(parent) {
  const root = svg("g", { class: "law-row" }, parent);
  const mark = svg("rect", { class: "law-target-mark", "data-kind": "target" }, root);
  const error = svg("path", { class: "race-interval", "data-kind": "error" }, root);
  const dot = svg("circle", { class: "race-dot", r: 3.5, "data-kind": "share" }, root);
  const zigzag = svg("path", { class: "law-zigzag" }, root);
  const figure = svg("text", { class: "pic-figure", "text-anchor": "end" }, root);
  return {
    root,
    draw({ panel, y, rule, name, target, share, count, done, error: extent, scale, broken, path }) {
      const to = (q) => panel.x + (q / scale) * panel.room, middle = y + 10;
      set(root, { "data-rule": rule });
      set(mark, { x: to(target) - 1.25, y: y + 3, width: 2.5, height: 14 });
      present(dot, done > 0);
      present(error, done > 0);
      const off = Math.abs(share - target) > extent;
      set(dot, { cx: to(share), cy: middle, class: off ? "race-dot is-off" : "race-dot", "data-value": share, "data-path": "derived:pair_share" });
      tip(dot, say("lawcheck.pairs.dot", { name, rule: ruleWords(rule), share: percent(share), count: done, target: percent(target) }));
      const [a, b] = [Math.max(to(share - extent), panel.x), to(share + extent)].map((q) => q.toFixed(2));
      set(error, { d: `M${a} ${middle - 3}v6M${a} ${middle}H${b}M${b} ${middle - 3}v6` });
      present(zigzag, broken);
      set(zigzag, { d: `M${(panel.x + panel.room * 0.12).toFixed(2)} ${middle + 6}l4 -12m4 0l-4 12` });
      value(set(figure, { x: panel.end, y: y + 14 }), count, path, { format: String, name: say("lawcheck.pairs.count", { name }) });
    },
  };
}
