/** The parts that a handout is made of: pairs of a term and its words, tables of numbers, formulas, room for answers. */

import { FORMULAS } from "../learn/formulas.js";
import { math } from "../learn/math.js";
import { appendPart } from "../sentence.js";
import { FOREIGN_TEXT, html } from "../svg.js";
import { fill } from "./fill.js";
import { say } from "../words/parts/teacher.js";

/** @typedef {string|{value: number, path: string, whole?: boolean}|{id: number, kind: string}|null} Cell null: left free, to be filled in by hand */

/** @param {Element} root @param {[string, string|null, boolean?][]} facts a term and its words each, and whether somebody else wrote them; without words the term is left out */
export function putFacts(root, facts) {
  const list = html("dl", { class: "sd-handout-facts" }, root);
  for (const [term, words, foreign] of facts) {
    if (words === null) continue;
    html("dt", null, list, term);
    html("dd", foreign ? FOREIGN_TEXT : null, list, words);
  }
}

/**
 * @param {Element} root @param {string} title @param {string[]} heads @param {(Cell|Cell[])[][]} rows the first cell of a row is its head
 * @param {(id: number) => any} [pieces]
 */
export function putTable(root, title, heads, rows, pieces = () => undefined) {
  const table = html("table", { class: "sd-handout-table" }, root);
  html("caption", null, table, title);
  const head = html("tr", null, html("thead", null, table));
  for (const words of heads) html("th", { scope: "col" }, head, words);
  const body = html("tbody", null, table);
  for (const row of rows) {
    const line = html("tr", null, body);
    row.forEach((cell, n) => {
      const node = html(n ? "td" : "th", n ? null : { scope: "row" }, line);
      for (const part of Array.isArray(cell) ? cell : [cell]) {
        if (part === null) node.classList.add("sd-handout-free");
        else appendPart(node, part, pieces);
      }
    });
  }
}

/** @param {Element} root @param {[string, string[]][]} groups whose formulas they are, and their names in ../learn/formulas.js */
export function putFormulas(root, groups) {
  const section = html("section", { class: "sd-handout-formulas" }, root);
  html("h2", null, section, say("handout.formulas"));
  for (const [title, names] of groups) {
    const line = html("p", null, section);
    html("b", null, line, title);
    for (const name of names) html("span", null, line).append(math(FORMULAS[name]));
  }
}

const LINES = 3;

/** Room for what is to be predicted. @param {Element} root @param {import("./questions.js").Question[]} questions @param {(id: number) => any} [pieces] */
export function putAnswers(root, questions, pieces) {
  const section = html("section", { class: "sd-handout-answers" }, root);
  html("h2", null, section, say("handout.answers"));
  for (const { words, slots, options } of questions) {
    fill(html("p", null, section), words, slots, pieces);
    const list = html("ul", null, section);
    for (const option of options) {
      const item = html("li", null, list);
      html("i", { class: "sd-handout-box" }, item);
      fill(html("span", null, item), option.words, option.slots, pieces);
    }
  }
  html("p", null, section, say("handout.why"));
  for (let n = 0; n < LINES; n++) html("p", { class: "sd-handout-line" }, section);
}
