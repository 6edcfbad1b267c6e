/** The race's settings: which prompts, how many seeds, start and cancel, and the axis that lanes are drawn on. */

import { taskTitle } from "../lab/task_words.js";
import { html, set, text } from "../svg.js";
import { say as sayMeasure } from "../words/parts/measure.js";
import { say } from "../words/parts/racing.js";
import { createCount, createRunBar } from "./measure_parts.js";
import { changedSince, limitOf, settingWords } from "./measure_rules.js";
import { AXES, axisWords } from "./option_words.js";
import { finishedRuns } from "./race_model.js";
import { progressWords } from "./race_words.js";

const MOST_RUNS = 80;

/** @param {Element} container @param {any} actions */
export function createRaceControls(container, actions) {
  const root = html("form", { class: "measure-controls", autocomplete: "off" }, container);
  root.addEventListener("submit", (event) => event.preventDefault());
  const label = html("label", { class: "sd-field", title: say("racing.prompts.title") }, root);
  html("span", null, label, say("racing.prompts"));
  const sets = /** @type {HTMLSelectElement} */ (html("select", { id: "race-set" }, label));
  let options = { prompt_set: null, seeds: 0 }, others = 1; // many seeds of one prompt, or one seed of many prompts: each remembers its own
  sets.addEventListener("change", () => {
    const before = options;
    actions.setRaceOption("prompt_set", sets.value || null);
    if (Boolean(before.prompt_set) === Boolean(sets.value)) return;
    actions.setRaceOption("seeds", others);
    others = before.seeds;
  });
  let seeds = null;
  const place = html("span", { class: "measure-place" }, root);
  const bar = createRunBar(root, { id: "race", words: say("racing.start"), again: say("racing.start_again"), start: () => actions.startRace(), cancel: () => actions.cancelRace() });
  const changed = html("p", { class: "sd-changed measure-changed", id: "race-changed", role: "status" }, root);
  let filled = "";

  function fill(known) {
    const key = JSON.stringify(known);
    if (key === filled) return;
    filled = key;
    sets.textContent = "";
    html("option", { value: "" }, sets, say("racing.this_prompt"));
    for (const entry of known) html("option", { value: entry.name }, sets, say("racing.set", { set: taskTitle(entry), count: entry.count }));
  }

  return {
    root,
    update(view) {
      const { race, config } = view, [, most] = limitOf(config, "race_runs", MOST_RUNS), [, tokens] = limitOf(config, "race_tokens", Infinity);
      options = race.options;
      const known = (config && config.prompt_sets) || [];
      fill(known);
      const chosen = known.find((entry) => entry.name === options.prompt_set);
      const wanted = chosen ? chosen.name : "";
      if (sets.value !== wanted) sets.value = wanted;
      if (!seeds) seeds = createCount(place, { id: "race-seeds", label: say("racing.seeds"), title: say("racing.seeds.title"), high: most }, (x) => actions.setRaceOption("seeds", x));
      seeds.update(options.seeds);
      const runs = (chosen ? chosen.count : 1) * options.seeds, columns = view.rules || [];
      const impossible = tooMuch(runs, chosen ? chosen.count : 1, options.seeds, most) || (runs * (columns.length + 1) * ((view.form && view.form.max_new_tokens) || 0) > tokens ? say("racing.too_many_tokens", { count: tokens }) : columns.length ? null : sayMeasure("measure.choose_rules"));
      const current = race.earlier ? null : race.record, finished = current ? finishedRuns(current) : 0, planned = current ? current.planned : 0;
      const idle = say("racing.idle", { count: runs, lanes: columns.length + 1 });
      bar.update({
        status: race.status, words: race.status === "empty" ? idle : progressWords(race, finished), impossible, again: Boolean(race.record), counting: Boolean(current),
        fraction: planned ? finished / planned : race.progress ? race.progress.fraction : null,
      });
      const differs = race.status === "running" ? [] : changedSince(race.record, view.form, columns);
      text(changed, differs.length ? say("racing.changed", { names: settingWords(differs) }) : "");
      set(root, { "data-status": race.status });
    },
  };
}

/** Why a race of so many runs is not made, else null. */
function tooMuch(runs, prompts, seeds, most) {
  if (runs <= most) return null;
  const fit = Math.floor(most / prompts);
  return say(fit ? "racing.too_many_runs" : "racing.too_many_prompts", { prompts, seeds, runs, most, fit });
}

/** The radio group that chooses the lanes' axis. @param {Element} container @param {any} actions */
export function createAxisChoice(container, actions) {
  const root = html("div", { class: "measure-axis", id: "race-axis", role: "radiogroup", "aria-label": say("racing.axis.label") }, container);
  html("span", { class: "sd-soft" }, root, say("racing.axis"));
  const inputs = AXES.map((name) => {
    const label = html("label", null, root);
    const input = /** @type {HTMLInputElement} */ (html("input", { type: "radio", name: "race-axis", value: name }, label));
    html("span", null, label, axisWords(name));
    input.addEventListener("change", () => input.checked && actions.setRaceOption("axis", name));
    return input;
  });
  return {
    root,
    update(axis) {
      for (const input of inputs) if (input.checked !== (input.value === axis)) input.checked = input.value === axis;
    },
  };
}
