/** Start and Cancel, how far it is, and what goes out of the page and comes in. */

import { html, set, show, text } from "../svg.js";
import { say } from "../words/parts/lab.js";
import { say as sayViewer } from "../words/parts/viewer.js";
import { statusWords } from "./lab_words.js";
import { differing, settingWords } from "./link.js";
import { sentences } from "./store.js";

/** That what is being measured, or what is shown, has other settings than the form, in a sentence; "" where it has not. @param {any} state */
export function changedWords({ status, form, grid, answer, answered }) {
  const names = (of) => (of ? differing(form, of) : []), asked = names(grid), shown = names(answer && answered), running = status === "running" && asked.length > 0;
  const key = running ? "lab.changed.running" : asked.length ? "lab.changed" : "lab.changed.still"; // what was asked for last is still to be added up
  return running || shown.length ? say(key, { names: settingWords(running ? asked : shown) }) : "";
}

/** @param {Element} container @param {any} actions */
export function createStatus(container, actions) {
  const root = html("div", { class: "measure-controls lab-status" }, container);
  const button = (id, words, act, kind = "") => {
    const node = /** @type {HTMLButtonElement} */ (html("button", { type: "button", id: `lab-${id}`, class: `sd-button ${kind}` }, root, words));
    node.addEventListener("click", () => act(node));
    return node;
  };
  const start = button("start", say("lab.start"), () => actions.start(), "primary"), cancel = button("cancel", sayViewer("viewer.cancel"), () => actions.cancel());
  const line = html("p", { class: "measure-status", id: "lab-status", role: "status" }, root);
  const bar = html("progress", { max: 1, "aria-label": say("lab.progress") }, line), says = html("span", null, line);
  const files = html("div", { class: "lab-files", role: "group", "aria-label": say("lab.files") }, root);
  const file = (id, words, act) => {
    const node = /** @type {HTMLButtonElement} */ (html("button", { type: "button", id: `lab-${id}`, class: "sd-button small" }, files, words));
    node.addEventListener("click", () => act(node));
    return node;
  };
  const link = file("copy-link", say("lab.copy_link"), (node) => actions.copyLink(node));
  const kinds = [["csv", "CSV"], ["md", "Markdown"], ["jsonl", "JSONL"]].map(([kind, words]) => file(`save-${kind}`, words, () => actions.save(kind)));
  const page = file("save-html", say("lab.save_html"), () => actions.saveHtml());
  set(page, { title: say("lab.save_html.title") });
  set(kinds[2], { title: say("lab.save_jsonl.title") });
  set(link, { title: say("lab.copy_link.title") });
  const label = html("label", { class: "sd-button small", title: say("lab.open.title") }, files, say("lab.open"));
  const input = /** @type {HTMLInputElement} */ (html("input", { type: "file", id: "lab-open", accept: ".jsonl", class: "sd-hidden-input" }, label));
  input.addEventListener("change", () => {
    const [chosen] = input.files;
    input.value = "";
    if (chosen) actions.open(chosen);
  });
  const clear = file("clear", say("lab.clear"), () => actions.clear());
  const changed = html("p", { class: "sd-changed measure-changed", id: "lab-changed", role: "status" }, root);
  const message = html("p", { class: "sd-notice lab-message", id: "lab-message", role: "alert" }, root);
  const retry = button("summary-again", sayViewer("viewer.retry"), () => actions.summary(), "small");

  return {
    /** @param {any} state @param {{done: number, wrong: string}} more */
    update(state, { done, wrong }) {
      const running = state.status === "running", whole = state.keys.length, refused = wrong || state.problem || (state.plan && state.plan.refused);
      start.disabled = running || Boolean(refused) || !state.plan;
      text(start, say(state.rows.size && !running && done >= whole ? "lab.start_again" : "lab.start")); // it goes on with what is left
      show(cancel, running);
      show(bar, running);
      set(bar, { value: running && whole ? done / whole : null });
      text(says, running || !wrong ? statusWords(state, done) : wrong);
      text(changed, changedWords(state));
      set(line, { "data-status": running || !wrong ? state.status : "impossible" });
      kinds.forEach((node, n) => (node.disabled = !state.rows.size || (n < 2 && !state.answer))); // the rows are written as they are
      page.disabled = !state.answer || !state.answer.summary.cells.done;
      clear.disabled = running || !state.rows.size;
      input.disabled = running;
      const words = sentences([state.message, state.trouble && say("lab.trouble", { problem: state.trouble })]);
      text(message, words);
      show(message, Boolean(words));
      show(retry, Boolean(state.trouble));
      set(message, { class: `sd-notice lab-message ${state.status === "error" || state.trouble ? "error" : ""}` });
    },
  };
}
