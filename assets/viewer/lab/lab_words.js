/** Numbers and findings of the Lab in words. No document. */

import { number, plural } from "../format.js";
import { hasInterval } from "../compare/measure_parts.js";
import { ruleWords } from "../compare/rule_words.js";

const THIN = "\u202f";
const TOO_WIDE = 2; // as in specdemo/lab/table.py: an interval wider than 2, and than twice its figure, is not worth its digits

/** Whether an interval is so wide that it is not shown. @param {any} figure {mean, low, high} */
export const tooFewPrompts = (figure) => hasInterval(figure) && figure.high - figure.low >= TOO_WIDE * Math.max(1, Math.abs(figure.mean));

/**
 * An interval as parts of a phrase: " [3.29, 3.53]", " [too few prompts]", or nothing where there is none.
 * @param {any} figure @param {string} path @param {(x: any) => string} format
 */
export function insideParts(figure, path, format) {
  if (!hasInterval(figure)) return [];
  if (tooFewPrompts(figure)) return [" [too few prompts]"];
  return [" [", { value: figure.low, path: `${path}/low`, format }, ", ", { value: figure.high, path: `${path}/high`, format }, "]"];
}

/** A gain as a percentage with its sign: 0.0312 → "+3.1 %". */
export const gain = (x) => (x === null || x === undefined || Number.isNaN(Number(x)) ? "–" : `${Math.abs(x) < 0.0005 ? "" : x > 0 ? "+" : "−"}${Math.abs(100 * x).toFixed(1)}${THIN}%`);

/** The same on an axis. */
export const gainTick = (x) => `${x > 0 ? "+" : x < 0 ? "−" : ""}${Number((Math.abs(100 * x)).toPrecision(3))}${THIN}%`;

/** "about 40 s", "about 3 min". @param {number} seconds */
export const about = (seconds) => (seconds < 10 ? "a few seconds" : seconds < 120 ? `about ${Math.round(seconds / 10) * 10} s` : `about ${Math.round(seconds / 60)} min`);

/** A number of tokens or cells as people write it. */
export const many = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f");

export const averageWords = (tasks) => (tasks.length === 1 ? tasks[0] : `the average of ${plural(tasks.length, "task")}`);

/** What the averages say of block against token, γ by γ. @param {any} summary @param {{n: number, record: any}[]} averages @returns {any[][]} phrases */
export function findings(summary, averages) {
  const out = [];
  for (const { n, record } of averages) {
    for (const [rule, figures] of Object.entries(record.rules)) {
      const gains = figures.texts && figures.texts.gain;
      if (!gains) continue;
      const path = `lab:/summary/averages/${n}/rules/${rule}/texts/gain`, known = gains.low !== null;
      const verdict = !known ? "one prompt leaves no interval" : tooFewPrompts(gains) ? "nothing can be told yet" : gains.low > 0 ? "more than its interval" : gains.high < 0 ? "less, and outside its interval" : "not told apart from none: its interval holds 0";
      out.push([
        `γ = ${record.setting.gamma}: the ${ruleWords(rule)} rule gains `, { value: gains.mean, path: `${path}/mean`, format: gain }, " over token on ", averageWords(record.text_tasks),
        ...insideParts(gains, path, gain), ` (${verdict}).`,
      ]);
    }
  }
  return out;
}

/** A warning where others wanted the cores too. @param {any} summary */
export function busyWords(summary) {
  const { load, machine } = summary;
  if (load === null || !machine.cores || load <= machine.cores) return "";
  return `The machine was busy while this was measured (load ${number(load)} on ${plural(machine.cores, "core")}): speeds, c and v are of that hour and not to be relied on; block efficiencies do not depend on it.`;
}

/** What is not there yet. @param {any} summary @param {boolean} live whether it can be gone on with here */
export function missingWords(summary, live) {
  const cells = summary.missing.reduce((sum, one) => sum + one.planned - one.cells, 0);
  return cells ? `${plural(cells, "cell")} of ${many(summary.cells.planned)} not measured yet: what is shown stands on the others${live ? ", Start goes on with these" : ""}.` : "";
}

/** What was measured with, in one line. @param {any} summary */
export const factsWords = (summary) => `${summary.pair.title} · ${summary.pair.dtype} on ${summary.pair.device}${summary.machine.threads ? `, ${plural(summary.machine.threads, "thread")}` : ""} · ${plural(summary.cells.done, "cell")}`;

/** @param {any} state @returns {string} how far it is */
export function statusWords(state, done) {
  const { status, progress, keys, left, elapsed } = state, of = keys.length ? `${many(done)} of ${many(keys.length)} cells` : "";
  if (status === "running") return progress ? progress.text : `${of || "Starting …"}${left === null ? "" : `, ${about(left)} left`}`;
  const seconds = elapsed >= 1 ? ` in ${elapsed < 120 ? `${Math.round(elapsed)} s` : `${Math.round(elapsed / 60)} min`}` : "";
  return { empty: "", opened: "", done: `All ${of}${seconds}.`, time: `Time is over: ${of}${seconds}. Start goes on with the rest.`, cancelled: `Stopped: ${of || "nothing"} kept. Start goes on with the rest.`, error: "" }[status] ?? "";
}
