/** One rule's mass on the prefix tree, drawn: bars of stacked mass, bands from what stops to what is corrected, marks. */

import { number } from "../format.js";
import { cells, hatch } from "../marks.js";
import { ruleWords } from "../rule_gallery.js";
import { FOREIGN, pool, present, set, svg, text, value } from "../svg.js";
import { say } from "../words/parts/sandbox_pictures.js";
import { nodePointer } from "./blocks.js";
import { BAR, correctionBands, treeLayout } from "./tree_layout.js";

const CHARACTER = 7.4, WRITTEN = 40, FIGURE = 38, NAMES = ["accepted", "stopped", "corrected", "continued"];

/** @param {SVGElement} parent */
export function createTreeChart(parent) {
  const root = svg("g", { class: "sbx-tree-chart" }, parent), defs = svg("defs", null, root);
  const fills = { stopped: hatch(defs, "sbx-hatch-stopped", { step: 5 }), corrected: hatch(defs, "pic-hatch-residual", { step: 4, angle: -45 }), continued: hatch(defs, "sbx-hatch-continued", { step: 3, angle: 0 }) };
  const title = svg("text", { class: "pic-column", x: 0, y: 12 }, root);
  const layers = { bands: svg("g", null, root), nodes: svg("g", null, root), marks: svg("g", { class: "sbx-marks" }, root) };
  const bands = pool(() => svg("path", { class: "sbx-correction-band", "data-kind": "correction_band" }, layers.bands));
  const nodes = pool(() => {
    const group = svg("g", { class: "sbx-node" }, layers.nodes), label = svg("text", { class: "pic-token", ...FOREIGN }, group), kept = svg("text", { class: "pic-figure pic-small pic-text-kept sbx-halo" }, group);
    const ground = svg("rect", { class: "sbx-node-ground" }, group);
    const parts = NAMES.map((name) => svg("rect", { class: `sbx-mass sbx-mass-${name}`, fill: fills[name] || null, "data-kind": name }, group));
    const figures = NAMES.slice(1).map(() => svg("text", { class: "pic-figure pic-small sbx-halo", "text-anchor": "middle" }, group));
    return { root: group, ground, parts, figures, label, kept };
  });
  const marks = { chosen: svg("rect", { class: "sbx-chosen" }, layers.marks), hovered: svg("rect", { class: "sbx-hovered" }, layers.marks) };
  const drafted = pool(() => svg("rect", { class: "pic-fill-draft", "data-mark": "drafted" }, layers.marks)), emitted = pool(() => svg("rect", { class: "sbx-fill-emitted", "data-mark": "emitted" }, layers.marks));
  let places = new Map(), rule = "";

  return {
    root, fills,
    /** @param {any} picture @param {string} name of the rule @param {number} width of the mass 1 */
    draw(picture, name, width) {
      rule = name;
      const laid = treeLayout(picture, picture.rules[name], width);
      places = new Map(laid.map((node) => [node.prefix, node]));
      set(root, { "data-rule": name });
      text(title, ruleWords(name));
      const flows = correctionBands(laid);
      bands.take(flows.length).forEach((band, k) => set(band, { d: flows[k].d, "data-from": flows[k].from, "data-to": flows[k].to, "data-value": flows[k].mass, "data-path": nodePointer(name, flows[k].to, "corrected") }));
      nodes.take(laid.length).forEach((node, k) => {
        const { prefix, level, x, y, width: wide, parts } = laid[k];
        set(node.root, { "data-prefix": prefix });
        set(node.ground, { x, y: y - 15, width: wide, height: BAR + 15 });
        parts.forEach((part, i) => {
          const rect = node.parts[i], figure = node.figures[i - 1];
          present(rect, part.mass > 0);
          if (part.mass > 0) set(rect, { x: part.x, y, width: part.width, height: BAR, "data-value": part.mass, "data-path": nodePointer(name, prefix, part.name) });
          if (!figure) return;
          const written = part.mass > 0 && part.width >= WRITTEN;
          present(figure, written);
          if (written) value(set(figure, { x: part.x + part.width / 2, y: y + BAR / 2 + 4 }), part.mass, nodePointer(name, prefix, part.name), { name: `${say(`picture.node.${part.name}`)}(${prefix || "∅"})` });
        });
        const whole = prefix || "∅", last = whole.slice(-1), room = wide - 2;
        // The last symbol alone would name another node: what is left out is marked.
        const short = `…${last}`, fits = (words) => words.length * CHARACTER <= room;
        const word = !level || fits(whole) ? whole : fits(short) ? short : "";
        present(node.label, word !== "");
        const at = x + (level ? 1 : cells(title.textContent) * 8 + 10), after = word.length * CHARACTER + 5;
        text(set(node.label, { x: at, y: y - 6 }), word);
        // Accepted mass stands above its bar, since its striped part belongs to it.
        const told = word === whole && after + FIGURE <= room && parts[0].mass > 0;
        present(node.kept, told);
        if (told) value(set(node.kept, { x: at + after, y: y - 6 }), parts[0].mass, nodePointer(name, prefix, "accepted"), { name: `a(${whole})` });
      });
    },
    /** @param {any} picture @param {import("./blocks.js").Place} selected @param {import("./blocks.js").Place} hovered */
    mark(picture, selected, hovered) {
      for (const [node, prefix] of /** @type {[Element, string|null][]} */ ([[marks.chosen, selected.prefix], [marks.hovered, hovered.prefix]])) {
        const at = prefix === null ? null : places.get(prefix);
        present(node, Boolean(at));
        if (at) set(node, { x: at.x - 1, y: at.y - 1, width: at.width + 2, height: BAR + 2, "data-prefix": prefix });
      }
      // The two paths of a cell: what was drafted above the bars, what comes out below them.
      const cell = hovered.row !== null && hovered.column !== null ? hovered : selected;
      const path = (block) => (block === null ? [] : Array.from({ length: picture.gamma }, (_, k) => places.get(picture.blocks[block].slice(0, k + 1))).filter(Boolean));
      const line = (marks_, found, dy) => marks_.take(found.length).forEach((node, k) => set(node, { x: found[k].x, y: found[k].y + dy, width: Math.max(found[k].width, 1.5), height: 3, "data-prefix": found[k].prefix }));
      line(drafted, path(cell.row), -3);
      line(emitted, path(cell.column), BAR);
    },
    /** The node's masses in words. @param {any} picture @param {string} prefix */
    words(picture, prefix) {
      const { accepted, corrected, continued, emitted: all } = picture.rules[rule].nodes[prefix];
      return say(prefix.length === picture.gamma ? "picture.node.masses_bonus" : "picture.node.masses", {
        rule: ruleWords(rule), prefix: prefix || say("picture.node.root"), accepted: number(accepted), corrected: number(corrected), continued: number(continued), emitted: number(all),
      });
    },
    /** Where a node stands, to bring it into sight. @param {string} prefix */
    placeOf: (prefix) => places.get(prefix) || null,
  };
}
