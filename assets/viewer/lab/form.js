/** What is asked for: pair and drafts, tasks, rules, block lengths, temperatures; how much of it, and what that amounts to. */

import { plural } from "../format.js";
import { createCount } from "../compare/measure_parts.js";
import { grouped, ruleWords } from "../compare/rule_words.js";
import { html, set, show, text } from "../svg.js";
import { many } from "./lab_words.js";
import { KINDS, readList, writeList } from "./lists.js";
import { createOwn } from "./own.js";

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

/** A typed list of numbers. @param {Element} parent @param {string} name @param {string} label @param {string} title @param {any} actions */
function createList(parent, name, label, title, actions) {
  const wrap = html("label", { class: "sd-field", title }, parent), id = `lab-${name.replace("_", "-")}`;
  html("span", null, wrap, label);
  const input = /** @type {HTMLInputElement} */ (html("input", { id, type: "text", class: "lab-list", inputmode: "decimal", spellcheck: "false" }, wrap));
  const problem = html("span", { class: "sd-problem", id: `${id}-problem`, role: "alert" }, wrap);
  /** the list that the field stands for: another one, though of the same numbers, replaces what is typed */
  let held = null;
  input.addEventListener("input", () => {
    const found = readList(input.value, KINDS[name]);
    text(problem, found.problem);
    set(input, { "aria-invalid": found.problem ? "true" : null, "aria-describedby": found.problem ? problem.id : null });
    actions.invalid(name, found.problem);
    if (!found.problem) {
      held = found.numbers;
      actions.setForm({ [name]: found.numbers });
    }
  });
  return {
    update(numbers) {
      if (numbers === held) return;
      held = numbers;
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
  html("span", null, label, "Pair");
  const pair = /** @type {HTMLSelectElement} */ (html("select", { id: "lab-pair" }, label));
  for (const entry of config.pairs) html("option", { value: entry.name, title: entry.note || null }, pair, entry.title);
  pair.addEventListener("change", () => actions.setPair(pair.value));
  const drafts = createChoices(first, "lab-drafts", "Drafts", (names) => actions.setForm({ drafts: names }));
  const presets = html("div", { class: "lab-presets" }, first);
  html("button", { type: "button", class: "sd-button small", id: "lab-quick" }, presets, "a first look").addEventListener("click", () => actions.preset("quick"));
  html("button", { type: "button", class: "sd-button small", id: "lab-paper", title: "token and block at γ = 4, 6, 8 and T = 1 over all tasks of the pair’s own kind" }, presets, "the paper’s table").addEventListener("click", () => actions.preset("paper"));

  const tasks = createChoices(root, "lab-tasks", "Tasks", (names) => actions.setForm({ tasks: names }));
  const own = createOwn(root, actions, limits.lab_own_characters || 200_000);
  const rules = createChoices(root, "lab-rules", "Rules", (names) => actions.setForm({ rules: [...names, ...others()] }));
  const more = html("details", { class: "lab-more" }, root);
  html("summary", null, more, "more: lossy rules and mistakes, top-k, top-p, seeds");
  const lossy = createChoices(more, "lab-lossy", "Not lossless", (names) => actions.setForm({ rules: [...lossless(), ...names] }));
  const [good = ["", []], ...bad] = grouped(config.rules || []);
  const safe = good[1], unsafe = bad.flatMap(([, list]) => list), unsafeNames = unsafe.map((rule) => rule.name);
  const extra = html("div", { class: "sd-controls" }, more);
  const numbers = html("div", { class: "sd-controls" }, root);
  const lists = { gammas: createList(numbers, "gammas", "γ", "drafted tokens a block, with commas", actions), temperatures: createList(numbers, "temperatures", "T", "temperatures, with commas; 0 is greedy", actions), top_ks: createList(extra, "top_ks", "top-k", "0 is off", actions), top_ps: createList(extra, "top_ps", "top-p", "1 is off", actions) };
  const count = (parent, id, words, title, low, high, name) => ({ name, part: createCount(parent, { id: `lab-${id}`, label: words, title, low, high }, (x) => actions.setForm({ [name]: x })) });
  const counts = [
    count(numbers, "prompts", "prompts a task", "the first so many of each task; intervals need two at least", 1, 1000, "prompts"), count(numbers, "max-new-tokens", "tokens a text", "where a text ends at the latest", 1, (limits.max_new_tokens || [1, 512])[1], "max_new_tokens"),
    count(extra, "seed", "seed", "the first seed", 0, 2 ** 53 - 100, "seed"), count(extra, "seeds", "seeds", "how often each prompt is decoded, each time with other random numbers", 1, 20, "seeds"),
  ];
  const minutes = createCount(numbers, { id: "lab-minutes", label: "minutes at most", title: "no cell is begun that would end later; what is finished is kept", low: 1, high: (limits.lab_minutes || [1, 15])[1] }, (x) => actions.setMinutes(x));
  let form = null;
  const others = () => form.rules.filter((name) => unsafeNames.includes(name)), lossless = () => form.rules.filter((name) => !unsafeNames.includes(name));

  return {
    root, restoreTyped: own.restore,
    update(state) {
      form = state.form;
      const entry = config.pairs.find((one) => one.name === form.pair), chat = Boolean(entry && (entry.prompt_modes || ["text"]).includes("chat"));
      if (pair.value !== form.pair) pair.value = form.pair;
      drafts.update((entry ? entry.drafts : []).map((draft) => ({ name: draft.name, title: draft.title })), form.drafts);
      show(drafts.root, Boolean(entry && entry.drafts.length > 1));
      const no = `${entry ? entry.title : "This pair"} takes no instructions: its tokenizer has no chat template.`;
      tasks.update((config.tasks || []).map((task) => {
        const off = task.mode === "chat" && !chat ? no : "";
        return { name: task.name, title: task.name, extra: off ? `${task.note} ${off}` : task.note, note: `${plural(task.count, "prompt")} of ${task.title}`, off };
      }), form.tasks);
      own.update(state, chat);
      const words = (rule) => ({ name: rule.name, title: ruleWords(rule.name), note: rule.goes_wrong || rule.title });
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

/** What the form amounts to: cells and tokens, why it is too much, and the command line for it. @param {Element} container @param {any} actions */
export function createPlan(container, actions) {
  const root = html("div", { class: "lab-plan" }, container), words = html("p", { id: "lab-plan", role: "status" }, root), problem = html("p", { class: "sd-problem", id: "lab-problem", role: "alert" }, root);
  const line = html("p", { class: "lab-command" }, root), code = html("code", { id: "lab-command" }, line);
  const copy = html("button", { type: "button", class: "sd-button small", id: "lab-copy-command" }, line, "Copy");
  copy.addEventListener("click", () => actions.copy(code.textContent || "", copy));
  return {
    update(state) {
      const { plan, problem: wrong, minutes } = state, bound = plan && !plan.refused ? ` --minutes ${minutes}` : ""; // what is refused here takes longer
      text(problem, wrong || (plan && plan.refused) || "");
      text(words, plan ? `${plural(plan.cells, "cell").replace(/^\d+/, many(plan.cells))}, at most ${many(plan.tokens)} tokens to decode in all lanes. ${plan.no_command || `The same on the command line${bound ? " (without --minutes it has no bound)" : ", without a bound"}:`}` : "");
      show(words, Boolean(plan));
      show(line, Boolean(plan && plan.command));
      text(code, plan && plan.command ? plan.command + bound : "");
    },
  };
}
