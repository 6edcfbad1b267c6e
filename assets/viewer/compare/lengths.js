/** The law of τ under one rule as small bars, each with its value; the bar of what came is dark. */

import { number } from "../format.js";
import { ruleWords } from "../rule_gallery.js";
import { html, pool, set, svg, text, value } from "../svg.js";
import { say } from "../words/parts/compare.js";

const SIZE = { height: 34, floor: 14, widest: 28, figure: 6 };

/** @param {Element} parent */
export function createLengthBars(parent) {
  const root = svg("svg", { class: "cmp-law", role: "img" }, parent);
  const base = svg("line", { class: "pic-axis" }, root);
  const bars = pool(() => svg("rect", { "data-kind": "length_law" }, root));
  const figures = pool(() => svg("text", { class: "cmp-figure" }, root));
  const ticks = pool(() => svg("text", { class: "cmp-tick", "text-anchor": "middle" }, root));
  return {
    root,
    /** @param {any} view @param {string} rule @param {number} [room] pixels for all bars */
    update(view, rule, room = 222) {
      const { length_law: law, accepted } = view.block.verdicts[rule], n = law.length, slot = Math.min(SIZE.widest, room / n);
      const words = law.map((p) => number(p)), top = Math.ceil(Math.max(...words.map((word) => word.length)) * SIZE.figure) + 6;
      const floor = top + SIZE.height, largest = Math.max(...law, 1e-9);
      const rects = bars.take(n), numbers = figures.take(n), labels = ticks.take(n);
      for (let i = 0; i < n; i++) {
        const tall = law[i] > 0 ? Math.max((law[i] / largest) * SIZE.height, 1) : 0, middle = (i + 0.5) * slot, path = `/blocks/${view.blockIndex}/verdicts/${rule}/length_law/${i}`;
        set(rects[i], { x: middle - slot * 0.36, width: slot * 0.72, y: floor - tall, height: tall, class: `pic-law-bar${i === accepted ? " is-drawn" : ""}`, "data-path": path, "data-value": law[i] });
        const x = (middle + 4).toFixed(2), y = (floor - tall - 4).toFixed(2);
        set(numbers[i], { x, y, transform: `rotate(-90 ${x} ${y})` });
        value(numbers[i], law[i], path, { name: say("compare.law.name", { number: i, rule: ruleWords(rule) }) });
        text(set(labels[i], { x: middle, y: floor + 12, class: `cmp-tick${i === accepted ? " is-drawn" : ""}` }), String(i));
      }
      set(base, { x1: 0, x2: n * slot, y1: floor + 0.5, y2: floor + 0.5 });
      set(root, { width: Math.ceil(n * slot), height: floor + SIZE.floor, "aria-label": say("compare.law.label", { rule: ruleWords(rule), law: words.map((word, i) => `${i}: ${word}`).join(", ") }) });
    },
  };
}

/** A cell of the table with the bars. @param {Element} row */
export function createLawCell(row) {
  const root = html("td", null, row);
  return { root, bars: createLengthBars(html("div", { class: "cmp-law-box" }, root)) };
}
