/** The Sandbox's records as CSV tables. Nothing is computed: every number stands in a record. */

import { save } from "../compare/save.js";
import { csvText } from "../compare/tables.js";
import { html } from "../svg.js";
import { say } from "../words/parts/sandbox.js";
import { commonPrefix } from "./blocks.js";

const MASSES = ["accepted", "stopped", "corrected", "continued", "emitted"];

/** One row for each rule (the optimum too, once it is there), drafted and emitted block. @param {any} picture @param {any} optimum null where there is none */
export function couplingRows(picture, optimum) {
  const matrices = Object.entries(picture.rules).map(([name, rule]) => [name, rule.coupling]);
  if (optimum && optimum.coupling.length === picture.blocks.length) matrices.push(["optimum", optimum.coupling]);
  return [
    ["rule", "drafted", "emitted", "common_prefix", "probability"],
    ...matrices.flatMap(([name, coupling]) => picture.blocks.flatMap((drafted, row) => picture.blocks.map((emitted, column) => [name, drafted, emitted, commonPrefix(drafted, emitted).length, coupling[row][column]]))),
  ];
}

/** One row for each rule and prefix; the root's prefix is empty. @param {any} picture */
export function treeRows(picture) {
  return [
    ["rule", "prefix", "length", "draft", "target", ...MASSES],
    ...Object.entries(picture.rules).flatMap(([name, rule]) => Object.entries(picture.tree).map(([prefix, { draft, target }]) => [name, prefix, prefix.length, draft, target, ...MASSES.map((mass) => rule.nodes[prefix][mass])])),
  ];
}

/** One row for each rule and block: what is drafted, what should come out, what does. @param {any} picture */
export function outputRows(picture) {
  return [
    ["rule", "lossless", "block", "draft", "target", "output", "tv", "bonus_tv"],
    ...Object.entries(picture.rules).flatMap(([name, rule]) => picture.blocks.map((block, k) => [name, rule.lossless, block, picture.draft[k], picture.target[k], rule.output[k], rule.tv, rule.bonus_tv])),
  ];
}

/** One row for each rule and target call; the long run has no number. @param {any} longrun */
export function longRunRows(longrun) {
  return [
    ["rule", "block", "expected_gained", "exact", "error", "simulated_mean", "simulated_standard_error", "simulated_runs"],
    ...Object.entries(longrun.rules).flatMap(([name, { expected, exact, long_run, error, simulated: { mean, standard_error, runs } }]) => [
      ...expected.map((gained, k) => [name, k + 1, gained, exact, error, mean[k], standard_error[k], runs]), [name, "long run", long_run, exact, error, null, null, runs],
    ]),
  ];
}

/** A small button that saves a table. @param {Element} container @param {string} name of the file @param {() => any[][]} rows */
export function csvButton(container, name, rows) {
  const button = html("button", { type: "button", class: "pic-toggle", "data-export": `${name}.csv`, title: say("sandbox.csv"), "aria-label": say("sandbox.csv") }, container, "CSV");
  button.addEventListener("click", () => save(`specdemo-${name}.csv`, new Blob([csvText(rows())], { type: "text/csv;charset=utf-8" })));
  return button;
}
