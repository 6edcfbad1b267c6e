/** What of a sweep is looked at: its condition, a task or the average, and the γ of what is shown for one γ alone. */

import { html, set, show } from "../svg.js";
import { say } from "../words/parts/lab_pictures.js";
import { conditionWords } from "./series.js";
import { taskWords } from "./task_words.js";

/** @param {Element} container @param {any} actions */
export function createLooked(container, actions) {
  const root = html("div", { class: "sd-controls lab-looked", role: "group", "aria-label": say("sweep.shown") }, container);
  const make = (name, pick) => {
    const label = html("label", { class: "sd-field", title: say(`sweep.shown.${name}.title`) }, root);
    html("span", null, label, say(`sweep.shown.${name}`));
    const select = /** @type {HTMLSelectElement} */ (html("select", { id: `lab-${name}` }, label));
    select.addEventListener("change", () => actions.look(pick(select.value)));
    return { label, select, filled: "" };
  };
  const condition = make("condition", (value) => ({ condition: value, c: null, v: null }));
  const task = make("task", (value) => ({ task: value || null }));
  const gamma = make("gamma", (value) => ({ gamma: Number(value) }));

  function fill(field, entries, chosen) {
    const key = JSON.stringify(entries);
    if (key !== field.filled) {
      field.filled = key;
      field.select.textContent = "";
      for (const [value, words] of entries) html("option", { value }, field.select, words);
    }
    if (field.select.value !== chosen) field.select.value = chosen;
    set(field.select, { "data-count": entries.length });
  }

  return {
    /** @param {any} at from `lookedAt`, or null */
    update(at) {
      show(root, Boolean(at));
      if (!at) return;
      const settings = at.all.map((one) => one.setting);
      fill(condition, at.all.map((one) => [one.key, conditionWords(one.setting, settings)]), at.condition);
      fill(task, [...(at.tasks.length > 1 ? [["", say("sweep.average_of", { count: at.tasks.length })]] : []), ...at.tasks.map((name) => [name, taskWords(name)])], at.task || "");
      fill(gamma, [...at.gammas].sort((a, b) => a - b).map((one) => [String(one), String(one)]), String(at.gamma));
      show(condition.label, at.all.length > 1);
    },
  };
}
