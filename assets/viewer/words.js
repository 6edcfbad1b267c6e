/** The three numbers of the chosen position in words, beside the lane; a click on one shows its formula. */

import { html, set, show, text, value } from "./svg.js";
import { number, numeric, sub } from "./format.js";

const TEXT = {
  r: "compares the two models on this token alone.",
  w: "is the chance that the block survives up to here, averaged over later drafts.",
  h: "",
};

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
      text(title, last ? "After the last drafted token" : `Position ${i}`);
      for (const row of Object.values(rows)) show(row.row, scored && !last);
      text(note, !scored ? "The target has not spoken yet: only D is known." : last ? "Only the target is known here; if all is kept, it alone draws the bonus token." : "");
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
      text(rows.r.words, own ? ` compares the two models; the rule works with T̃ here, and T̃/D = ${number(numeric(own.drafted) / numeric(block.paths[0].rows[position].draft))}.` : " " + TEXT.r);
      show(rows.w.row, Boolean(weights));
      text(rows.w.label, "weight ");
      put(rows.w.cells[0], weights && weights[position], `${rule}/prefix_weight/${position}`, position ? "prefix_weight" : null, { i: position }, `arriving w${sub(position)} = `);
      put(rows.w.cells[1], weights && weights[i], `${rule}/prefix_weight/${i}`, "prefix_weight", { i }, ` → leaving w${sub(i)} = `);
      text(rows.w.words, " " + TEXT.w);
      show(rows.h.row, Boolean(accept));
      text(rows.h.label, `threshold h${sub(i)} = `);
      put(rows.h.cells[0], accept && accept[position], `${rule}/accept_prob/${position}`, "accept_prob", { i });
      show(rows.h.cells[1], false);
      text(rows.h.words, backwards
        ? ` belongs to this prefix: ${i < gamma ? "its coin η is tossed only if every longer prefix failed" : "its coin η is tossed first"}.${i < gamma ? ` The masses of position ${i + 1} set h.` : " At the end h is w itself."}`
        : ` belongs to this token${view.rule === "token" ? ", min(1, r)" : ""}: ${i > 1 ? "its coin η is tossed only if every earlier token passed" : "its coin η is tossed first"}.`);
    },
  };
}
