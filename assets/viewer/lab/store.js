/**
 * The state of the Lab page and its subscribers. Rows are kept as the lines that came: a number that JavaScript writes anew
 * (1.0 as 1) would be another cell's.
 */

import { pairTitle } from "../pair_words.js";
import { say } from "../words/parts/lab.js";
import { say as sayMeasure } from "../words/parts/measure.js";
import { say as sayViewer } from "../words/parts/viewer.js";
import { taskWords } from "./task_words.js";

/** @typedef {{pair: string, drafts: string[], tasks: string[], own: {content: string, filename: string|null, mode: string}|null, rules: string[], gammas: number[], temperatures: number[], top_ks: number[], top_ps: number[], seed: number, seeds: number, prompts: number, max_new_tokens: number}} Grid */

export const MINUTES = 5;

/** What a pair is measured on unless something else is chosen: instructions for one that answers them, at its own temperature. @param {any} config @param {any} pair */
export function ownOf(config, pair) {
  const known = (mode) => (config.tasks || []).filter((task) => task.mode === mode).map((task) => task.name), asked = pair.prompt_mode === "chat" ? known("chat") : [];
  const texts = known("text"), few = ["stories", "recipes", "verse", "austen"].filter((name) => texts.includes(name));
  return { tasks: asked.length ? asked : few.length ? few : texts.slice(0, 4), temperatures: [pair.temperature ?? 1] };
}

/**
 * The form with another pair: its first draft, and its own tasks and temperature where those of the pair before were left as they came.
 * @param {any} config @param {Grid} form @param {any} pair @returns {Grid}
 */
export function withPair(config, form, pair) {
  const before = config.pairs.find((entry) => entry.name === form.pair), came = before ? ownOf(config, before) : { tasks: [], temperatures: [] }, own = ownOf(config, pair);
  const untouched = (name) => came[name].length === form[name].length && came[name].every((one) => form[name].includes(one));
  const chat = (pair.prompt_modes || []).includes("chat"), fits = form.tasks.filter((name) => chat || config.tasks.find((task) => task.name === name).mode === "text");
  return {
    ...form, pair: pair.name, drafts: pair.drafts.slice(0, 1).map((draft) => draft.name),
    tasks: untouched("tasks") || (form.tasks.length && !fits.length) ? own.tasks : fits, temperatures: untouched("temperatures") ? own.temperatures : form.temperatures,
  };
}

/** A sweep that is done within minutes and already says something. @param {any} config @returns {Grid} */
export function firstGrid(config) {
  const pair = (config.pairs || []).find((entry) => entry.available !== false) || (config.pairs || [])[0] || { name: "", drafts: [] };
  return {
    pair: pair.name, drafts: pair.drafts.slice(0, 1).map((draft) => draft.name), own: null, rules: ["token", "block"], ...ownOf(config, pair),
    gammas: [4, 8], top_ks: [0], top_ps: [1], seed: 0, seeds: 1, prompts: 8, max_new_tokens: 64,
  };
}

/** The tasks of the paper's table: those of the pair's own kind, texts to continue or instructions. @param {any} config @param {any} pair */
function paperTasks(config, pair) {
  const known = (mode) => (config.tasks || []).filter((task) => task.mode === mode).map((task) => task.name), asked = pair && pair.prompt_mode === "chat" ? known("chat") : [];
  return asked.length ? asked : known("text");
}

/** One sentence after the other, but for those that are empty. @param {string[]} said */
export const sentences = (said) => said.filter(Boolean).reduce((first, second) => (first ? sayMeasure("measure.sentences", { first, second }) : second), "");

/** What a person should know of the paper's table for a pair; "" where there is nothing to say. @param {any} config @param {any} pair */
export function paperWords(config, pair) {
  const tasks = paperTasks(config, pair), out = (config.tasks || []).some((task) => task.mode === "text" && !tasks.includes(task.name)), own = pair.temperature ?? 1;
  return sentences([
    out ? say("lab.paper.asked", { pair: pairTitle(pair), tasks: tasks.map(taskWords).join(sayViewer("viewer.comma")) }) : "",
    own !== 1 ? say("lab.paper.temperature", { value: own }) : "",
  ]);
}

/** The paper's table: token and block at its three γ and T = 1 over all tasks of the pair's own kind. @param {any} config @param {Grid} grid @returns {Grid} */
export const paperGrid = (config, grid) => ({
  ...grid, tasks: paperTasks(config, (config.pairs || []).find((entry) => entry.name === grid.pair)), own: null, rules: ["token", "block"], gammas: [4, 6, 8],
  temperatures: [1], top_ks: [0], top_ps: [1], seed: 0, seeds: 1, prompts: 30, max_new_tokens: 64,
});

/** @param {any} config */
export function createStore(config) {
  let state = {
    form: firstGrid(config), minutes: MINUTES,
    /** what the form amounts to: {of, cells, tokens, tasks, command, refused}, or a problem in words */
    plan: null, problem: "",
    status: "empty", message: null, progress: null, elapsed: 0, left: null,
    /** the grid that is or was measured, null for a file that was opened */
    grid: null, name: "", heads: [], rows: new Map(), keys: [],
    /** what has been measured adds up to, and the grid that this is of */
    answer: null, answered: null, trouble: "",
    shown: { condition: "", task: null, gamma: null, c: null, v: null },
  };
  const subscribers = [];
  return {
    config,
    get state() { return state; },
    subscribe(callback) { subscribers.push(callback); },
    set(change) {
      state = { ...state, ...change };
      for (const callback of subscribers) callback(state);
    },
    /** How many of the cells asked for are there. */
    get done() { return state.keys.reduce((sum, key) => sum + (state.rows.has(key) ? 1 : 0), 0); },
  };
}
