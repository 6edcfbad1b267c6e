/** What is asked for: pair and drafts, tasks, rules, block lengths, temperatures; how much of it, and what that amounts to. */

import { createCount } from "../compare/measure_parts.js";
import { grouped } from "../compare/rule_words.js";
import { many } from "../format.js";
import { draftTitle, pairNote, pairTitle } from "../pair_words.js";
import { mistakeWords, ruleTitle, ruleWords } from "../rule_gallery.js";
import { html, set, show, text } from "../svg.js";
import { say } from "../words/parts/lab.js";
import { say as sayMeasure } from "../words/parts/measure.js";
import { say as sayViewer } from "../words/parts/viewer.js";
import { KINDS, readTyped, writeList } from "./lists.js";
import { createOwn } from "./own.js";
import { sentences } from "./store.js";
import { taskNote, taskTitle, taskWords } from "./task_words.js";

/** A group of checkboxes. @param {Element} parent @param {string} id @param {string} title @param {(names: string[]) => void} onChange */
function createChoices(parent, id, title, onChange) {
  const root = html("fieldset", { class: "lab-choices", id }, parent);
  html("legend", null, root, title);
  const list = html("div", { class: "lab-choice-list" }, root);
  let boxes = [], filled = "", chosen = [];
  return {
    root,
    /** @param {{name: string, title: string, note?: string, extra?: string, off?: string}[]} entries @param {string[]} now */
    update(entries, now) {
      chosen = now;
      const key = JSON.stringify(entries);
      if (key !== filled) {
        filled = key;
        list.textContent = "";
        boxes = entries.map((entry) => {
          const label = html("label", { class: "lab-choice", title: entry.off || entry.note || null }, list);
          const input = /** @type {HTMLInputElement} */ (html("input", { type: "checkbox", value: entry.name, disabled: Boolean(entry.off) }, label));
          const words = html("span", null, label);
          html("b", null, words, entry.title);
          if (entry.extra) html("span", { class: "sd-soft" }, words, ` ${entry.extra}`);
          input.addEventListener("change", () => onChange(entries.map((one) => one.name).filter((name) => (name === entry.name ? input.checked : chosen.includes(name)))));
          return input;
        });
      }
      for (const box of boxes) if (box.checked !== now.includes(box.value)) box.checked = now.includes(box.value);
    },
  };
}

/** A typed list of numbers. @param {Element} parent @param {string} name @param {any} actions */
function createList(parent, name, actions) {
  const wrap = html("label", { class: "sd-field", title: say(`lab.field.${name}`) }, parent), id = `lab-${name.replace("_", "-")}`;
  html("span", null, wrap, KINDS[name].name);
  const input = /** @type {HTMLInputElement} */ (html("input", { id, type: "text", class: "lab-list", inputmode: "decimal", spellcheck: "false" }, wrap));
  const problem = html("span", { class: "sd-problem", id: `${id}-problem`, role: "alert" }, wrap);
  /** the list that the field stands for: another one, though of the same numbers, replaces what is typed */
  let held = /** @type {number[]} */ ([]);
  /** what a mistake goes back to: never a beginning of what is typed */
  let settled = held;
  input.addEventListener("input", () => {
    const found = readTyped(input.value, KINDS[name]);
    text(problem, found.problem);
    set(input, { "aria-invalid": found.problem ? "true" : null, "aria-describedby": found.problem ? problem.id : null });
    actions.invalid(name, found.problem);
    const next = found.problem ? settled : found.numbers;
    if (next === held) return;
    held = next;
    actions.setForm({ [name]: next });
  });
  const settle = () => {
    if (!input.hasAttribute("aria-invalid")) settled = held;
  };
  for (const event of ["change", "blur"]) input.addEventListener(event, settle);
  return {
    update(numbers) {
      if (numbers === held) return;
      held = settled = numbers;
      input.value = writeList(numbers);
      text(problem, "");
      set(input, { "aria-invalid": null });
      actions.invalid(name, "");
    },
  };
}

/** @param {Element} container @param {any} actions @param {any} config */
export function createForm(container, actions, config) {
  const root = html("form", { class: "lab-form", autocomplete: "off" }, container), limits = config.limits || {};
  root.addEventListener("submit", (event) => event.preventDefault());
  const first = html("div", { class: "sd-controls" }, root);
  const label = html("label", { class: "sd-field" }, first);
  html("span", null, label, sayViewer("viewer.field.pair"));
  const pair = /** @type {HTMLSelectElement} */ (html("select", { id: "lab-pair" }, label));
  for (const entry of config.pairs) html("option", { value: entry.name, title: pairNote(entry) || null }, pair, pairTitle(entry));
  pair.addEventListener("change", () => actions.setPair(pair.value));
  const drafts = createChoices(first, "lab-drafts", say("lab.drafts"), (names) => actions.setForm({ drafts: names }));
  const presets = html("div", { class: "lab-presets" }, first);
  html("button", { type: "button", class: "sd-button small", id: "lab-quick" }, presets, say("lab.quick")).addEventListener("click", () => actions.preset("quick"));
  html("button", { type: "button", class: "sd-button small", id: "lab-paper", title: say("lab.paper.title") }, presets, say("lab.paper")).addEventListener("click", () => actions.preset("paper"));

  const tasks = createChoices(root, "lab-tasks", say("lab.tasks"), (names) => actions.setForm({ tasks: names }));
  const own = createOwn(root, actions, limits.lab_own_characters || 200_000);
  const rules = createChoices(root, "lab-rules", say("lab.rules"), (names) => actions.setForm({ rules: [...names, ...others()] }));
  const more = html("details", { class: "lab-more" }, root);
  html("summary", null, more, say("lab.more"));
  const lossy = createChoices(more, "lab-lossy", say("lab.not_lossless"), (names) => actions.setForm({ rules: [...lossless(), ...names] }));
  const [good = ["", []], ...bad] = grouped(config.rules || []);
  const safe = good[1], unsafe = bad.flatMap(([, list]) => list), unsafeNames = unsafe.map((rule) => rule.name);
  const extra = html("div", { class: "sd-controls" }, more);
  const numbers = html("div", { class: "sd-controls" }, root);
  const list = (parent, name) => createList(parent, name, actions);
  const lists = { gammas: list(numbers, "gammas"), temperatures: list(numbers, "temperatures"), top_ks: list(extra, "top_ks"), top_ps: list(extra, "top_ps") };
  const count = (parent, id, name, low, high) => ({ name, part: createCount(parent, { id: `lab-${id}`, label: say(`lab.count.${name}`), title: say(`lab.count.${name}.title`), low, high }, (x) => actions.setForm({ [name]: x })) });
  const counts = [
    count(numbers, "prompts", "prompts", 1, 1000), count(numbers, "max-new-tokens", "max_new_tokens", 1, (limits.max_new_tokens || [1, 512])[1]),
    count(extra, "seed", "seed", 0, 2 ** 53 - 100), count(extra, "seeds", "seeds", 1, 20),
  ];
  const minutes = createCount(numbers, { id: "lab-minutes", label: say("lab.count.minutes"), title: say("lab.count.minutes.title"), low: 1, high: (limits.lab_minutes || [1, 15])[1] }, (x) => actions.setMinutes(x));
  let form = null;
  const others = () => form.rules.filter((name) => unsafeNames.includes(name)), lossless = () => form.rules.filter((name) => !unsafeNames.includes(name));

  return {
    root, restoreTyped: own.restore,
    /** Counts that make no sense go, as lists do where another stands for them. */
    forget() { for (const { part } of counts) part.reset(); },
    update(state) {
      form = state.form;
      const entry = config.pairs.find((one) => one.name === form.pair), chat = Boolean(entry && (entry.prompt_modes || ["text"]).includes("chat"));
      if (pair.value !== form.pair) pair.value = form.pair;
      drafts.update((entry ? entry.drafts : []).map((draft) => ({ name: draft.name, title: draftTitle(entry.name, draft) })), form.drafts);
      show(drafts.root, Boolean(entry && entry.drafts.length > 1));
      const no = entry ? say("lab.no_template", { pair: pairTitle(entry) }) : say("lab.no_template.this");
      tasks.update((config.tasks || []).map((task) => {
        const off = task.mode === "chat" && !chat ? no : "";
        return { name: task.name, title: taskWords(task.name), extra: sentences([taskNote(task), off]), note: sayMeasure("measure.prompts_of", { count: task.count, set: taskTitle(task) }), off };
      }), form.tasks);
      own.update(state, chat);
      const words = (rule) => ({ name: rule.name, title: ruleWords(rule.name), note: mistakeWords(rule.name, rule.goes_wrong) || ruleTitle(rule.name, rule.title) });
      rules.update(safe.map(words), form.rules);
      lossy.update(unsafe.map(words), form.rules);
      for (const name in lists) lists[name].update(form[name]);
      for (const { name, part } of counts) part.update(form[name]);
      minutes.update(state.minutes);
      if (others().length || form.seed || form.seeds > 1 || writeList(form.top_ks) !== "0" || writeList(form.top_ps) !== "1") more.open = true;
      set(root, { "data-status": state.status });
    },
  };
}

/** @param {any} plan @param {boolean} bounded whether the command has a bound */
function planWords({ cells, tokens, no_command }, bounded) {
  const amount = { count: cells, cells: many(cells), tokens: many(tokens) };
  return no_command ? say("lab.plan.no_command", { ...amount, why: no_command }) : say(bounded ? "lab.plan.bounded" : "lab.plan.unbounded", amount);
}

/** Puts words in which no option of the command is broken at its hyphens. @param {Element} node @param {string} words */
function withOptions(node, words) {
  if (node.textContent === words) return;
  node.textContent = "";
  words.split(/(--[a-z][a-z-]*)/).forEach((part, n) => (n % 2 ? html("span", { class: "lab-option" }, node, part) : node.append(part)));
}

/** What the form amounts to: cells and tokens, why it is too much, and the command line for it. @param {Element} container @param {any} actions */
export function createPlan(container, actions) {
  const root = html("div", { class: "lab-plan" }, container), words = html("p", { id: "lab-plan", role: "status" }, root), problem = html("p", { class: "sd-problem", id: "lab-problem", role: "alert" }, root);
  const line = html("p", { class: "lab-command" }, root), code = html("code", { id: "lab-command" }, line);
  const copy = html("button", { type: "button", class: "sd-button small", id: "lab-copy-command" }, line, say("lab.copy"));
  copy.addEventListener("click", () => actions.copy(code.textContent || "", copy));
  return {
    update(state) {
      const { plan, problem: wrong, minutes } = state, bound = plan && !plan.refused ? ` --minutes ${minutes}` : ""; // what is refused here takes longer
      text(problem, wrong || (plan && plan.refused) || "");
      withOptions(words, plan ? planWords(plan, Boolean(bound)) : "");
      show(words, Boolean(plan));
      show(line, Boolean(plan && plan.command));
      withOptions(code, plan && plan.command ? plan.command + bound : "");
    },
  };
}
