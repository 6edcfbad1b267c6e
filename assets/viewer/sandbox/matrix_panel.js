/**
 * One panel of the coupling: cells, block labels, marginals, outlines of common prefixes, and the marks of the chosen and the
 * hovered. Without retained cells it draws everything but them: a canvas below has them then, and an export gets them as paths.
 */

import { phrase } from "../compare/measure_parts.js";
import { full, number } from "../format.js";
import { fit, hatch } from "../marks.js";
import { ruleWords } from "../rule_gallery.js";
import { FOREIGN, pool, present, set, svg, text, value } from "../svg.js";
import { say } from "../words/parts/sandbox_pictures.js";
import { EQUAL, rangeOf } from "./blocks.js";
import { labelsOf, staircase } from "./matrix_layout.js";
import { isZero, kindOf, shade, signed } from "./matrix_sheets.js";
import { fraction } from "./simple_fractions.js";

const DEPTH = 34, CHARACTER = 7.4;
const FILL = { kept: "pic-fill-kept", corrected: "pic-fill-residual", more: "sbx-fill-more" };

/** The marginals stand in narrow columns: a small one is cut off, its value is in the tooltip. */
const short = (x) => (x > 0 && x < 0.001 ? "<0.001" : number(x));

const below = (x) => (x > 0 && x < 0.01 ? "<0.01" : "");

/** @param {SVGElement} parent */
export function createMatrixPanel(parent) {
  const root = svg("g", { class: "sbx-panel" }, parent);
  const stripes = hatch(svg("defs", null, root), "sbx-hatch-less", { step: 4, angle: -45 });
  const layer = (name) => svg("g", { class: name }, root);
  const layers = { ground: layer("sbx-ground"), bands: layer("sbx-bands"), cells: layer("sbx-cells"), outlines: layer("sbx-outlines"), marks: layer("sbx-marks"), sides: layer("sbx-sides") };
  const ground = svg("rect", { class: "sbx-cell-ground" }, layers.ground);
  const title = svg("text", { class: "pic-column" }, layers.sides);
  const facts = [0, 1].map(() => phrase(svg("text", { class: "pic-text-soft sbx-facts" }, layers.sides)));
  const factNodes = Array.from(layers.sides.querySelectorAll(".sbx-facts"));
  const cells = pool(() => {
    const group = svg("g", { class: "sbx-cell" }, layers.cells);
    return { root: group, tint: svg("rect", null, group), figure: svg("text", { class: "pic-figure", "text-anchor": "middle" }, group), exact: svg("text", { class: "sbx-exact", "text-anchor": "middle" }, group) };
  });
  const paths = pool(() => svg("path", null, layers.cells));
  const lines = svg("path", { class: "sbx-grid" }, layers.outlines);
  const steps = pool(() => svg("path", { class: "sbx-stairs" }, layers.outlines));
  const bars = { rows: pool(() => svg("rect", { class: "pic-fill-draft", "data-kind": "draft" }, layers.sides)), columns: pool(() => svg("rect", { "data-kind": "emitted" }, layers.sides)), wanted: pool(() => svg("rect", { class: "sbx-wanted", "data-kind": "target" }, layers.sides)) };
  const figures = { rows: pool(() => svg("text", { class: "pic-figure pic-small pic-text-draft", "text-anchor": "end" }, layers.sides)), columns: pool(() => svg("text", { class: "pic-figure pic-small" }, layers.sides)) };
  const chips = pool(() => {
    const group = svg("g", { class: "sbx-block" }, layers.sides);
    return { root: group, box: svg("rect", { rx: 3 }, group), word: svg("text", { class: "pic-token", "text-anchor": "middle", ...FOREIGN }, group) };
  });
  const hovered = { row: svg("rect", { class: "sbx-band" }, layers.bands), column: svg("rect", { class: "sbx-band" }, layers.bands), prefix: svg("rect", { class: "sbx-shared" }, layers.bands), cell: svg("rect", { class: "sbx-hovered" }, layers.marks) };
  const chosen = { prefix: svg("rect", { class: "sbx-chosen-prefix" }, layers.marks), cell: svg("rect", { class: "sbx-chosen" }, layers.marks) };
  let drawn = { layout: null, symbols: 0, gamma: 0 };

  /** What only a new size of the picture changes. Returns whether there is one. */
  function place(g, symbols, gamma) {
    if (drawn.layout === g && drawn.symbols === symbols && drawn.gamma === gamma) return false;
    drawn = { layout: g, symbols, gamma };
    const { w, h } = g.cell, right = g.left + g.n * w, floor = g.top + g.n * h;
    set(ground, { x: g.left, y: g.top, width: g.n * w, height: g.n * h });
    set(title, { x: 0, y: 12 });
    factNodes.forEach((node, k) => set(node, { x: 0, y: 28 + 15 * k }));
    let grid = "";
    if (w >= 5) {
      for (let k = 0; k <= g.n; k++) grid += `M${g.left + k * w} ${g.top}V${floor}M${g.left} ${g.top + k * h}H${right}`;
    } else grid = `M${g.left} ${g.top}H${right}V${floor}H${g.left}z`;
    set(lines, { d: grid });
    const levels = Array.from({ length: gamma }, (_, k) => k + 1).filter((length) => symbols ** (gamma - length) * w >= (g.retained ? 6 : 14));
    steps.take(levels.length).forEach((node, k) => set(node, { d: staircase(g, symbols, gamma, levels[k]), "data-common": levels[k], "stroke-width": !g.retained || levels[k] === gamma ? 1 : gamma - levels[k] > 1 ? 2 : 1.5 }));
    const down = labelsOf(g.down.length, symbols, gamma), across = labelsOf(g.across.length, symbols, gamma);
    chips.take(down.length + across.length).forEach((chip, k) => {
      const side = k < down.length, { prefix, from, to } = side ? down[k] : across[k - down.length];
      const size = prefix.length * CHARACTER + 6, middle = (from + to) / 2, turned = !side && g.across.turned;
      set(chip.root, { "data-side": side ? "rows" : "columns", "data-prefix": prefix, class: `sbx-block ${side ? "is-drafted" : "is-emitted"}${prefix.length < gamma ? " is-group" : ""}` });
      const x = side ? g.left - 6 - size / 2 : g.left + middle * w, y = side ? g.top + middle * h : g.top - 6 - (turned ? size / 2 : 7);
      const room = side ? h : w, thick = Math.min(15, Math.max(10, ((to - from) * room) - 1));
      set(chip.box, { x: turned ? x - thick / 2 : x - size / 2, y: turned ? y - size / 2 : y - thick / 2, width: turned ? thick : size, height: turned ? size : thick });
      text(set(chip.word, { x, y: y + 4, transform: turned ? `rotate(-90 ${x.toFixed(2)} ${y.toFixed(2)})` : null, "font-size": thick < 13 ? "10px" : null }), prefix);
    });
    return true;
  }

  /** The rows' bars grow to the left, the columns' downwards; both on one scale. */
  function marginals(sheet, picture, g) {
    const { w, h } = g.cell, most = Math.max(...sheet.rows, ...sheet.columns, ...picture.target, 1e-9), floor = g.top + g.n * h + 8;
    bars.rows.take(g.n).forEach((bar, k) => {
      // A written mass stands above its bar, both at the row's label.
      const length = (sheet.rows[k] / most) * g.reach, thick = g.figures.down ? Math.min(8, h - 13) : Math.max(h * 0.6, Math.min(h, 1));
      set(bar, { x: g.bars - length, y: g.top + k * h + (g.figures.down ? (h + 11 - thick) / 2 : (h - thick) / 2), width: length, height: thick, "data-value": sheet.rows[k], "data-path": `picture:/draft/${k}` });
    });
    figures.rows.take(g.figures.down ? g.n : 0).forEach((node, k) => value(set(node, { x: g.bars, y: g.top + (k + 0.5) * h + 1.5 - Math.min(4, (h - 13) / 2) + 1 }), sheet.rows[k], `picture:/draft/${k}`, { name: say("picture.cell.drafted", { block: picture.blocks[k] }), format: short }));
    bars.columns.take(g.n).forEach((bar, k) => {
      const thick = Math.max(w * 0.6, Math.min(w, 1));
      set(bar, { x: g.left + k * w + (w - thick) / 2, y: floor, width: thick, height: (sheet.columns[k] / most) * DEPTH, class: sheet.wrong ? "sbx-fill-emitted" : "pic-fill-target", "data-value": sheet.columns[k], "data-path": sheet.columnPath(k) });
    });
    bars.wanted.take(sheet.wrong ? g.n : 0).forEach((bar, k) => set(bar, { x: g.left + k * w + w * 0.08, y: floor + (picture.target[k] / most) * DEPTH - 1, width: w * 0.84, height: 2, "data-value": picture.target[k], "data-path": `picture:/target/${k}` }));
    figures.columns.take(g.figures.across === "none" ? 0 : g.n).forEach((node, k) => {
      const turned = g.figures.across === "turned", x = g.left + (k + 0.5) * w + (turned ? 3.5 : 0), y = floor + DEPTH + (turned ? 4 : 11);
      set(node, { x, y, "text-anchor": turned ? "end" : "middle", transform: turned ? `rotate(-90 ${x.toFixed(2)} ${y.toFixed(2)})` : null, class: `pic-figure pic-small${sheet.wrong ? "" : " pic-text-target"}` });
      value(node, sheet.columns[k], sheet.columnPath(k), { name: say("picture.cell.emitted", { block: picture.blocks[k] }), format: short });
    });
  }

  /** @param {import("./matrix_sheets.js").Sheet} sheet @param {any} picture @param {import("./matrix_layout.js").Layout} g @param {number} largest of the sheets' masses */
  function draw(sheet, picture, g, largest) {
    const moved = place(g, picture.symbols, picture.gamma);
    set(root, { "data-panel": sheet.kind, "data-name": sheet.name, class: `sbx-panel${sheet.waiting ? " is-waiting" : ""}` });
    text(title, fit(sheet.title, Math.floor(g.width / 7)));
    facts.forEach((tell, k) => tell(sheet.facts[k]));
    marginals(sheet, picture, g);
    const { w, h, written } = g.cell, { n } = g;
    if (!g.retained) {
      cells.take(0);
      return;
    }
    cells.take(n * n).forEach((cell, k) => {
      const row = Math.floor(k / n), column = k % n, mass = sheet.at(row, column), x = g.left + column * w, y = g.top + row * h;
      const kind = kindOf(sheet, row, column, mass), zero = isZero(sheet, mass);
      if (moved) {
        set(cell.root, { "data-row": row, "data-column": column, class: w < 42 ? "sbx-cell is-small" : "sbx-cell" });
        set(cell.tint, { x, y, width: w, height: h });
      }
      set(cell.tint, { "fill-opacity": zero ? "0" : shade(mass, largest, written).toFixed(3), class: kind === "less" ? "sbx-less" : FILL[kind], fill: kind === "less" ? stripes : null, "data-kind": zero ? "zero" : kind, "data-value": mass, "data-path": sheet.path(row, column) });
      // What does not fit is cut off, its value left to the tooltip and the line of the chosen cell.
      const room = w - 1, format = written ? (sheet.kind === "difference" ? [signed] : [number, below]).find((one) => one(mass).length > 0 && one(mass).length * (w < 42 ? 5.45 : 6.05) <= room) : null;
      const fits = Boolean(format), exact = fits && g.cell.fraction && !zero ? fraction(mass) : null;
      present(cell.figure, fits);
      present(cell.exact, Boolean(exact) && (exact.length + 2) * 5.8 <= room);
      if (!fits) return;
      set(cell.figure, { x: x + w / 2, y: y + (exact ? 14 : h / 2 + 4), class: `pic-figure${zero ? " sbx-zero" : kind === "less" ? " is-less" : ""}` });
      value(cell.figure, mass, sheet.path(row, column), { format, name: say("picture.cell.pair", { drafted: picture.blocks[row], emitted: picture.blocks[column] }) });
      if (exact) text(set(cell.exact, { x: x + w / 2, y: y + 27 }), `≈ ${exact}`);
    });
  }

  /** The chosen cell and prefix, and what is under the pointer here or in the tree. @param {any} picture @param {import("./blocks.js").Place} selected @param {import("./blocks.js").Place} hover */
  function mark(picture, selected, hover) {
    const g = drawn.layout, { w, h } = g.cell, side = g.n * w, depth = g.n * h;
    const box = (node, where, rectangle) => {
      present(node, where);
      if (where) set(node, rectangle());
    };
    const cellBox = ({ row, column }) => () => ({ x: g.left + column * w, y: g.top + row * h, width: w, height: h });
    const prefixBox = (prefix) => () => {
      const [from, to] = rangeOf(prefix, picture.symbols, picture.gamma);
      return { x: g.left + from * w, y: g.top + from * h, width: (to - from) * w, height: (to - from) * h };
    };
    const onCell = hover.row !== null && hover.column !== null, onPrefix = !onCell && Boolean(hover.prefix);
    box(hovered.row, onCell || onPrefix, () => (onCell ? { x: g.left, y: g.top + hover.row * h, width: side, height: h } : { ...prefixBox(hover.prefix)(), x: g.left, width: side }));
    box(hovered.column, onCell || onPrefix, () => (onCell ? { x: g.left + hover.column * w, y: g.top, width: w, height: depth } : { ...prefixBox(hover.prefix)(), y: g.top, height: depth }));
    box(hovered.prefix, Boolean(hover.prefix), prefixBox(hover.prefix || ""));
    box(hovered.cell, onCell, cellBox(hover));
    box(chosen.prefix, Boolean(selected.prefix) && picture.gamma >= (selected.prefix || "").length, prefixBox(selected.prefix || ""));
    box(chosen.cell, selected.row !== null && selected.column !== null, cellBox(selected));
  }

  return {
    root, draw, mark, stripes,
    /** Cells as paths, one a tint, for an export of a picture whose cells are on a canvas. @param {{d: string, className: string, fill: string|null, opacity: string}[]} tints */
    fill(tints) {
      paths.take(tints.length).forEach((node, k) => set(node, { d: tints[k].d, class: tints[k].className, fill: tints[k].fill, "fill-opacity": tints[k].opacity }));
    },
  };
}

/** The tooltip of a cell. @param {import("./matrix_sheets.js").Sheet} sheet @param {any} picture */
export function cellWords(sheet, picture, row, column) {
  const mass = sheet.at(row, column), exact = fraction(mass);
  return say("picture.cell.title", { title: sheet.title, drafted: picture.blocks[row], emitted: picture.blocks[column], mass: `${full(mass).replace("-", "−")}${exact ? ` ≈ ${exact}` : ""}` });
}

/** What to look at. @param {any} picture @param {string[]} rules */
export function captionOf(picture, rules) {
  const lossy = rules.some((name) => picture.rules[name].lossless !== "always");
  if (!lossy) return say("picture.coupling.caption");
  const caption = say("picture.coupling.caption_lossy");
  const [first, second] = [...new Set(rules)].filter((name) => picture.rules[name].common - picture.rules[name].expected > EQUAL).map(ruleWords);
  if (!first) return caption;
  return second ? say("picture.coupling.struck_both", { caption, first, second }) : say("picture.coupling.struck", { caption, rule: first });
}
