/** What the panels of the coupling show: matrices of one record with their marginals and pointers. No document. */

import { number } from "../format.js";
import { ruleWords } from "../rule_gallery.js";
import { say } from "../words/parts/sandbox_pictures.js";
import { pieces } from "../words/pieces.js";
import { cellPointer, isWrong } from "./blocks.js";
import { minus } from "./sandbox_words.js";

/** A number with its sign: "+0.310", "−0.0200", "0". */
export const signed = (x) => (x > 0 ? "+" : "") + number(x);

/**
 * @typedef {object} Sheet
 * @property {"rule"|"difference"|"optimum"} kind  @property {string} name  @property {string} title
 * @property {(row: number, column: number) => number} at  @property {(row: number, column: number) => string} path
 * @property {(x: number) => string} format
 * @property {number[]} rows masses of the drafted blocks  @property {number[]} columns of the emitted ones
 * @property {(column: number) => string} columnPath
 * @property {boolean} wrong the emitted blocks do not follow the target
 * @property {any[][]} facts lines under the title, strings and numbers with pointers
 * @property {boolean} waiting what is shown belongs to older laws, or is not there yet
 */

const figure = (x, path, format = number) => ({ value: x, path, format });

const LONGEST = 13; // characters of a fraction that helps

/** "0.778 = 7/9" as parts of a line, from a record that has the fraction or null. */
export const exactly = (x, path, exact) => [figure(x, path), ...(exact && exact.length <= LONGEST ? [` = ${minus(exact)}`] : [])];

/** @param {any} picture @param {string} name @returns {Sheet} */
export function ruleSheet(picture, name) {
  const rule = picture.rules[name], own = `picture:/rules/${name}`;
  return {
    kind: "rule", name, title: ruleWords(name), at: (row, column) => rule.coupling[row][column], path: (row, column) => cellPointer(name, row, column), format: number,
    rows: picture.draft, columns: rule.output, columnPath: (column) => `${own}/output/${column}`, wrong: isWrong(rule), waiting: false,
    facts: [
      pieces("picture.sheet.cost", { cost: exactly(rule.cost, `${own}/cost`, rule.cost_fraction) }),
      isWrong(rule) ? [say("picture.sheet.incomparable")] : rule.gap > 1e-12 ? pieces("picture.sheet.above", { gap: exactly(rule.gap, `${own}/gap`, rule.gap_fraction) }) : [say("picture.sheet.best")],
    ],
  };
}

/** Right minus left. @param {any} picture @param {string} left @param {string} right @returns {Sheet} */
export function differenceSheet(picture, left, right) {
  const a = picture.rules[left].coupling, b = picture.rules[right].coupling;
  const outputs = [left, right].map((name) => picture.rules[name].output);
  return {
    kind: "difference", name: "difference", title: left.length + right.length <= 28 ? `${ruleWords(right)} − ${ruleWords(left)}` : say("picture.sheet.right_left"), at: (row, column) => less(b[row][column], a[row][column]), path: () => "derived:coupling_difference", format: signed,
    rows: picture.draft, columns: outputs[1], columnPath: (column) => `picture:/rules/${right}/output/${column}`, wrong: isWrong(picture.rules[right]), waiting: false,
    facts: [[say("picture.sheet.more")], [say("picture.sheet.less")]],
  };
}

/** The difference of two masses; what is rounding is 0. */
export const less = (x, y) => (Math.abs(x - y) < 1e-13 ? 0 : x - y);

/** @param {any} picture @param {any} optimum null until it has come @param {boolean} pending @returns {Sheet} */
export function optimumSheet(picture, optimum, pending) {
  const n = picture.blocks.length, fits = Boolean(optimum) && optimum.coupling.length === n;
  const cost = picture.optimum;
  return {
    kind: "optimum", name: "optimum", title: say("picture.sheet.optimum"), at: fits ? (row, column) => optimum.coupling[row][column] : () => 0, path: (row, column) => `optimum:/coupling/${row}/${column}`, format: number,
    rows: picture.draft, columns: picture.target, columnPath: (column) => `picture:/target/${column}`, wrong: false, waiting: pending || !fits,
    facts: [
      pieces("picture.sheet.optimum_cost", { cost: exactly(cost.cost, "picture:/optimum/cost", cost.cost_fraction) }),
      [say(`picture.sheet.${!fits ? (pending ? "solving" : "resting") : pending ? "before" : "one"}`)],
    ],
  };
}

/** The sheets of a view, left to right. @param {any} view @param {[string, string]} rules @returns {Sheet[]} */
export function sheetsOf(view, [left, right]) {
  const { picture } = view;
  return [
    ruleSheet(picture, left), ...(right === left ? [] : [ruleSheet(picture, right)]),
    ...(view.difference ? [differenceSheet(picture, left, right)] : []), optimumSheet(picture, view.optimum, view.pending.optimum),
  ];
}

/** The largest mass of the sheets that share a scale. @param {Sheet[]} sheets @param {number} n */
export function largestOf(sheets, n) {
  let most = 0;
  for (const sheet of sheets) for (let row = 0; row < n; row++) for (let column = 0; column < n; column++) most = Math.max(most, Math.abs(sheet.at(row, column)));
  return most;
}

/** Less is rounding: it is not tinted. */
const NOTHING = { rule: 1e-16, difference: 1e-13, optimum: 1e-10 };

/** Whether a cell has any mass. @param {Sheet} sheet @param {number} mass */
export const isZero = (sheet, mass) => Math.abs(mass) < NOTHING[sheet.kind];

/** How strongly a mass is tinted: lightly below a written value, strongly where the tint is all there is to see. @param {number} mass not zero @param {number} largest @param {boolean} written */
export const shade = (mass, largest, written) => (largest === 0 ? 0 : written ? 0.08 + 0.5 * Math.sqrt(Math.abs(mass) / largest) : 0.1 + 0.85 * (Math.abs(mass) / largest) ** 0.4);

/** What a cell is: kept whole, corrected, or more and less of a difference. @param {Sheet} sheet */
export const kindOf = (sheet, row, column, mass) => (sheet.kind === "difference" ? (mass > 0 ? "more" : "less") : row === column ? "kept" : "corrected");
