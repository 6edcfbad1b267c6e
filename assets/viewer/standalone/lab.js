/** The page of a saved sweep: what it adds up to, by the Lab's own table and pictures; the sliders of the prediction go on working. */

import { plural } from "../format.js";
import { LONGEST } from "../link.js";
import { saveSweep } from "../lab/files.js";
import { many } from "../lab/lab_words.js";
import { encode } from "../lab/link.js";
import { createResults } from "../lab/results.js";
import { lookedAt } from "../lab/series.js";
import { ruleWords } from "../compare/rule_words.js";
import { html, set } from "../svg.js";
import { createHead, dateWords } from "./head.js";
import { madeBy, openRecord } from "./opening.js";

const WHAT = "What a sweep of specdemo's Lab measured: rules, block lengths, temperatures and drafts over tasks. Every number was computed by the library when the file was saved; the sliders of the prediction change the costs, and nothing else is computed here. "
  + "The measurements themselves, cell by cell, are not in it.";
const UNLINKED = {
  pair: "No link asks for this sweep: its models are of no pair of the app, or it was read from a file of rows.",
  own: "No link asks for this sweep: no link holds anybody's own prompts.",
  length: "What was asked for is too long for a link.",
};
const distinct = (records, name) => [...new Set(records.map(({ setting }) => setting[name]))];

/** What was asked for, out of the summary's own settings. @param {any} summary */
function settingsWords({ results }) {
  const rules = [...new Set(results.flatMap(({ setting }) => setting.rules))], prompts = Math.max(...results.map((one) => one.prompts)), seeds = Math.max(...results.map((one) => one.seeds));
  const off = (name, none) => distinct(results, name).map((x) => (x === none ? "off" : x)).join(", ");
  return [
    `draft ${distinct(results, "draft").join(", ")}`, `rules ${rules.map(ruleWords).join(", ")}`, `γ = ${distinct(results, "gamma").join(", ")}`, `T = ${distinct(results, "temperature").join(", ")}`, `top-k ${off("top_k", 0)}`, `top-p ${off("top_p", 1)}`,
    `at most ${plural(prompts, "prompt")} a task, ${plural(seeds, "seed")}, ${distinct(results, "max_new_tokens").join(", ")} tokens a text`,
  ].join("; ");
}

/** @param {any} record @returns {string[][]} terms and their words */
function sweepFacts({ answer: { summary }, places, saved }) {
  const { pair, drafts, machine, cells, versions, results, created } = summary, tasks = distinct(results, "task");
  return [
    ["This file", WHAT],
    ["Pair", `${pair.title} (${pair.name}); ${pair.vocab_size} symbols; ${pair.device}, ${pair.dtype}`],
    ["Weights", `target ${pair.target_revision}; ${Object.entries(drafts).map(([name, revision]) => `draft ${name} ${revision}`).join("; ")}`],
    ["Tasks", tasks.join(", ")],
    ["Settings", settingsWords(summary)],
    ["Measured", `${many(cells.done)} of ${plural(cells.planned, "cell")}, on ${[machine.architecture, machine.cores && plural(machine.cores, "core"), machine.threads && plural(machine.threads, "thread")].filter(Boolean).join(", ")}`],
    ...(places ? [["Places", `Of ${many(places.of)} places of texts ${many(places.kept)}, evenly spaced, are in this file`]] : []),
    ["Computed", `${dateWords(created)}, with ${Object.entries(versions).filter(([, version]) => version).map(([name, version]) => `${name} ${version}`).join(", ")}`],
    ["Saved", `${dateWords(saved)}, by ${madeBy()}`],
  ];
}

/** The hash that asks for the same, null where none does. @param {any} asked */
function linkOf(asked) {
  const hash = asked && asked.tasks.length && !asked.own ? encode(asked, true) : null;
  return hash && hash.length <= LONGEST ? hash : null;
}

openRecord("lab", (root, record) => {
  const { answer, asked } = record, { summary } = answer || {};
  if (!summary || summary.schema !== "specdemo.lab-summary/1" || !Array.isArray(answer.tables) || !record.shown || !lookedAt(summary, record.shown)) throw new Error("its summary is damaged");
  document.title = `specdemo Lab: ${summary.pair.title}`;
  let state = { answer, shown: record.shown, heads: [], rows: new Map() };
  const actions = {
    look(change) {
      state = { ...state, shown: { ...state.shown, ...change } };
      results.update(state);
    },
  };
  root.textContent = "";
  root.classList.add("sd", "sd-lab");
  set(root, { "data-page": "lab", "data-state": "ready" });
  const tasks = distinct(summary.results, "task");
  const { buttons, show } = createHead(html("div", { class: "sd-panel sd-top" }, root), {
    title: "A saved sweep of specdemo's Lab.", line: `${summary.pair.title} on ${tasks.length === 1 ? tasks[0] : plural(tasks.length, "task")} · ${plural(summary.cells.done, "cell")} · saved ${record.saved.slice(0, 10)}`,
    facts: sweepFacts(record), unlinked: asked ? (asked.own || !asked.tasks.length ? UNLINKED.own : UNLINKED.length) : UNLINKED.pair, link: () => linkOf(asked),
  });
  for (const [kind, words] of [["md", "Markdown"], ["csv", "CSV"]]) {
    const button = html("button", { type: "button", class: "sd-button", id: `lab-save-${kind}`, title: "the table as a file" }, null, words);
    button.addEventListener("click", () => saveSweep(state, /** @type {any} */ (kind)));
    buttons.prepend(button);
  }
  show(null);
  const results = createResults(root, actions);
  results.update(state);
  Object.assign(window, { lab: { actions } });
});
