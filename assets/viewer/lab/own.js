/**
 * Own prompts: pasted, one a line, or a file. The server reads them and names the line that is wrong; here only their size is known.
 * A file is taken beside what is typed: the text stays in its box, a reload included, and is measured again once the file is left out.
 */

import { FOREIGN_TEXT, html, set, show, text } from "../svg.js";
import { say } from "../words/parts/lab.js";
import { sentences } from "./store.js";

const NAMES = ".txt,.csv,.tsv,.json,.jsonl,.ndjson";

/** Why a typed text is not taken, in words; "" where it is. @param {string} typed @param {number} most characters */
export function problemOfTyped(typed, most) {
  if (typed.length > most) return say("lab.own.too_long", { count: typed.length, most });
  return /\p{Surrogate}/u.test(typed) ? say("lab.own.half") : ""; // no UTF-8 has it: it would travel as another
}

/** Which prompts the server has read; how it read them stands at the end of what it says. @param {{title: string, note: string, prompts: number}} task @param {{filename: string|null}} own */
function readWords({ title, note, prompts }, own) {
  const said = { name: own.filename === null ? say("lab.own.yours") : title, count: prompts }, column = / of yours, from the column "(.*)"\.$/.exec(note);
  if (column) return say("lab.own.read.column", { ...said, column: column[1] });
  if (note.endsWith(" of yours, one a line.")) return say("lab.own.read.lines", said);
  return note.endsWith(" of yours, from a list.") ? say("lab.own.read.list", said) : `${title}: ${note}`;
}

/** @param {Element} container @param {any} actions @param {number} most characters */
export function createOwn(container, actions, most) {
  const root = html("details", { class: "lab-own", id: "lab-own" }, container);
  html("summary", null, root, say("lab.own"));
  const label = html("label", { class: "lab-own-text" }, root);
  html("span", { class: "sd-soft" }, label, say("lab.own.about"));
  const area = /** @type {HTMLTextAreaElement} */ (html("textarea", { id: "lab-own-text", rows: 4, ...FOREIGN_TEXT, placeholder: "Once upon a time\nThe recipe needs" }, label));
  const row = html("div", { class: "sd-controls" }, root);
  const button = html("label", { class: "sd-button small" }, row, say("lab.own.file"));
  const input = /** @type {HTMLInputElement} */ (html("input", { id: "lab-own-file", type: "file", accept: NAMES, class: "sd-hidden-input" }, button));
  const field = html("label", { class: "sd-field", title: say("lab.own.mode.title") }, row);
  html("span", null, field, say("lab.own.mode"));
  const mode = /** @type {HTMLSelectElement} */ (html("select", { id: "lab-own-mode" }, field));
  html("option", { value: "text" }, mode, say("lab.own.mode.text"));
  html("option", { value: "chat" }, mode, say("lab.own.mode.chat"));
  const clear = html("button", { type: "button", class: "sd-button small", id: "lab-own-clear" }, row, say("lab.own.leave"));
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
    if (file.size > 4 * most) return void text(problem, say("lab.own.large", { name: file.name, most }));
    let content;
    try {
      content = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    } catch {
      return void text(problem, say("lab.own.encoding", { name: file.name }));
    }
    if (content.length > most) return void text(problem, say("lab.own.file_long", { name: file.name, count: content.length, most }));
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
      text(clear, say(back ? "lab.own.back" : "lab.own.leave"));
      const task = own && state.plan && state.plan.tasks.find((one) => one.name.startsWith("own-")), file = own && own.filename !== null;
      const words = !own || wrong ? [] : task ? [readWords(task, own), ...task.notices] : file ? [`${own.filename}.`] : [];
      if (file && !wrong && area.value.trim()) words.push(say("lab.own.kept"));
      text(note, sentences(words));
      set(root, { open: root.open || Boolean(own) });
    },
  };
}
