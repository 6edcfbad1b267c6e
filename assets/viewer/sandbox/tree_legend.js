/** What the parts of a node's bar mean: a list on the page, and drawn below the tree while a picture of it is saved. */

import { html, set, svg } from "../svg.js";
import { say } from "../words/parts/sandbox_pictures.js";

const ENTRIES = ["accepted", "stopped", "corrected", "continued"];
const LINE = 20, SWATCH = 14, GAP = 18;

/** @param {Element} parent */
export function createTreeLegend(parent) {
  const list = html("ul", { class: "pic-legend" }, parent);
  for (const name of ENTRIES) {
    const item = html("li", null, list);
    html("span", { class: `pic-swatch sbx-swatch-${name}` }, item);
    item.append(say(`picture.legend.${name}`));
  }
  return {
    /** Draws the legend into a chart until what runs now has ended. @param {SVGSVGElement} chart @param {Record<string, string>} fills hatches of the parts */
    during(chart, fills) {
      const [width, height] = ["width", "height"].map((name) => Number(chart.getAttribute(name))), root = svg("g", { class: "sbx-tree-legend" }, chart);
      let x = 2, line = 0;
      for (const name of ENTRIES) {
        const box = svg("rect", { class: `sbx-mass sbx-mass-${name}`, fill: fills[name] || null, width: SWATCH, height: SWATCH - 2 }, root), label = svg("text", { class: "pic-text-soft" }, root, say(`picture.legend.${name}`));
        const room = SWATCH + 5 + label.getComputedTextLength();
        if (x > 2 && x + room > width) [x, line] = [2, line + 1];
        const y = height + 8 + line * LINE;
        set(box, { x, y });
        set(label, { x: x + SWATCH + 5, y: y + 11 });
        x += room + GAP;
      }
      const whole = height + 8 + (line + 1) * LINE;
      set(chart, { height: whole, viewBox: `0 0 ${width} ${whole}` });
      setTimeout(() => {
        root.remove();
        set(chart, { height, viewBox: `0 0 ${width} ${height}` });
      }, 0);
    },
  };
}
