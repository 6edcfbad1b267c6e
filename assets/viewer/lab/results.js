/** What a sweep adds up to: what of it is looked at, the table, what to use, and the pictures. The Lab's page and a saved one show the same. */

import { html, show } from "../svg.js";
import { createChoice } from "./choice.js";
import { createLooked } from "./looked.js";
import { createPictures } from "./pictures.js";
import { lookedAt } from "./series.js";
import { createTable } from "./table.js";

/** @param {Element} root @param {any} actions `look`, and in the app `start` */
export function createResults(root, actions) {
  const looked = createLooked(root, actions), table = createTable(html("section", { class: "sd-panel" }, root), actions), drawings = html("div", { class: "lab-pictures" }, root);
  const choice = createChoice(html("section", { class: "sd-panel" }, drawings), actions), pictures = createPictures(drawings, actions);
  /** @type {any} */
  let drawn = {};

  return {
    /** A row of a sweep comes every second: all of this is drawn when a summary has. @param {any} state */
    update({ answer, shown }) {
      show(drawings, Boolean(answer));
      if (drawn.answer === answer && drawn.shown === shown) return;
      drawn = { answer, shown };
      const at = answer ? lookedAt(answer.summary, shown) : null;
      looked.update(at);
      table.update(answer, at);
      choice.update(answer && answer.summary, at);
      pictures.update(answer, at);
    },
  };
}
