/**
 * Own prompts: pasted, one a line, or a file. The server reads them and names the line that is wrong; here only their size is known.
 * A file is taken beside what is typed: the text stays in its box, a reload included, and is measured again once the file is left out.
 */

import { html, set, show, text } from "../svg.js";

const NAMES = ".txt,.csv,.tsv,.json,.jsonl,.ndjson";

/** Why a typed text is not taken, in words; "" where it is. @param {string} typed @param {number} most characters */
export function problemOfTyped(typed, most) {
  if (typed.length > most) return `your own prompts: ${typed.length} characters, and at most ${most} are read here: take a part, or use the command line`;
  return /\p{Surrogate}/u.test(typed) ? "your own prompts: half a character is among them: type it again" : ""; // no UTF-8 has it: it would travel as another
}

/** @param {Element} container @param {any} actions @param {number} most characters */
export function createOwn(container, actions, most) {
  const root = html("details", { class: "lab-own", id: "lab-own" }, container);
  html("summary", null, root, "your own prompts");
  const label = html("label", { class: "lab-own-text" }, root);
  html("span", { class: "sd-soft" }, label, "One prompt a line, or a file (.txt, .csv, .json, .jsonl: docs/lab-tasks.md). They go to this server to be measured, and nowhere else.");
  const area = /** @type {HTMLTextAreaElement} */ (html("textarea", { id: "lab-own-text", rows: 4, placeholder: "Once upon a time\nThe recipe needs" }, label));
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
  // `wrong` is of the text in the box; `left` is a text that was taken out of it, not by hand
  let own = null, wrong = "", left = "";

  const change = (next) => {
    own = next; // before the state has it: what comes from here changes nothing in the box
    text(problem, wrong);
    actions.setForm({ own: next });
  };
  const typed = () => (area.value.trim() ? { content: area.value, filename: null, mode: mode.value } : null);
  function judge() {
    wrong = problemOfTyped(area.value, most);
    set(area, { "aria-invalid": wrong ? "true" : null, "aria-describedby": wrong ? problem.id : null });
    text(problem, wrong);
    actions.invalid("own", wrong);
  }
  function read() {
    judge();
    actions.typed(area.value);
    if (!wrong) change(typed());
  }
  function empty() {
    left = area.value;
    area.value = "";
    judge();
    actions.typed("");
  }
  area.addEventListener("input", read);
  mode.addEventListener("change", () => own && change({ ...own, mode: mode.value }));
  clear.addEventListener("click", () => {
    if (wrong) {
      empty();
      change(own && own.filename !== null ? own : null);
    } else if (own && own.filename !== null) change(typed());
    else if (own) {
      empty();
      change(null);
    } else {
      area.value = left;
      read();
    }
  });
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
    /** What stood in the box before a reload, where no form brings it: beside a file, or too long. @param {string} text */
    restore(text) {
      if (!text || text === area.value || !((own && own.filename !== null) || problemOfTyped(text, most))) return;
      area.value = text;
      judge();
      actions.typed(text);
      set(root, { open: true });
    },
    /** @param {any} state @param {boolean} chat whether the pair takes instructions */
    update(state, chat) {
      const next = state.form.own;
      if (next !== own) {
        // a preset, a link or what was here before a reload
        if (!next && !wrong && area.value.trim()) empty();
        else if (next && next.filename === null && next.content !== area.value) {
          if (area.value.trim()) left = area.value;
          area.value = next.content;
          judge();
          actions.typed(area.value);
        }
        own = next;
      }
      if (own ? mode.value !== own.mode : !chat) mode.value = own ? own.mode : "text";
      show(field, chat || mode.value === "chat");
      const back = !own && !wrong && !area.value.trim() && Boolean(left);
      show(clear, Boolean(own || wrong || back));
      text(clear, back ? "Bring them back" : "Leave them out");
      const task = own && state.plan && state.plan.tasks.find((one) => one.name.startsWith("own-")), file = own && own.filename !== null;
      const words = !own || wrong ? [] : task ? [`${task.title}: ${task.note}`, ...task.notices] : file ? [`${own.filename}.`] : [];
      if (file && !wrong && area.value.trim()) words.push("The text in the box is kept, and not measured beside the file.");
      text(note, words.join(" "));
      set(root, { open: root.open || Boolean(own) });
    },
  };
}
