/** The law that a rule really outputs, block by block, beside the target's, and the signed difference below. */

import { number } from "../format.js";
import { hatch } from "../marks.js";
import { ruleWords } from "../rule_gallery.js";
import { FOREIGN, pool, present, set, svg, text, tip, value } from "../svg.js";
import { say } from "../words/parts/sandbox_pictures.js";
import { EQUAL } from "./blocks.js";
import { signed } from "./matrix_sheets.js";

const BARS = 92, GAPS = 62, TOP = 34, WRITTEN = 46, BOTH = 84, LABEL = 46, CHARACTER = 7.4;

/** @param {Element} parent */
export function createOutputChart(parent) {
  const root = /** @type {SVGSVGElement} */ (svg("svg", { class: "pic-chart sbx-output", role: "img" }, parent));
  const stripes = hatch(svg("defs", null, root), "sbx-hatch-less", { step: 4, angle: -45 });
  const layers = { blocks: svg("g", null, root), words: svg("g", null, root) };
  const heads = [svg("text", { class: "pic-column-words", x: 0, y: 12 }, layers.words), svg("text", { class: "pic-column-words", x: 0 }, layers.words)];
  const axes = [0, 1].map(() => svg("line", { class: "pic-axis" }, layers.words));
  const columns = pool(() => {
    const group = svg("g", { class: "sbx-output-block" }, layers.blocks);
    return {
      root: group, ground: svg("rect", { class: "sbx-node-ground" }, group), wanted: svg("rect", { class: "pic-fill-target", "data-kind": "target" }, group), bar: svg("rect", { class: "sbx-fill-emitted", "data-kind": "output" }, group),
      gap: svg("rect", { "data-kind": "difference" }, group), figure: svg("text", { class: "pic-figure pic-small", "text-anchor": "end" }, group), aim: svg("text", { class: "pic-figure pic-small pic-text-target", "text-anchor": "start" }, group), difference: svg("text", { class: "pic-figure pic-small", "text-anchor": "middle" }, group), name: svg("text", { class: "pic-token", ...FOREIGN, "text-anchor": "middle" }, group),
    };
  });
  return {
    root,
    /** @param {any} picture @param {string} rule @param {number} width @param {number|null} chosen the emitted block that is marked */
    draw(picture, rule, width, chosen) {
      const { blocks, target } = picture, { output, tv } = picture.rules[rule], n = blocks.length;
      const slot = Math.max(5, Math.min(96, (width - LABEL - 8) / n)), turned = slot < picture.gamma * CHARACTER + 4, named = slot >= 12;
      const gaps = output.map((p, k) => (Math.abs(p - target[k]) < EQUAL ? 0 : p - target[k]));
      const most = Math.max(...output, ...target, 1e-9), spread = Math.max(...gaps.map(Math.abs), 1e-9);
      const floor = TOP + BARS, under = named ? (turned ? picture.gamma * CHARACTER + 10 : 20) : 8, zero = floor + under + 26 + GAPS / 2, span = GAPS / 2 - 2;
      const total = LABEL + n * slot + 8, height = zero + GAPS / 2 + 16;
      text(heads[0], say("picture.output.head"));
      text(set(heads[1], { y: floor + under + 14 }), say("picture.output.difference"));
      set(axes[0], { x1: LABEL, x2: total, y1: floor, y2: floor });
      set(axes[1], { x1: LABEL, x2: total, y1: zero, y2: zero });
      columns.take(n).forEach((column, k) => {
        const x = LABEL + k * slot, thick = slot * 0.4, middle = x + slot / 2, own = `picture:/rules/${rule}/output/${k}`;
        set(column.root, { "data-block": k, class: `sbx-output-block${k === chosen ? " is-chosen" : ""}` });
        set(column.ground, { x, y: TOP - 14, width: slot, height: height - TOP + 12 });
        const rise = (p) => (p / most) * (BARS - 12);
        set(column.bar, { x: middle - thick, y: floor - rise(output[k]), width: thick, height: rise(output[k]), "data-value": output[k], "data-path": own });
        set(column.wanted, { x: middle, y: floor - rise(target[k]), width: thick, height: rise(target[k]), "data-value": target[k], "data-path": `picture:/target/${k}` });
        present(column.gap, gaps[k] !== 0);
        const length = (Math.abs(gaps[k]) / spread) * span;
        if (gaps[k] !== 0) set(column.gap, { x: middle - thick, y: gaps[k] > 0 ? zero - length : zero, width: 2 * thick, height: length, class: gaps[k] > 0 ? "sbx-fill-more" : "sbx-less", fill: gaps[k] > 0 ? null : stripes, "data-value": gaps[k], "data-path": "derived:output_difference" });
        // Each bar has its number where there is room for two; the difference is written before that.
        for (const node of [column.figure, column.aim]) present(node, slot >= BOTH);
        if (slot >= BOTH) {
          value(set(column.figure, { x: middle - 2, y: floor - rise(output[k]) - 4 }), output[k], own, { name: say("picture.output.of", { block: blocks[k] }) });
          value(set(column.aim, { x: middle + 2, y: floor - rise(target[k]) - 4 }), target[k], `picture:/target/${k}`, { name: say("picture.output.target_of", { block: blocks[k] }) });
        }
        present(column.difference, slot >= WRITTEN);
        if (slot >= WRITTEN) {
          value(set(column.difference, { x: middle, y: gaps[k] >= 0 ? zero + 13 : zero - 5 }), gaps[k], "derived:output_difference", { format: signed, name: say("picture.output.difference_of", { block: blocks[k] }) });
        }
        present(column.name, named);
        const at = { x: middle + (turned ? 4 : 0), y: floor + (turned ? 4 : 13) };
        if (named) text(set(column.name, { ...at, "text-anchor": turned ? "end" : "middle", transform: turned ? `rotate(-90 ${at.x.toFixed(2)} ${at.y.toFixed(2)})` : null }), blocks[k]);
        tip(column.root, say("picture.output.block", { block: blocks[k], output: number(output[k]), target: number(target[k]), difference: signed(gaps[k]) }));
      });
      set(root, { width: total, height, viewBox: `0 0 ${total} ${height}`, "data-rule": rule, "aria-label": say("picture.output.label", { rule: ruleWords(rule), tv: number(tv) }) });
    },
  };
}
