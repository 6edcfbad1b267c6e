/** Start and Cancel, how far it is, and what goes out of the page and comes in. */

import { html, set, show, text } from "../svg.js";
import { statusWords } from "./lab_words.js";

/** @param {Element} container @param {any} actions */
export function createStatus(container, actions) {
  const root = html("div", { class: "measure-controls lab-status" }, container);
  const button = (id, words, act, kind = "") => {
    const node = /** @type {HTMLButtonElement} */ (html("button", { type: "button", id: `lab-${id}`, class: `sd-button ${kind}` }, root, words));
    node.addEventListener("click", () => act(node));
    return node;
  };
  const start = button("start", "Start", () => actions.start(), "primary"), cancel = button("cancel", "Cancel", () => actions.cancel());
  const line = html("p", { class: "measure-status", id: "lab-status", role: "status" }, root);
  const bar = html("progress", { max: 1, "aria-label": "cells finished" }, line), says = html("span", null, line);
  const files = html("div", { class: "lab-files", role: "group", "aria-label": "files" }, root);
  const file = (id, words, act) => {
    const node = /** @type {HTMLButtonElement} */ (html("button", { type: "button", id: `lab-${id}`, class: "sd-button small" }, files, words));
    node.addEventListener("click", () => act(node));
    return node;
  };
  const link = file("copy-link", "Copy link", (node) => actions.copyLink(node));
  const kinds = [["csv", "CSV"], ["md", "Markdown"], ["jsonl", "JSONL"]].map(([kind, words]) => file(`save-${kind}`, words, () => actions.save(kind)));
  const page = file("save-html", "Save as HTML", () => actions.saveHtml());
  set(page, { title: "table, pictures and texts as one file with this page, which opens from disk, offline" });
  set(kinds[2], { title: "the rows: `python -m specdemo lab --out FILE` goes on from it" });
  set(link, { title: "what is asked for, as an address" });
  const label = html("label", { class: "sd-button small", title: "a file of a sweep (.jsonl), to look at or to go on from" }, files, "Open …");
  const input = /** @type {HTMLInputElement} */ (html("input", { type: "file", id: "lab-open", accept: ".jsonl", class: "sd-hidden-input" }, label));
  input.addEventListener("change", () => {
    const [chosen] = input.files;
    input.value = "";
    if (chosen) actions.open(chosen);
  });
  const clear = file("clear", "Clear", () => actions.clear());
  const message = html("p", { class: "sd-notice lab-message", id: "lab-message", role: "alert" }, root);
  const retry = button("summary-again", "Try again", () => actions.summary(), "small");

  return {
    /** @param {any} state @param {{done: number, wrong: string}} more */
    update(state, { done, wrong }) {
      const running = state.status === "running", whole = state.keys.length, refused = wrong || state.problem || (state.plan && state.plan.refused);
      start.disabled = running || Boolean(refused) || !state.plan;
      text(start, state.rows.size && !running ? "Start again" : "Start");
      show(cancel, running);
      show(bar, running);
      set(bar, { value: running && whole ? done / whole : null });
      text(says, running || !wrong ? statusWords(state, done) : wrong);
      set(line, { "data-status": running || !wrong ? state.status : "impossible" });
      kinds.forEach((node, n) => (node.disabled = !state.rows.size || (n < 2 && !state.answer))); // the rows are written as they are
      page.disabled = !state.answer || !state.answer.summary.cells.done;
      clear.disabled = running || !state.rows.size;
      input.disabled = running;
      const words = [state.message, state.trouble && `The summary could not be made: ${state.trouble}`].filter(Boolean).join(" ");
      text(message, words);
      show(message, Boolean(words));
      show(retry, Boolean(state.trouble));
      set(message, { class: `sd-notice lab-message ${state.status === "error" || state.trouble ? "error" : ""}` });
    },
  };
}
