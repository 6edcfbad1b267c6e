/** The chosen or hovered cell in words: its blocks, what they share, and its mass under each matrix, as decimal and as fraction. */

import { phrase } from "../compare/measure_parts.js";
import { html } from "../svg.js";
import { say } from "../words/parts/sandbox_pictures.js";
import { commonPrefix } from "./blocks.js";
import { fraction } from "./simple_fractions.js";

/** @param {Element} parent */
export function createCellLine(parent) {
  const line = html("p", { class: "sbx-cell-line" }, parent), tell = phrase(line);
  return {
    /** What it says, to be read aloud. */
    words: () => line.textContent,
    /** @param {any} picture @param {import("./matrix_sheets.js").Sheet[]} sheets @param {number|null} row @param {number|null} column */
    update(picture, sheets, row, column) {
      if (row === null || column === null) return tell([say("picture.cell.choose")]);
      const drafted = picture.blocks[row], emitted = picture.blocks[column], common = commonPrefix(drafted, emitted).length, cost = picture.gamma - common;
      /** @type {any[]} */
      const parts = [say(`picture.cell.${!cost ? "same" : common ? "shares" : "apart"}`, { drafted, emitted, common, prefix: drafted.slice(0, common), cost })];
      sheets.filter((sheet) => sheet.kind !== "optimum" || !sheet.waiting).forEach((sheet, k) => {
        const mass = sheet.at(row, column), exact = fraction(mass);
        parts.push(`${k ? " · " : ""}${sheet.kind === "rule" ? sheet.title : say(sheet.kind === "optimum" ? "picture.cell.optimum" : "picture.cell.difference")} `, { value: mass, path: sheet.path(row, column), format: sheet.format, name: say("picture.cell.name", { title: sheet.title, drafted, emitted }) }, exact ? ` ≈ ${exact}` : "");
      });
      tell(parts);
    },
  };
}
