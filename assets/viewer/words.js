/** The three numbers of the chosen position in words, beside the lane; a click on one shows its formula. */

import { html, set, show, text, value } from "./svg.js";
import { number, numeric, sub } from "./format.js";
import { say } from "./words/parts/step.js";

/** @param {Element} container @param {any} actions */
export function createWords(container, actions) {
  const root = html("div", { class: "sd-words" }, container);
  const title = html("h4", null, root);
  const make = (name) => {
    const row = html("p", null, root);
    const label = html("b", null, row);
    const cells = [0, 1].map(() => {
      const cell = html("button", { type: "button", class: "sd-number" }, row);
      cell.addEventListener("click", () => cell.dataset.explain && actions.explain(cell.dataset.explain, JSON.parse(cell.dataset.args || "{}")));
      return cell;
    });
    const words = html("span", null, row);
    return { row, label, cells, words, name };
  };
  const rows = { r: make("r"), w: make("w"), h: make("h") };
  const note = html("p", { class: "sd-soft" }, root);

  function put(cell, x, path, explain, args, before = "", after = "") {
    show(cell, x !== null && x !== undefined);
    if (x === null || x === undefined) {
      text(cell, "");
      set(cell, { "data-path": null, "data-value": null, title: null });
      return;
    }
    value(cell, x, path, { before, after });
    set(cell, { "data-explain": explain, "data-args": JSON.stringify(args) });
  }

  return {
    update(view) {
      const { block, verdict, position } = view;
      const gamma = block.gamma, scored = view.revealed.scores;
      const i = position + 1, last = position >= gamma;
      const base = `/blocks/${view.blockIndex}`, rule = `${base}/verdicts/${view.rule}`;
      text(title, last ? say("step.words.after") : say("step.words.position", { position: i }));
      for (const row of Object.values(rows)) show(row.row, scored && !last);
      text(note, !scored ? say("step.words.unscored") : last ? say("step.words.bonus") : "");
      show(note, Boolean(note.textContent));
      if (!scored || last) {
        for (const row of Object.values(rows)) for (const cell of row.cells) put(cell, null, "", null, {});
        return;
      }
      const backwards = verdict.order === "right_to_left";
      const weights = verdict.prefix_weight, accept = verdict.accept_prob;
      text(rows.r.label, `r${sub(i)} = `);
      put(rows.r.cells[0], block.paths[0].rows[position].ratio, `${base}/paths/0/rows/${position}/ratio`, "ratio", { i });
      show(rows.r.cells[1], false);
      const own = verdict.effective_target && verdict.effective_target[position];
      text(rows.r.words, own ? say("step.words.ratio_modified", { value: number(numeric(own.drafted) / numeric(block.paths[0].rows[position].draft)) }) : say("step.words.ratio"));
      show(rows.w.row, Boolean(weights));
      text(rows.w.label, say("step.words.weight"));
      put(rows.w.cells[0], weights && weights[position], `${rule}/prefix_weight/${position}`, position ? "prefix_weight" : null, { i: position }, say("step.words.arriving", { i: sub(position) }));
      put(rows.w.cells[1], weights && weights[i], `${rule}/prefix_weight/${i}`, "prefix_weight", { i }, say("step.words.leaving", { i: sub(i) }));
      text(rows.w.words, say("step.words.weight_is"));
      show(rows.h.row, Boolean(accept));
      text(rows.h.label, say("step.words.threshold", { i: sub(i) }));
      put(rows.h.cells[0], accept && accept[position], `${rule}/accept_prob/${position}`, "accept_prob", { i });
      show(rows.h.cells[1], false);
      const test = view.rule === "token" ? "_ratio" : "", first = i > 1 ? "" : "_first";
      text(rows.h.words, backwards ? say(i < gamma ? "step.words.prefix" : "step.words.prefix_last", { next: i + 1 }) : say(`step.words.token${first}${test}`));
    },
  };
}
