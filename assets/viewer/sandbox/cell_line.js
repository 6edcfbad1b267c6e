/** The chosen or hovered cell in words: its blocks, what they share, and its mass under each matrix, as decimal and as fraction. */

import { phrase } from "../compare/measure_parts.js";
import { html } from "../svg.js";
import { commonPrefix } from "./blocks.js";
import { fraction } from "./simple_fractions.js";

/** @param {Element} parent */
export function createCellLine(parent) {
  const line = html("p", { class: "sbx-cell-line" }, parent), say = phrase(line);
  return {
    /** What it says, to be read aloud. */
    words: () => line.textContent,
    /** @param {any} picture @param {import("./matrix_sheets.js").Sheet[]} sheets @param {number|null} row @param {number|null} column */
    update(picture, sheets, row, column) {
      if (row === null || column === null) return say(["Choose a cell: its blocks and masses stand here. Arrow keys move the choice."]);
      const drafted = picture.blocks[row], emitted = picture.blocks[column], common = commonPrefix(drafted, emitted).length, cost = picture.gamma - common;
      /** @type {any[]} */
      const parts = [`drafted ${drafted}, emitted ${emitted}; common prefix ${common}${common ? ` (${drafted.slice(0, common)})` : ""}, ${cost ? `costs ${cost}` : "emitted as drafted, costs nothing"}: `];
      sheets.filter((sheet) => sheet.kind !== "optimum" || !sheet.waiting).forEach((sheet, k) => {
        const mass = sheet.at(row, column), exact = fraction(mass);
        parts.push(`${k ? " · " : ""}${sheet.kind === "rule" ? sheet.title : sheet.kind} `, { value: mass, path: sheet.path(row, column), format: sheet.format, name: `${sheet.title}, drafted ${drafted}, emitted ${emitted}` }, exact ? ` ≈ ${exact}` : "");
      });
      say(parts);
    },
  };
}
