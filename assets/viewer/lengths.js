/**
 * The law of τ: how many drafted tokens will be kept, given this drafted block and before any η is looked at. One small
 * chart a rule, the chosen rule's outlined, the others on demand; E[τ] of each beside what it kept.
 */

import { decide, expectedLength, inWindow, rulesOf, runningMean } from "./derive.js";
import { number, numeric, ROUNDING } from "./format.js";
import { cells, clicks, explained, explains, frame } from "./marks.js";
import { createScroller } from "./scroller.js";
import { ruleWords } from "./rule_names.js";
import { html, onWidth, pool, present, set, svg, text, value } from "./svg.js";
import { say } from "./words/parts/step_pictures.js";

const CHART = { top: 26, height: 84, bottom: 30, least: 17 };
const FIGURE = 6.1; // width of a digit of the written values

/** @param {Element} container @param {object} actions */
export function createLengths(container, actions) {
  const { root, tools, caption, body, instead } = frame(container, {
    name: "lengths",
    title: say("drawn.lengths.title"),
    about: say("drawn.lengths.about"),
  });
  const more = html("button", { type: "button", class: "pic-toggle", "aria-expanded": "false" }, tools, say("drawn.lengths.more"));
  const charts = html("div", { class: "pic-charts" }, body);
  const panels = pool(() => createChart(charts));
  const table = createTable(body, actions);
  const note = html("p", { class: "pic-note" }, body);
  clicks(root, actions);
  let last = null, width = 0, open = false;
  more.addEventListener("click", () => {
    open = !open;
    set(more, { "aria-expanded": String(open) });
    if (last) draw();
  });
  onWidth(body, (w) => {
    width = w;
    if (last) draw();
  });

  function draw() {
    const rules = [last.rule, ...rulesOf(last.trace, last.block).filter((name) => name !== last.rule)];
    present(more, rules.length > 1);
    const drawn = open ? rules : rules.slice(0, 1);
    panels.take(drawn.length).forEach((panel, n) => panel.draw(last, drawn[n], width));
    table.update(last);
    text(note, comparison(last));
  }

  return {
    update(view) {
      last = null;
      present(more, false);
      if (!view.block) return instead(say("drawn.nothing"));
      if (view.phase === "draft") return instead(say("drawn.lengths.unscored"));
      instead(null);
      last = view;
      text(caption, say(view.block.gamma === 0 ? "drawn.lengths.caption_none" : view.revealed.cut ? "drawn.lengths.caption_cut" : "drawn.lengths.caption"));
      if (width) draw();
    },
  };
}

/** τ of a rule on the uniforms shown, dragged or not. */
const kept = (view, rule) => (view.whatIf ? decide(view.block.verdicts[rule], view.whatIf.uniforms).accepted : view.block.verdicts[rule].accepted);

function createChart(parent) {
  const root = html("figure", { class: "pic-law" }, parent);
  const head = html("figcaption", null, root);
  const scroll = createScroller(root);
  const chart = svg("svg", { class: "pic-chart", role: "img" }, scroll);
  const base = svg("line", { class: "pic-axis" }, chart);
  const bars = pool(() => svg("rect", { "data-kind": "length_law" }, chart));
  const figures = pool(() => svg("text", { class: "pic-figure pic-small" }, chart));
  const ticks = pool(() => svg("text", { "text-anchor": "middle" }, chart));
  const mark = svg("text", { class: "pic-text-soft", "text-anchor": "middle" }, chart);
  return {
    root,
    draw(view, rule, width) {
      const verdict = view.block.verdicts[rule], law = verdict.length_law.map(numeric), n = law.length;
      const chosen = rule === view.rule;
      set(root, { class: `pic-law${chosen ? " is-chosen" : ""}`, "data-rule": rule });
      text(head, chosen ? say("drawn.lengths.chosen", { rule: ruleWords(rule) }) : ruleWords(rule));
      const inner = Math.max(width - 18, 60), slot = Math.max(CHART.least, inner / n);
      const longest = Math.max(...law.map((p) => number(p).length)) * FIGURE;
      const turned = longest + 4 > slot;
      const top = turned ? Math.ceil(longest) + 10 : CHART.top, largest = Math.max(...law, 1e-9), floor = top + CHART.height;
      const tau = kept(view, rule), known = view.revealed.cut && !view.predicting;
      const rects = bars.take(n), numbers = figures.take(n), labels = ticks.take(n);
      for (let i = 0; i < n; i++) {
        const height = law[i] > 0 ? Math.max((law[i] / largest) * CHART.height, 0.75) : 0, middle = (i + 0.5) * slot;
        const path = `/blocks/${view.blockIndex}/verdicts/${rule}/length_law/${i}`;
        set(rects[i], { x: middle - slot * 0.36, width: slot * 0.72, y: floor - height, height, class: known && i === tau ? "pic-law-bar is-drawn" : "pic-law-bar", "data-value": law[i], "data-path": path });
        const at = { x: middle + (turned ? 4 : 0), y: floor - height - 5 };
        set(numbers[i], { ...at, "text-anchor": turned ? "start" : "middle", transform: turned ? `rotate(-90 ${at.x.toFixed(2)} ${at.y.toFixed(2)})` : null });
        explains(value(numbers[i], law[i], path, { name: `P(τ = ${i})` }), "length_law", { rule, i });
        text(set(labels[i], { x: middle, y: floor + 13, class: known && i === tau ? "is-drawn" : "" }), String(i));
      }
      set(base, { x1: 0, x2: n * slot, y1: floor + 0.5, y2: floor + 0.5 });
      present(mark, known);
      const words = say(view.whatIf ? "drawn.lengths.what_if" : "drawn.lengths.here");
      const half = cells(words) * 3;
      text(set(mark, { x: Math.min(Math.max((tau + 0.5) * slot, half), n * slot - half), y: floor + 26 }), words);
      const height = floor + CHART.bottom;
      set(chart, { width: n * slot, height, viewBox: `0 0 ${n * slot} ${height}`, "aria-label": say(known ? "drawn.lengths.label_known" : "drawn.lengths.label", { rule: ruleWords(rule), law: law.map((p, i) => `${i}: ${number(p)}`).join(", "), kept: tau }) });
    },
  };
}

/** Rules down; E[τ│block], what was kept here, and the running means of both. */
function createTable(parent, actions) {
  const scroll = createScroller(parent);
  const table = html("table", { class: "pic-table" }, scroll);
  const head = html("tr", null, html("thead", null, table));
  for (const words of [say("drawn.lengths.rule"), "E[τ│block]", say("drawn.lengths.kept"), say("drawn.lengths.mean_expected"), say("drawn.lengths.mean_kept")]) html("th", { scope: "col" }, head, words);
  const bodyNode = html("tbody", null, table);
  const foot = html("p", { class: "pic-note" }, parent);
  const rows = pool(() => {
    const root = html("tr", null, bodyNode);
    const name = html("th", { scope: "row" }, root);
    const button = html("button", { type: "button" }, name);
    button.addEventListener("click", () => actions.setRule && actions.setRule(button.dataset.rule));
    const cells = Array.from({ length: 4 }, () => html("span", null, html("td", null, root)));
    return { root, button, cells };
  });
  return {
    update(view) {
      const known = view.revealed.cut && !view.predicting;
      const last = known ? view.blockIndex : view.blockIndex - 1;
      const order = rulesOf(view.trace, view.block);
      rows.take(order.length).forEach(({ root, button, cells }, n) => {
        const rule = order[n], verdict = view.block.verdicts[rule], base = `/blocks/${view.blockIndex}/verdicts/${rule}`;
        set(root, { class: rule === view.rule ? "is-chosen" : "" });
        set(text(button, ruleWords(rule)), { "data-rule": rule, "aria-pressed": String(rule === view.rule) });
        explained(value(cells[0], verdict.expected_accepted ?? expectedLength(verdict.length_law), `${base}/expected_accepted`, { name: say("drawn.lengths.expected_name", { rule: ruleWords(rule) }) }), "expected_accepted", { rule });
        const tau = kept(view, rule);
        present(cells[1], known);
        if (known) value(cells[1], tau, view.whatIf ? "derived:what_if_accepted" : `${base}/accepted`, { format: String });
        const mean = last >= 0 ? runningMean(view.trace, rule, last) : null;
        for (const [cell, key] of [[cells[2], "expected"], [cells[3], "accepted"]]) value(cell, mean ? mean[key] : null, `derived:mean_${key}`, { name: say("drawn.lengths.mean_name", { count: last + 1 }) });
      });
      text(foot, last < 0 ? say("drawn.lengths.means_begin") : say("drawn.lengths.means", { count: last + 1 }));
    },
  };
}

function comparison(view) {
  const { token, block } = view.block.verdicts;
  if (!token || !block || view.block.gamma === 0) return "";
  const gap = numeric(block.expected_accepted) - numeric(token.expected_accepted);
  const owed = inWindow(view.block) ? say("drawn.lengths.owed", { rule: ruleWords(view.block.verifier) }) : "";
  // Closer than the models' own rounding they are the same.
  return (Math.abs(gap) < ROUNDING ? say("drawn.lengths.same") : say(gap < 0 ? "drawn.lengths.fewer" : "drawn.lengths.greater", { gap: number(Math.abs(gap)) })) + owed;
}
