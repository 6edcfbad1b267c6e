/**
 * Where the law's pictures put their panels: side by side where there is room, one below the other on a phone. And a panel's
 * head: the rule's name, its distance from the target as a large number, and a line below it.
 */

import { svg, text, set, present } from "../svg.js";
import { phrase } from "./measure_parts.js";

export const HEAD = 86;
const LABEL = 112, FIGURE = 50, DIFFERENCE = 58, GAP = 22, LEAST = 232, TARGET = 146;

/**
 * Places of the panels: `bar` where bars begin, `room` their longest length, `figure` where their number stands; then the
 * difference's `zero`, `half` its reach, `end` where its number ends; `rows` the first row's top.
 * @param {number} width @param {number} rules @param {number} rows @param {number} row height of a row
 */
export function layoutOf(width, rules, rows, row) {
  const side = LABEL + TARGET + rules * LEAST <= width, height = HEAD + rows * row + 10;
  const panel = (x, y, w) => {
    const free = w - FIGURE - DIFFERENCE - 8, room = free * 0.32, half = free * 0.34;
    return { x, y, width: w, rows: y + HEAD, bar: x, room, figure: x + room + 4, zero: x + room + FIGURE + 6 + half, half, end: x + w };
  };
  if (side) {
    const each = (width - LABEL - TARGET) / rules;
    return {
      narrow: false, height, label: LABEL - 6, labels: [{ x: 0, rows: HEAD }],
      target: { x: LABEL, y: 0, width: TARGET - GAP, rows: HEAD, bar: LABEL, room: TARGET - FIGURE - GAP - 8, figure: LABEL + TARGET - FIGURE - GAP - 3 },
      panels: Array.from({ length: rules }, (_, n) => panel(LABEL + TARGET + n * each + (n ? GAP / 2 : 0), 0, each - GAP / 2 - (n ? GAP / 2 : 0))),
    };
  }
  const label = width < 520 ? 78 : LABEL;
  const panels = Array.from({ length: rules }, (_, n) => panel(label, n * height, width - label));
  return { narrow: true, height: rules * height, label: label - 6, labels: panels.map(({ rows: top }) => ({ x: 0, rows: top })), target: null, panels: panels.map((one) => ({ ...one, head: 0 })) };
}

/** @param {Element} chart */
export function createHead(chart) {
  const root = svg("g", null, chart);
  const name = svg("text", { class: "pic-column" }, root), claim = svg("text", { class: "pic-text-soft" }, root);
  const large = svg("text", { class: "law-large" }, root), small = svg("text", { class: "pic-column-words" }, root);
  const sayLarge = phrase(large), saySmall = phrase(small);
  return {
    root,
    /** @param {any} panel @param {{name: string, claim: string, lossy: boolean}} words @param {any} number part of a phrase or null @param {any[]} below */
    draw(panel, words, number, below) {
      const x = panel.head ?? panel.x;
      text(set(name, { x, y: panel.y + 11 }), words.name);
      text(set(claim, { x, y: panel.y + 25, class: words.lossy ? "race-tag" : "pic-text-soft" }), words.claim);
      present(large, Boolean(number));
      set(large, { x, y: panel.y + 49 });
      sayLarge(number ? ["TV ", number] : []);
      set(small, { x, y: panel.y + (number ? 64 : 40) });
      saySmall(below);
    },
  };
}
