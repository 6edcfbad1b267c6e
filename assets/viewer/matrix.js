/**
 * The coupling as a matrix: drafted tokens down, emitted tokens across, "stopped earlier" and the row sum D at the right,
 * the column sum s·T below; the sum of what was stopped, 1 − s, has its own name under it. The row and column of the tokens not listed hold whole-vocabulary sums.
 */

import { coupling } from "./derive.js";
import { number, pieceText } from "./format.js";
import { cells as widthOf, explains, fit } from "./marks.js";
import { pool, present, set, svg, text, tip, value } from "./svg.js";
import { say } from "./words/parts/step_pictures.js";

const ROW = 21, LEAST = 46, LABEL = 106;
/** Below this a cell is only tinted; its value is in the tooltip. */
const WRITTEN = 0.001;

/** Sums stand in narrow columns: a small one is cut off like a cell. */
const short = (x) => (x > 0 && x < WRITTEN ? `<${WRITTEN}` : number(x));

/** @param {Element} parent */
export function createMatrix(parent) {
  const root = svg("svg", { class: "pic-chart", role: "img" }, parent);
  const pieceWords = (view, id, count) => (id === "rest" ? say("drawn.others", { count }) : pieceText(view.pieces(id)));
  const grid = pool(() => {
    const group = svg("g", { class: "pic-cell" }, root);
    return { root: group, ground: svg("rect", { class: "pic-cell-ground" }, group), tint: svg("rect", null, group), second: svg("rect", { class: "pic-fill-residual", "data-kind": "corrected" }, group), figure: svg("text", { class: "pic-figure", "text-anchor": "middle" }, group) };
  });
  const rows = pool(() => svg("text", { class: "pic-token", "text-anchor": "end" }, root));
  const columns = pool(() => svg("text", { class: "pic-token" }, root));
  const sums = pool(() => svg("text", { class: "pic-figure pic-small", "text-anchor": "middle" }, root));
  const heads = pool(() => svg("text", { class: "pic-column-words" }, root));

  /** @param {object} view @param {import("./derive.js").Part} p a folded part @param {number} width */
  function draw(view, p, width) {
    const table = coupling(p), n = p.ids.length + 1;
    const ids = [...p.ids, "rest"], names = ids.map((id) => pieceWords(view, id, p.rest.count));
    const size = Math.max(LEAST, Math.floor((width - LABEL) / (n + 2)));
    const top = 26 + Math.ceil(Math.max(...names.map((name) => widthOf(fit(name, 12)))) * 5.2);
    const x = (c) => LABEL + c * size, y = (r) => top + r * ROW;
    let largest = 0;
    for (let r = 0; r < n; r++) for (let c = 0; c <= n; c++) largest = Math.max(largest, c < n ? table.cells[r][c] : table.stopped[r]);
    const shade = (mass) => (mass > 0 ? 0.06 + 0.46 * Math.sqrt(mass / largest) : 0);

    const boxes = grid.take(n * (n + 1));
    for (let r = 0; r < n; r++) for (let c = 0; c <= n; c++) {
      const box = boxes[r * (n + 1) + c], mass = c < n ? table.cells[r][c] : table.stopped[r];
      const both = r === n - 1 && c === n - 1;
      const kind = c === n ? "stopped" : r === c ? "overlap" : "corrected";
      const place = { x: x(c), y: y(r), width: size, height: ROW };
      set(box.ground, place);
      const kept = both ? table.restKept : mass;
      set(box.tint, { ...place, width: both ? size / 2 : size, class: { stopped: "pic-fill-rejected", overlap: "pic-fill-kept", corrected: "pic-fill-residual" }[kind], "fill-opacity": shade(kept), "data-kind": kind, "data-value": kept, "data-path": `derived:coupling_${kind}` });
      present(box.second, both);
      if (both) set(box.second, { ...place, x: x(c) + size / 2, width: size / 2, "fill-opacity": shade(table.restMoved), "data-value": table.restMoved, "data-path": "derived:coupling_corrected" });
      set(box.root, { "data-token-id": ids[r], class: `pic-cell${r === c ? " is-diagonal" : ""}${ids[r] === view.token || ids[c] === view.token ? " is-chosen" : ""}` });
      present(box.figure, mass >= WRITTEN);
      if (mass >= WRITTEN) explains(value(set(box.figure, { x: x(c) + size / 2, y: y(r) + 14 }), mass, `derived:coupling_${kind}`), c === n ? "stopped" : "coupling", c === n ? { row: p.index, token: ids[r] } : { row: p.index, from: ids[r], to: ids[c] });
      const words = c === n ? say("drawn.matrix.stopped", { name: names[r], mass: number(mass) })
        : both ? say("drawn.matrix.rest", { mass: number(mass), kept: number(table.restKept), moved: number(table.restMoved) })
        : r === c ? say("drawn.matrix.kept", { name: names[r], mass: number(mass) }) : say("drawn.matrix.corrected", { name: names[r], other: names[c], mass: number(mass) });
      tip(box.root, words);
    }
    rows.take(n).forEach((node, r) => set(text(set(node, { x: LABEL - 6, y: y(r) + 14 }), fit(names[r], 13)), { "data-token-id": ids[r], class: `pic-token${ids[r] === view.block.paths[0].tokens[p.index] ? " is-drafted" : ""}` }));
    columns.take(n + 1).forEach((node, c) => {
      const px = x(c) + size / 2 + 3, py = top - 6;
      set(text(set(node, { x: px, y: py, transform: `rotate(-45 ${px} ${py})` }), c < n ? fit(names[c], 12) : say("drawn.stopped")), { "data-token-id": c < n ? ids[c] : null, class: c < n ? "pic-token" : "pic-column-words" });
    });
    const totals = sums.take(2 * n + 2);
    const sum = (node, px, py, mass, path, name) => value(set(node, { x: px, y: py }), mass, path, { name, format: short });
    for (let v = 0; v < n; v++) {
      sum(totals[v], x(n + 1) + size / 2, y(v) + 14, table.rowSums[v], "derived:row_sum", say("drawn.matrix.row_sum", { name: names[v] }));
      sum(totals[n + v], x(v) + size / 2, y(n) + 15, table.columnSums[v], "derived:column_sum", say("drawn.matrix.column_sum", { name: names[v] }));
    }
    sum(totals[2 * n], x(n) + size / 2, y(n) + 15, table.stoppedSum, "derived:stopped_sum", say("drawn.stopped_name"));
    sum(totals[2 * n + 1], x(n + 1) + size / 2, y(n) + 15, table.rowSums.reduce((a, b) => a + b, 0), "derived:total", say("drawn.matrix.total"));
    const words = [[say("drawn.matrix.emitted_head"), LABEL - 6, top - 20, "end"], [say("drawn.matrix.drafted_head"), LABEL - 6, top - 6, "end"], ["= D", x(n + 1) + size / 2, top - 6, "middle"], [p.scale <= 1 ? "= s·T" : say("drawn.matrix.emitted"), LABEL - 6, y(n) + 15, "end"],
      [p.scale <= 1 ? "1 − s" : say("drawn.stopped"), x(n) + size / 2, y(n) + 29, "middle"], [say("drawn.matrix.all"), x(n + 1) + size / 2, y(n) + 29, "middle"]]; // the last two sums are no s·T
    heads.take(words.length).forEach((node, i) => text(set(node, { x: words[i][1], y: words[i][2], "text-anchor": words[i][3] }), words[i][0]));
    const w = x(n + 2), h = y(n) + 36;
    set(root, { width: w, height: h, viewBox: `0 0 ${w} ${h}`, "aria-label": say("drawn.matrix.label", { position: p.index + 1, count: n - 1, kept: number(p.total.overlap), corrected: number(p.total.corrected), stopped: number(p.total.stopped) }) });
  }
  return { root, draw };
}
