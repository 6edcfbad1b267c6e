/** What of an answer is drawn: points with their intervals and their places in it. No document, and no number of its own. */

import { say } from "../words/parts/lab_pictures.js";
import { say as sayViewer } from "../words/parts/viewer.js";

const CONDITION = ["draft", "temperature", "top_k", "top_p", "max_new_tokens"];

/** A condition as a text that tells it from others. @param {any} setting */
export const conditionKey = (setting) => CONDITION.map((name) => setting[name]).join("|");

/** How tokens are drawn, for a reader. @param {any} setting @param {any[]} all settings from which it is to be told */
export function drawingWords(setting, all = []) {
  const varied = (name) => new Set(all.map((one) => one[name])).size > 1;
  return [
    `T = ${setting.temperature}`, ...(setting.top_k || varied("top_k") ? [setting.top_k ? `top-k ${setting.top_k}` : say("sweep.top_k_off")] : []),
    ...(setting.top_p < 1 || varied("top_p") ? [setting.top_p < 1 ? `top-p ${setting.top_p}` : say("sweep.top_p_off")] : []), ...(varied("max_new_tokens") ? [say("sweep.text_length", { count: setting.max_new_tokens })] : []),
  ].join(" · ");
}

/** A condition for a reader. @param {any} setting @param {any[]} all settings from which it is to be told */
export const conditionWords = (setting, all = []) => [say("sweep.draft", { draft: setting.draft }), drawingWords(setting, all)].join(" · ");

/** What can be looked at: conditions, their tasks (null: the average of all) and γ. @param {any} summary */
export function choices(summary) {
  const conditions = new Map();
  for (const { setting } of summary.averages) {
    const key = conditionKey(setting), found = conditions.get(key) || { key, setting, gammas: [], tasks: [] };
    conditions.set(key, found);
    if (!found.gammas.includes(setting.gamma)) found.gammas.push(setting.gamma);
  }
  for (const { setting } of summary.results) {
    const found = conditions.get(conditionKey(setting));
    if (found && !found.tasks.includes(setting.task)) found.tasks.push(setting.task);
  }
  return [...conditions.values()];
}

/** What is looked at, made to fit what there is. @param {any} summary @param {any} shown */
export function lookedAt(summary, shown) {
  const all = choices(summary), at = all.find((one) => one.key === shown.condition) || all[0];
  if (!at) return null;
  const task = at.tasks.includes(shown.task) ? shown.task : at.tasks.length === 1 ? at.tasks[0] : null;
  const gamma = at.gammas.includes(shown.gamma) ? shown.gamma : Math.max(...at.gammas);
  return { all, condition: at.key, setting: at.setting, gammas: at.gammas, tasks: at.tasks, task, one: task || at.tasks[0] || null, gamma, c: shown.c, v: shown.v };
}

/** @typedef {{x: number, mean: number, low: number|null, high: number|null, path: string}} Point */

/** @param {number} x @param {any} interval @param {string} path @returns {Point[]} */
const point = (x, interval, path) => (interval ? [{ x, mean: interval.mean, low: interval.low ?? null, high: interval.high ?? null, path: `lab:/summary/${path}` }] : []);

const indexed = (list, fits) => list.map((record, n) => ({ record, n })).filter(({ record }) => fits(record));

/** The text records of a task under a condition, that with the longest blocks first. */
const textsOf = (summary, at, task) => indexed(summary.texts, ({ setting }) => conditionKey(setting) === at.condition && setting.task === task).sort((a, b) => b.record.longest - a.record.longest);
const resultsOf = (summary, at, task) => indexed(summary.results, ({ setting }) => conditionKey(setting) === at.condition && setting.task === task);
const averagesOf = (summary, key) => indexed(summary.averages, ({ setting }) => conditionKey(setting) === key);
const byGamma = (found) => found.sort((a, b) => a.record.setting.gamma - b.record.setting.gamma);

/** The predictions that are looked at, rule by rule. @param {any} summary @param {any} at */
export const predictionsOf = (summary, at) => indexed(summary.predictions, ({ setting }) => conditionKey(setting) === at.condition && setting.task === at.task);

/** The rules that anything is known of, in the order of the records. @param {any} summary @param {any} at */
export const rulesOf = (summary, at) => [...new Set(averagesOf(summary, at.condition).flatMap(({ record }) => record.setting.rules))];

/** Block efficiency over γ by rule. @param {any} summary @param {any} at */
export function efficiencySeries(summary, at) {
  return rulesOf(summary, at).map((rule) => {
    if (at.task) {
      const [text] = textsOf(summary, at, at.task);
      if (text && text.record.rules[rule]) {
        const points = text.record.rules[rule].efficiency.flatMap((one, n) => point(n + 1, one, `texts/${text.n}/rules/${rule}/efficiency/${n}`));
        return { name: rule, points, line: true, whiskers: (p) => at.gammas.includes(p.x) };
      }
      const points = byGamma(resultsOf(summary, at, at.task)).flatMap(({ record, n }) => (record.rules[rule] ? point(record.setting.gamma, record.rules[rule].runs.efficiency, `results/${n}/rules/${rule}/runs/efficiency`) : []));
      return { name: rule, points, line: false, own: true };
    }
    const found = byGamma(averagesOf(summary, at.condition)).filter(({ record }) => record.rules[rule]), written = found.some(({ record }) => record.rules[rule].texts);
    const of = written ? "texts" : "runs";
    const points = found.flatMap(({ record, n }) => (record.rules[rule][of] ? point(record.setting.gamma, record.rules[rule][of].efficiency, `averages/${n}/rules/${rule}/${of}/efficiency`) : []));
    return { name: rule, points, line: written, own: !written };
  }).filter((series) => series.points.length);
}

/** The rule whose gain over token is drawn. */
const gaining = (summary, at) => { const rules = rulesOf(summary, at).filter((rule) => rule !== "token"); return rules.includes("block") ? "block" : rules[0]; };

/** The gain of block over token over γ, a line for each temperature (and cut) of the draft. @param {any} summary @param {any} at */
export function gainSeries(summary, at) {
  const rule = gaining(summary, at), like = at.all.filter((one) => one.setting.draft === at.setting.draft && one.setting.max_new_tokens === at.setting.max_new_tokens);
  const name = (setting) => [`T = ${setting.temperature}`, setting.top_k ? `top-k ${setting.top_k}` : "", setting.top_p < 1 ? `top-p ${setting.top_p}` : ""].filter(Boolean).join(sayViewer("viewer.comma"));
  return {
    rule,
    series: like.map(({ key, setting }) => {
      const there = { ...at, condition: key };
      if (at.task) {
        const [text] = textsOf(summary, there, at.task), gains = text && text.record.rules[rule] ? text.record.rules[rule].gain : [];
        return { name: name(setting), points: gains.flatMap((one, n) => point(n + 1, one, `texts/${text.n}/rules/${rule}/gain/${n}`)), line: true, whiskers: (p) => at.gammas.includes(p.x) };
      }
      const points = byGamma(averagesOf(summary, key)).flatMap(({ record, n }) => {
        const texts = record.rules[rule] && record.rules[rule].texts;
        return texts ? point(record.setting.gamma, texts.gain, `averages/${n}/rules/${rule}/texts/gain`) : [];
      });
      return { name: name(setting), points, line: true };
    }).filter((series) => series.points.length),
  };
}

/** Acceptance by position of one task's blocks. @param {any} summary @param {any} at */
export function acceptanceSeries(summary, at) {
  const [found] = resultsOf(summary, at, at.one).filter(({ record }) => record.setting.gamma === at.gamma);
  if (!found) return [];
  const { record, n } = found;
  return Object.entries(record.rules).filter(([, figures]) => figures.blocks).map(([rule, figures]) => ({
    name: rule, line: true, points: figures.blocks.acceptance.flatMap((one, i) => point(i + 1, one, `results/${n}/rules/${rule}/blocks/acceptance/${i}`)),
  }));
}

/** Where a call's time goes, lane by lane, of one task at one γ. @param {any} summary @param {any} at */
export function splitOf(summary, at) {
  const [found] = resultsOf(summary, at, at.one).filter(({ record }) => record.setting.gamma === at.gamma);
  if (!found) return [];
  return Object.entries(found.record.rules).filter(([, figures]) => figures.speed).map(([rule, figures]) => ({
    rule, tokens: figures.runs.shown / figures.runs.calls,
    parts: ["draft", "target", "verify", "rest"].map((name) => ({ name, ms: figures.speed.split[`${name}_ms`], path: `lab:/summary/results/${found.n}/rules/${rule}/speed/split/${name}_ms` })),
  }));
}

/** The places of the target's texts, and the worst of them: of a task, or of all. @param {any} summary @param {any} at */
export function placesOf(summary, at) {
  const tasks = at.task ? [at.task] : at.tasks, samples = [], worst = [];
  for (const task of tasks) {
    const [text] = textsOf(summary, at, task);
    if (!text) continue;
    text.record.samples.forEach(([prompt, place, entropy, acceptance], n) => samples.push({ task, prompt, place, x: entropy, mean: acceptance, path: `lab:/summary/texts/${text.n}/samples/${n}/3`, pathX: `lab:/summary/texts/${text.n}/samples/${n}/2` }));
    text.record.worst.forEach((one, n) => worst.push({ ...one, task, path: `lab:/summary/texts/${text.n}/worst/${n}` }));
  }
  return { samples, worst: worst.sort((a, b) => a.acceptance - b.acceptance).slice(0, 8) };
}
