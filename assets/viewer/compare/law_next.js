/**
 * The law of the next token: the target's, and beside it each rule's with the signed difference, token by token. A bar that
 * follows the target ends at the orange mark; what is emitted too often stands right of the axis, filled, too rarely left of it, hollow.
 */

import { number, percent, pieceText } from "../format.js";
import { fit, fitting, frame } from "../marks.js";
import { ruleWords } from "../rule_gallery.js";
import { html, onWidth, pool, present, set, svg, text, tip, value } from "../svg.js";
import { say } from "../words/parts/lawcheck.js";
import { createHead, layoutOf } from "./law_layout.js";
import { distance, EQUAL, headOf, nextFinding } from "./law_words.js";
import { difference, NOTHING, phrase } from "./measure_parts.js";
import { factsOf, pointer } from "./measure_rules.js";
import { allowSaving, exportButtons } from "./pictures_export.js";
import { axisOf, niceEnd, reach, tickText } from "./scale.js";

const ROW = 20, MONO = 7.25, Z = 1.96; // of a 95 % error bar

/** @param {Element} container */
export function createNext(container) {
  const { tools, caption, body, instead } = frame(container, {
    name: "law-next",
    title: say("lawcheck.next.title"),
    about: say("lawcheck.next.about"),
  });
  const chart = /** @type {SVGSVGElement} */ (svg("svg", { class: "pic-chart law-chart", role: "img" }, body));
  const saves = exportButtons(tools, chart, "law-next-token", () => ({ caption: `${caption.textContent} ${last ? factsOf(last) : ""}` }));
  const targetHead = createHead(chart), heads = pool(() => createHead(chart));
  const labels = pool(() => svg("text", { class: "pic-token" }, chart));
  const targets = pool(() => createBar(chart, "target", "law-target"));
  const rows = pool(() => createRow(chart));
  const scales = pool(() => svg("text", { class: "pic-text-soft", "text-anchor": "middle" }, chart)), zeros = pool(() => svg("line", { class: "pic-axis" }, chart));
  const words = html("div", { class: "measure-findings" }, body);
  const sentences = pool(() => {
    const root = html("p", null, words);
    return { root, say: phrase(root) };
  });
  let last = null, width = 0;
  onWidth(body, (w) => {
    width = w;
    draw();
  });

  function draw() {
    if (!last || !width) return;
    const { next, pieces, rules } = last, order = next.ids.map((_, n) => n).sort((a, b) => next.target[b] - next.target[a]);
    const list = [...order, -1], g = layoutOf(width, rules.length, list.length, ROW);
    const at = { target: (n) => (n < 0 ? next.rest.target : next.target[n]), draft: (n) => (n < 0 ? next.rest.draft : next.draft[n]), law: (rule, n) => (n < 0 ? next.rules[rule].rest : next.rules[rule].law[n]) };
    const gapOf = (rule, n) => { const gap = at.law(rule, n) - at.target(n); return Math.abs(gap) < EQUAL ? 0 : gap; };
    const errors = (rule, n) => (n >= 0 && next.rules[rule].error ? Z * next.rules[rule].error[n] : 0);
    // Neither the rest, one number for many tokens, nor a single huge cell sets a scale: their bars are broken.
    const laws = (n) => rules.map((rule) => at.law(rule, n)), usual = reach(order.map(at.target));
    const top = Math.max(axisOf(usual, order.flatMap(laws)), 1e-9);
    const scale = (n) => (at.target(n) > top ? Math.max(at.target(n), ...laws(n)) : top);
    const spreads = new Map(rules.map((rule) => [rule, spreadOf(list, (n) => gapOf(rule, n), (n) => errors(rule, n))]));
    let cut = false;
    const name = (n) => (n < 0 ? say("lawcheck.others", { count: next.rest.count }) : pieceText(pieces[next.ids[n]]));

    present(targetHead.root, g.target !== null);
    if (g.target) targetHead.draw(g.target, { name: say("lawcheck.target"), claim: say("lawcheck.target.about"), lossy: false }, null, []);
    targets.take(g.target ? list.length : 0).forEach((bar, k) => {
      const n = list[k], y = g.target.rows + k * ROW;
      bar.draw({ x: g.target.bar, y: y + 4, length: (at.target(n) / scale(n)) * g.target.room, height: 11, x2: g.target.figure, baseline: y + 14, probability: at.target(n), path: n < 0 ? "law:/next/rest/target" : `law:/next/target/${n}`, broken: scale(n) > top, tooltip: say("lawcheck.tip.target", { name: name(n), target: number(at.target(n)), draft: number(at.draft(n)) }) });
    });
    labels.take(g.labels.length * list.length).forEach((label, k) => {
      const n = list[k % list.length], place = g.labels[Math.floor(k / list.length)];
      set(label, { x: place.x, y: place.rows + (k % list.length) * ROW + 14, "data-token-id": n < 0 ? "rest" : next.ids[n] });
      spanned(label, fit(n < 0 ? fitting([name(n), `+${next.rest.count}`], Math.floor(g.label / MONO)) : name(n), Math.floor(g.label / MONO)), n < 0 ? name(n) : say("lawcheck.tip.token", { name: name(n), id: next.ids[n] }));
    });
    heads.take(rules.length).forEach((head, r) => {
      const { large, small } = distance(last, rules[r]);
      head.draw(g.panels[r], headOf(last, rules[r]), large, small);
    });
    zeros.take(rules.length).forEach((line, r) => set(line, { x1: g.panels[r].zero, x2: g.panels[r].zero, y1: g.panels[r].rows, y2: g.panels[r].rows + list.length * ROW }));
    scales.take(rules.length).forEach((label, r) => text(set(label, { x: g.panels[r].zero, y: g.panels[r].rows - 5, "data-rule": rules[r], "data-spread": spreads.get(rules[r]) }), spreads.get(rules[r]) ? `−${tickText(spreads.get(rules[r]))} … ${tickText(spreads.get(rules[r]))}` : say("lawcheck.no_difference")));
    rows.take(rules.length * list.length).forEach((row, k) => {
      const rule = rules[Math.floor(k / list.length)], n = list[k % list.length], panel = g.panels[Math.floor(k / list.length)];
      const gap = gapOf(rule, n), spread = spreads.get(rule) || 1;
      cut = cut || Math.abs(gap) > spread || scale(n) > top || at.law(rule, n) > top;
      row.draw({ panel, y: panel.rows + (k % list.length) * ROW, rule, name: name(n), id: n < 0 ? "rest" : next.ids[n], target: at.target(n), law: at.law(rule, n), gap, error: errors(rule, n), scale: scale(n), spread,
        path: n < 0 ? pointer("law:", "next", "rules", rule, "rest") : pointer("law:", "next", "rules", rule, "law", n), broken: scale(n) > top || at.law(rule, n) > top });
    });
    text(caption, say("lawcheck.next.caption", { scales: [...spreads.values()].some(Boolean) ? say("lawcheck.next.scales") : "", cut: cut ? say("lawcheck.next.cut") : "" }));
    set(chart, { width, height: g.height, viewBox: `0 0 ${width} ${g.height}`, "aria-label": say("lawcheck.next.label", { rules: rules.map((rule) => say("lawcheck.next.label_rule", { rule: ruleWords(rule), value: number(next.rules[rule].tv) })).join("; ") }) });
  }

  return {
    update(record) {
      if (!record || !record.next) {
        last = null;
        allowSaving(saves, say("lawcheck.next.unsaved"));
        return instead(say("lawcheck.next.none"));
      }
      instead(null);
      allowSaving(saves, null);
      if (last && last.next === record.next && last.pairs === record.pairs) return;
      last = record;
      const found = record.rules.map((rule) => nextFinding(record, rule));
      sentences.take(found.length).forEach((sentence, n) => sentence.say(found[n]));
      draw();
    },
  };
}

/** How far the axis of a rule's differences reaches; 0 where there are none. The rest sets it only where nothing else differs. */
function spreadOf(list, gapOf, errorOf) {
  const size = (n) => (Math.abs(gapOf(n)) < NOTHING ? 0 : Math.abs(gapOf(n))) + errorOf(n);
  const far = reach(list.filter((n) => n >= 0).map(size)) || size(-1);
  return far > 0 ? niceEnd(far) : 0;
}

/** Text beside a tooltip in one SVG node. */
function spanned(node, words, tooltip) {
  let span = node.firstElementChild;
  if (!span || span.tagName !== "tspan") span = svg("tspan", null, node);
  text(span, words);
  tip(node, tooltip);
}

function createBar(parent, kind, className) {
  const root = svg("g", null, parent);
  const rect = svg("rect", { class: className, "data-kind": kind }, root), zigzag = svg("path", { class: "pic-break" }, root);
  const figure = svg("text", { class: "pic-figure" }, root);
  return {
    root,
    draw({ x, y, length, height, x2, baseline, probability, path, broken, tooltip }) {
      set(rect, { x, y, width: probability > 0 ? Math.max(length, 0.75) : 0, height, "data-value": probability, "data-path": path });
      tip(rect, tooltip);
      present(zigzag, broken && length > 12);
      set(zigzag, { d: `M${(x + length * 0.45).toFixed(2)} ${y + height + 2}l5 ${-height - 4}l4 0l-5 ${height + 4}z` });
      value(set(figure, { x: x2, y: baseline }), probability, path, { name: tooltip });
    },
  };
}

function createRow(parent) {
  const root = svg("g", { class: "law-row" }, parent);
  const bar = createBar(root, "law", "law-bar");
  const mark = svg("rect", { class: "law-target-mark" }, root);
  const gapBar = svg("rect", { "data-kind": "difference" }, root), error = svg("path", { class: "race-interval", "data-kind": "error" }, root);
  const cut = svg("path", { class: "pic-break" }, root);
  const figure = svg("text", { class: "pic-figure", "text-anchor": "end" }, root);
  return {
    root,
    draw({ panel, y, rule, name, id, target, law, gap, error: extent, scale, spread, path, broken }) {
      const slots = { name, rule: ruleWords(rule) }, to = (p) => (p / scale) * panel.room, by = (d) => (d / spread) * panel.half;
      set(root, { "data-rule": rule, "data-token-id": id });
      bar.draw({ x: panel.bar, y: y + 5, length: Math.min(Math.max(to(law), 0), panel.room), height: 9, x2: panel.figure, baseline: y + 14, probability: law, path, broken, tooltip: say("lawcheck.under_share", { ...slots, share: percent(law) }) });
      set(mark, { x: panel.bar + to(target) - 1, y: y + 2, width: 2.5, height: 15 });
      const whole = Math.abs(by(gap)), length = Math.min(whole, panel.half), side = gap > 0 ? 1 : -1;
      present(gapBar, Math.abs(gap) >= NOTHING);
      present(cut, whole > length * (1 + 1e-9));
      set(cut, { d: `M${(panel.zero + side * length * 0.6 - 4).toFixed(2)} ${y + 17}l5 -15l4 0l-5 15z` });
      set(gapBar, { x: gap > 0 ? panel.zero : panel.zero - length, y: y + 4, width: Math.max(length, 0.75), height: 11, class: `${gap > 0 ? "law-more" : "law-less"}${extent > 0 ? " is-estimated" : ""}`, "data-value": gap, "data-path": "derived:law_difference" });
      const placed = extent > 0 && whole <= length * (1 + 1e-9); // a broken bar ends at no place of the axis
      present(error, placed);
      if (placed) {
        const [a, b] = [panel.zero + by(gap - extent), panel.zero + by(gap + extent)].map((q) => q.toFixed(2));
        set(error, { d: `M${a} ${y + 6}v7M${a} ${y + 9.5}H${b}M${b} ${y + 6}v7` });
      }
      value(set(figure, { x: panel.end, y: y + 14 }), gap, "derived:law_difference", { format: difference, name: extent > 0 ? say("lawcheck.difference_error", { ...slots, low: difference(gap - extent), high: difference(gap + extent) }) : say("lawcheck.difference", slots) });
    },
  };
}
