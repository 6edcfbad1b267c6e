/** The page of a saved sweep: what it adds up to, by the Lab's own table and pictures; the sliders of the prediction go on working. */

import { LONGEST } from "../link.js";
import { saveSweep } from "../lab/files.js";
import { many } from "../lab/lab_words.js";
import { encode } from "../lab/link.js";
import { createResults } from "../lab/results.js";
import { lookedAt } from "../lab/series.js";
import { taskWords } from "../lab/task_words.js";
import { pairTitle } from "../pair_words.js";
import { ruleWords } from "../rule_gallery.js";
import { html, set } from "../svg.js";
import { say } from "../words/parts/lab.js";
import { say as saySaved } from "../words/parts/saved.js";
import { say as sayViewer } from "../words/parts/viewer.js";
import { createHead, dateWords } from "./head.js";
import { madeBy, openRecord } from "./opening.js";

const distinct = (records, name) => [...new Set(records.map(({ setting }) => setting[name]))];
const listed = (words) => words.join(sayViewer("viewer.comma"));

/** What was asked for, out of the summary's own settings. @param {any} summary */
function settingsWords({ results }) {
  const rules = [...new Set(results.flatMap(({ setting }) => setting.rules))], prompts = Math.max(...results.map((one) => one.prompts)), seeds = Math.max(...results.map((one) => one.seeds));
  const all = (name) => listed(distinct(results, name)), off = (name, none) => listed(distinct(results, name).map((x) => (x === none ? say("lab.saved.off") : x)));
  return [
    say("lab.saved.drafts", { names: all("draft") }), say("lab.saved.rules", { names: listed(rules.map(ruleWords)) }), `γ = ${all("gamma")}`, `T = ${all("temperature")}`, `top-k ${off("top_k", 0)}`, `top-p ${off("top_p", 1)}`,
    say("lab.saved.amounts", { prompts, seeds, tokens: all("max_new_tokens") }),
  ].join(say("lab.semicolon"));
}

/** @param {any} machine @returns {string[]} */
const machineWords = ({ architecture, cores, threads }) => [architecture, cores && say("lab.saved.cores", { count: cores }), threads && say("lab.saved.threads", { count: threads })].filter(Boolean);

/** @param {any} record @returns {string[][]} terms and their words */
function sweepFacts({ answer: { summary }, places, saved }) {
  const { pair, drafts, machine, cells, versions, results, created } = summary, tasks = distinct(results, "task");
  return [
    [saySaved("saved.fact.file"), say("lab.saved.what")],
    [saySaved("saved.fact.pair"), say("lab.saved.pair", { title: pairTitle(pair), name: pair.name, symbols: pair.vocab_size, device: pair.device, dtype: pair.dtype })],
    [saySaved("saved.fact.weights"), [say("lab.saved.weights.target", { revision: pair.target_revision }), ...Object.entries(drafts).map(([name, revision]) => say("lab.saved.weights.draft", { name, revision }))].join(say("lab.semicolon"))],
    [say("lab.tasks"), listed(tasks.map(taskWords))],
    [saySaved("saved.fact.settings"), settingsWords(summary)],
    [say("lab.saved.measured"), say("lab.saved.cells", { done: many(cells.done), planned: cells.planned, machine: listed(machineWords(machine)) })],
    ...(places ? [[say("lab.saved.places"), say("lab.saved.places.kept", { of: many(places.of), kept: many(places.kept) })]] : []),
    [say("lab.saved.computed"), saySaved("saved.with", { date: dateWords(created), versions: listed(Object.entries(versions).filter(([, version]) => version).map(([name, version]) => `${name} ${version}`)) })],
    [saySaved("saved.fact.saved"), saySaved("saved.by", { date: dateWords(saved), program: madeBy() })],
  ];
}

/** The hash that asks for the same, null where none does. @param {any} asked */
function linkOf(asked) {
  const hash = asked && asked.tasks.length && !asked.own ? encode(asked, true) : null;
  return hash && hash.length <= LONGEST ? hash : null;
}

openRecord("lab", (root, record) => {
  const { answer, asked } = record, { summary } = answer || {};
  if (!summary || summary.schema !== "specdemo.lab-summary/1" || !Array.isArray(answer.tables) || !record.shown || !lookedAt(summary, record.shown)) throw new Error(say("lab.saved.damaged"));
  document.title = say("lab.saved.page", { pair: pairTitle(summary.pair) });
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
  const tasks = distinct(summary.results, "task"), said = { pair: pairTitle(summary.pair), cells: summary.cells.done, date: record.saved.slice(0, 10) };
  const { buttons, show } = createHead(html("div", { class: "sd-panel sd-top" }, root), {
    title: say("lab.saved.title"), line: tasks.length === 1 ? say("lab.saved.line", { ...said, task: taskWords(tasks[0]) }) : say("lab.saved.line_tasks", { ...said, tasks: tasks.length }),
    facts: sweepFacts(record), unlinked: say(asked ? (asked.own || !asked.tasks.length ? "lab.saved.unlinked.own" : "lab.saved.unlinked.length") : "lab.saved.unlinked.pair"), link: () => linkOf(asked),
  });
  for (const [kind, words] of [["md", "Markdown"], ["csv", "CSV"]]) {
    const button = html("button", { type: "button", class: "sd-button", id: `lab-save-${kind}`, title: say("lab.saved.table") }, null, words);
    button.addEventListener("click", () => saveSweep(state, /** @type {any} */ (kind)));
    buttons.prepend(button);
  }
  show(null);
  const results = createResults(root, actions);
  results.update(state);
  Object.assign(window, { lab: { actions } });
});
