/** Numbers and findings of the Lab in words. No document. */

import { many, number } from "../format.js";
import { fewGroups, hasInterval } from "../compare/measure_parts.js";
import { pairTitle } from "../pair_words.js";
import { ruleWords } from "../rule_gallery.js";
import { say } from "../words/parts/lab_pictures.js";
import { say as sayMeasure } from "../words/parts/measure.js";
import { say as sayViewer } from "../words/parts/viewer.js";
import { pieces } from "../words/pieces.js";
import { inEnglish } from "../words/words.js";
import { conditionKey } from "./series.js";
import { taskWords } from "./task_words.js";

const THIN = "\u202f";
const TOO_WIDE = 2; // as in specdemo/lab/table.py: an interval wider than 2, and than twice its figure, is not worth its digits

/** Whether an interval is so wide that it is not shown: from few prompts, or from times that vary. @param {any} figure {mean, low, high} */
export const tooWide = (figure) => hasInterval(figure) && figure.high - figure.low >= TOO_WIDE * Math.max(1, Math.abs(figure.mean));

/**
 * An interval as parts of a phrase: " [3.29, 3.53]", " [interval too wide]", or nothing where there is none.
 * @param {any} figure @param {string} path @param {(x: any) => string} format
 */
export function insideParts(figure, path, format) {
  if (!hasInterval(figure)) return [];
  if (tooWide(figure)) return [say("sweep.wide")];
  return [" [", { value: figure.low, path: `${path}/low`, format }, ", ", { value: figure.high, path: `${path}/high`, format }, "]"];
}

/** A figure with its interval in words, also one that is too wide to stand in a table. @param {any} figure @param {(x: any) => string} format */
export function intervalWords(figure, format) {
  if (!hasInterval(figure)) return "";
  const said = { figure: format(figure.mean), low: format(figure.low), high: format(figure.high) };
  return tooWide(figure) ? say("sweep.table.figure_wide", said) : say("sweep.table.figure", said);
}

/** A gain as a percentage with its sign: 0.0312 → "+3.1 %". */
export const gain = (x) => (x === null || x === undefined || Number.isNaN(Number(x)) ? "–" : `${Math.abs(x) < 0.0005 ? "" : x > 0 ? "+" : "−"}${Math.abs(100 * x).toFixed(1)}${THIN}%`);

/** The same on an axis. */
export const gainTick = (x) => `${x > 0 ? "+" : x < 0 ? "−" : ""}${Number((Math.abs(100 * x)).toPrecision(3))}${THIN}%`;

/** The tasks of an average. @param {string[]} tasks */
const averageWords = (tasks) => (tasks.length === 1 ? taskWords(tasks[0]) : say("sweep.average", { count: tasks.length }));

/** The task that is looked at, or the average. @param {any} at */
export const whereWords = (at) => (at.task ? taskWords(at.task) : averageWords(at.tasks));

/** Why no averages of the paper stand beside a table's; what only the server knows is said as it came. @param {any} table */
export function noPaperWords({ no_paper: why, setting }) {
  const { gamma } = setting;
  if (why === inEnglish("sweep.paper.gamma").replace("{gamma}", gamma)) return say("sweep.paper.gamma", { gamma });
  return why === inEnglish("sweep.paper.cuts") ? say("sweep.paper.cuts") : why === inEnglish("sweep.paper.single") ? say("sweep.paper.single") : why;
}

/** What a gain says against its interval. @param {any} gains {low, high} */
function verdictWords(gains) {
  if (gains.low === null) return say("sweep.verdict.alone");
  if (tooWide(gains)) return say("sweep.verdict.wide");
  return gains.low > 0 ? say("sweep.verdict.more") : gains.high < 0 ? say("sweep.verdict.less") : say("sweep.verdict.open");
}

/** What the averages say of block against token, γ by γ. @param {any} summary @param {{n: number, record: any}[]} averages @returns {any[][]} phrases */
export function findings(summary, averages) {
  const out = [];
  for (const { n, record } of averages) {
    for (const [rule, figures] of Object.entries(record.rules)) {
      const gains = figures.texts && figures.texts.gain;
      if (!gains) continue;
      const path = `lab:/summary/averages/${n}/rules/${rule}/texts/gain`;
      out.push(pieces("sweep.finding", {
        gamma: record.setting.gamma, rule: ruleWords(rule), gain: { value: gains.mean, path: `${path}/mean`, format: gain }, where: averageWords(record.text_tasks),
        interval: insideParts(gains, path, gain), verdict: verdictWords(gains),
      }));
    }
  }
  return out;
}

/** A warning where others wanted the cores too. @param {any} summary */
export function busyWords(summary) {
  const { load, machine } = summary;
  if (load === null || !machine.cores || load <= machine.cores) return "";
  return say("sweep.busy", { load: number(load), count: machine.cores });
}

/** A word on intervals from few groups, of one task or of all under a condition. @param {any} summary @param {string} condition @param {string|null} [task] */
export function fewWords(summary, condition, task = null) {
  const found = summary.results.filter(({ setting }) => conditionKey(setting) === condition && (!task || setting.task === task));
  const few = found.filter(({ group_count: count, groups, timed_prompts: timed }) => fewGroups(count) || (groups === "prompt" && fewGroups(timed)));
  const tasksOf = (records) => [...new Set(records.map(({ setting }) => setting.task))], tasks = tasksOf(few);
  if (!tasks.length) return "";
  if (few.every(({ groups }) => groups === "seed")) return sayMeasure("measure.few.seed");
  return tasks.length === tasksOf(found).length ? sayMeasure("measure.few.prompt") : sayMeasure("measure.few.of", { tasks: tasks.map(taskWords).join(sayViewer("viewer.comma")) });
}

/** What is not there yet. @param {any} summary @param {boolean} live whether it can be gone on with here */
export function missingWords(summary, live) {
  const count = summary.missing.reduce((sum, one) => sum + one.planned - one.cells, 0), planned = many(summary.cells.planned);
  return count ? say(live ? "sweep.missing_start" : "sweep.missing", { count, planned }) : "";
}

/** What the models' context cut short under a condition, a sentence for each task and kind. @param {any} summary @param {string} condition */
export function contextWords({ context = [], pair }, condition) {
  return context.filter(({ setting }) => conditionKey(setting) === condition).flatMap((record) => {
    const said = { task: taskWords(record.setting.task), limit: pair.context_limit ?? "–", most: record.setting.max_new_tokens };
    return [
      ...(record.cut ? [say("sweep.context.prompts", { ...said, cut: record.cut, count: record.prompts, read: [...new Set(record.read)].join("–") })] : []),
      ...(record.ended || record.runs_ended ? [say("sweep.context.texts", { ...said, ended: record.ended, texts: record.texts, runs_ended: record.runs_ended, runs: record.runs })] : []),
    ];
  });
}

/** What was measured with, in one line. @param {any} summary */
export function factsWords({ pair, machine, cells }) {
  const said = { pair: pairTitle(pair), dtype: pair.dtype, device: pair.device, count: cells.done };
  return machine.threads ? say("sweep.facts_threads", { ...said, threads: machine.threads }) : say("sweep.facts", said);
}

/** @param {string} words @param {number|null} seconds that are left */
function leftWords(words, seconds) {
  if (seconds === null) return words;
  if (seconds < 10) return say("sweep.status.left_few", { words });
  return seconds < 120 ? sayMeasure("measure.left_seconds", { words, count: Math.round(seconds / 10) * 10 }) : sayMeasure("measure.left_minutes", { words, count: Math.round(seconds / 60) });
}

/** @param {any} state @returns {string} how far it is */
export function statusWords(state, done) {
  const { status, progress, keys, left, elapsed } = state, cells = keys.length ? say("sweep.status.cells", { done: many(done), count: many(keys.length) }) : "";
  if (status === "running") return progress ? progress.text : leftWords(cells || say("sweep.status.starting"), left);
  if (status === "cancelled") return cells ? say("sweep.status.cancelled", { cells }) : say("sweep.status.cancelled_none");
  if (status !== "done" && status !== "time") return "";
  if (elapsed < 1) return say(`sweep.status.${status}`, { cells });
  const time = elapsed < 120 ? say("sweep.status.seconds", { count: Math.round(elapsed) }) : say("sweep.status.minutes", { count: Math.round(elapsed / 60) });
  return say(`sweep.status.${status}_in`, { cells, time });
}
