/** Where everything of the coupling's panels stands: cells, labels, marginals, outlines. Pure geometry, no document. */

import { prefixAt } from "./blocks.js";

/** Above this many cells a panel's cells are drawn on a canvas. */
export const RETAINED = 1024;

const GAP = 20, EDGE = 8, CHARACTER = 7.4, LEAST = 236, HEAD = 52, DEPTH = 34;
const READABLE = 34, WITH_FRACTION = 46; // cells so wide have their value written, and its fraction below it
const FEW = 16; // blocks whose cells are always readable: what does not fit then scrolls inside the picture

/**
 * @typedef {object} Layout
 * @property {number} n blocks  @property {number} columns panels beside each other
 * @property {{w: number, h: number, written: boolean, fraction: boolean}} cell
 * @property {number} left @property {number} top where a panel's cells begin
 * @property {number} bars where the rows' bars end @property {number} reach the longest of them  @property {number} width @property {number} height of a panel
 * @property {number} total @property {number} whole width and height of the picture
 * @property {{length: number, turned: boolean}} across labels of the columns: so many symbols of the block  @property {{length: number}} down
 * @property {{down: boolean, across: "flat"|"turned"|"none"}} figures whether the marginals' values are written
 * @property {boolean} retained SVG cells, no canvas
 */

/** The most symbols of a row's label: cells too low for a whole block stand for its beginning. */
const lettersOf = (gamma, figures) => (figures ? gamma : Math.max(1, gamma - 1));
const reachOf = (figures) => (figures ? 42 : 26);
const marginsOf = (gamma, figures) => 6 + reachOf(figures) + lettersOf(gamma, figures) * CHARACTER + 18;

/** The largest number of symbols whose groups of cells are as large as `room(length)` wants. */
function labelLength(symbols, gamma, size, room) {
  for (let length = gamma; length > 0; length--) if (symbols ** (gamma - length) * size >= room(length)) return length;
  return 0;
}

/**
 * @param {{symbols: number, gamma: number, width: number, panels: number, large: boolean}} wanted `large`: cells as large as reading wants, however wide that gets
 * @returns {Layout}
 */
export function layoutOf({ symbols, gamma, width, panels, large }) {
  const n = symbols ** gamma;
  let columns = width >= 2 * LEAST + GAP ? Math.min(2, panels) : 1, w = 0;
  const cellAt = (count, figures) => Math.floor(((width - (count - 1) * GAP) / count - marginsOf(gamma, figures) - EDGE) / n);
  for (let count = panels; count > columns; count--) {
    if (count > 2 && panels % count === 1) continue; // rather two rows of two than one panel alone
    if ((width - (count - 1) * GAP) / count >= LEAST && cellAt(count, true) >= READABLE) {
      columns = count;
      break;
    }
  }
  w = cellAt(columns, true);
  if (w < 16) w = cellAt(columns, false);
  if (w < 2 && columns > 1) w = Math.min(2, cellAt((columns = 1), false)); // panels below each other rather than cells of one pixel
  const least = large ? (n <= 32 ? WITH_FRACTION : n <= 100 ? 12 : 5) : n <= FEW ? READABLE : 1;
  if (w < least) {
    w = least;
    while (columns > 1 && columns * (marginsOf(gamma, true) + n * w + EDGE + GAP) - GAP > width) columns--;
  }
  w = Math.min(64, Math.max(1, w));
  const written = w >= READABLE, fraction = w >= WITH_FRACTION, h = fraction ? 34 : written ? 24 : w;
  const figures = { down: h >= 16, across: w >= 42 ? "flat" : w >= 12 ? "turned" : "none" };
  const flat = labelLength(symbols, gamma, w, (length) => length * CHARACTER + 5), turned = flat < gamma && w >= 12;
  const across = { length: turned ? gamma : flat, turned }, down = { length: labelLength(symbols, gamma, h, () => 12) };
  const left = marginsOf(gamma, figures.down), top = HEAD + (turned ? gamma * CHARACTER + 10 : 18);
  const panelWidth = Math.max(LEAST, left + n * w + EDGE);
  const panelHeight = top + n * h + 8 + DEPTH + { flat: 16, turned: 46, none: 2 }[figures.across] + 4;
  const rows = Math.ceil(panels / columns);
  return {
    n, columns, cell: { w, h, written, fraction }, left, top, width: panelWidth, height: panelHeight, total: columns * panelWidth + (columns - 1) * GAP, whole: rows * panelHeight + (rows - 1) * GAP,
    across, down, reach: reachOf(figures.down), bars: left - 17 - lettersOf(gamma, figures.down) * CHARACTER, figures: /** @type {any} */ (figures), retained: n * n <= RETAINED,
  };
}

/** The corner of panel number `index`. @param {Layout} g @param {number} index */
export const cornerOf = (g, index) => ({ x: (index % g.columns) * (g.width + GAP), y: Math.floor(index / g.columns) * (g.height + GAP) });

/** The cell at a point of the picture, with the panel it is in; null beside the cells. @param {Layout} g @param {number} panels @param {number} x @param {number} y */
export function cellAt(g, panels, x, y) {
  for (let index = 0; index < panels; index++) {
    const corner = cornerOf(g, index);
    const column = Math.floor((x - corner.x - g.left) / g.cell.w), row = Math.floor((y - corner.y - g.top) / g.cell.h);
    if (column >= 0 && column < g.n && row >= 0 && row < g.n) return { panel: index, row, column };
  }
  return null;
}

/** The labels of a side: each with the cells it stands for. @param {number} length symbols of a label @param {number} symbols @param {number} gamma */
export function labelsOf(length, symbols, gamma) {
  if (!length) return [];
  const span = symbols ** (gamma - length);
  return Array.from({ length: symbols ** length }, (_, rank) => ({ prefix: prefixAt(rank, length, symbols), from: rank * span, to: (rank + 1) * span }));
}

/** The blocks on the diagonal whose drafted and emitted blocks share their first `length` symbols, as one path. @param {Layout} g @param {number} symbols @param {number} gamma @param {number} length */
export function staircase(g, symbols, gamma, length) {
  const span = symbols ** (gamma - length), { w, h } = g.cell;
  let path = "";
  for (let from = 0; from < g.n; from += span) path += `M${g.left + from * w} ${g.top + from * h}h${span * w}v${span * h}h${-span * w}z`;
  return path;
}
