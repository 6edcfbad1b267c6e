/** Own prompts: pasted, one a line, or a file. The server reads them and names the line that is wrong; here only their size is known. */

import { html, set, show, text } from "../svg.js";

const NAMES = ".txt,.csv,.tsv,.json,.jsonl,.ndjson";

/** @param {Element} container @param {any} actions @param {number} most characters */
export function createOwn(container, actions, most) {
  const root = html("details", { class: "lab-own", id: "lab-own" }, container);
  html("summary", null, root, "your own prompts");
  const label = html("label", { class: "lab-own-text" }, root);
  html("span", { class: "sd-soft" }, label, "One prompt a line, or a file (.txt, .csv, .json, .jsonl: docs/lab-tasks.md). They go to this server to be measured, and nowhere else.");
  const area = /** @type {HTMLTextAreaElement} */ (html("textarea", { id: "lab-own-text", rows: 4, placeholder: "Once upon a time\nThe recipe needs", maxlength: most }, label));
  const row = html("div", { class: "sd-controls" }, root);
  const button = html("label", { class: "sd-button small" }, row, "Open a file …");
  const input = /** @type {HTMLInputElement} */ (html("input", { id: "lab-own-file", type: "file", accept: NAMES, class: "sd-hidden-input" }, button));
  const field = html("label", { class: "sd-field", title: "whether a prompt is a text to go on with or a message in the chat template" }, row);
  html("span", null, field, "they are");
  const mode = /** @type {HTMLSelectElement} */ (html("select", { id: "lab-own-mode" }, field));
  html("option", { value: "text" }, mode, "texts to go on with");
  html("option", { value: "chat" }, mode, "instructions");
  const clear = html("button", { type: "button", class: "sd-button small", id: "lab-own-clear" }, row, "Leave them out");
  const problem = html("p", { class: "sd-problem", id: "lab-own-problem", role: "alert" }, root), note = html("p", { class: "sd-soft", id: "lab-own-note", role: "status" }, root);
  let own = null;

  const change = (next) => {
    text(problem, "");
    actions.setForm({ own: next });
  };
  area.addEventListener("input", () => change(area.value.trim() ? { content: area.value, filename: null, mode: mode.value } : null));
  mode.addEventListener("change", () => own && change({ ...own, mode: mode.value }));
  clear.addEventListener("click", () => change(null));
  input.addEventListener("change", async () => {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    if (file.size > 4 * most) return void text(problem, `${file.name} is too large for this page: at most ${most} characters are read here, the command line reads files of 1 MB.`);
    let content;
    try {
      content = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    } catch {
      return void text(problem, `${file.name} is not UTF-8 text: save it as UTF-8.`);
    }
    if (content.length > most) return void text(problem, `${file.name} has ${content.length} characters, and at most ${most} are read here: take a part, or use the command line.`);
    change({ content, filename: file.name, mode: mode.value });
  });

  return {
    /** @param {any} state @param {boolean} chat whether the pair takes instructions */
    update(state, chat) {
      own = state.form.own;
      const shown = own && own.filename === null ? own.content : "";
      if (area.value !== shown && !(own === null && !area.value.trim())) area.value = shown;
      if (own === null && document.activeElement !== area) area.value = "";
      show(field, chat);
      show(clear, Boolean(own));
      if (own && mode.value !== own.mode) mode.value = own.mode;
      const task = own && state.plan && state.plan.tasks.find((one) => one.name.startsWith("own-"));
      text(note, !own ? "" : task ? [`${task.title}: ${task.note}`, ...task.notices].join(" ") : own.filename ? own.filename : "");
      set(root, { open: root.open || Boolean(own) });
    },
  };
}
