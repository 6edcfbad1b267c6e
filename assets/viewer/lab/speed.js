/**
 * Predicted and measured speed-up over γ, with sliders for what a draft step and a target call cost: the best γ and the sentence follow.
 */

import { number } from "../format.js";
import { ruleWords } from "../compare/rule_words.js";
import { html, pool, set, show, text } from "../svg.js";
import { phrase } from "../compare/measure_parts.js";
import { createChart } from "./chart.js";
import { measuredCosts, movedPrediction } from "./prediction.js";
import { conditionWords, predictionsOf } from "./series.js";

const times = (x) => `${Number(x).toFixed(2)} ×`;
const TOP = { c: 1, v: 4 }, LEAST = { c: 0, v: 0.5 };
const WHAT_IF = [["measured", "as measured", () => ({ c: null, v: null })], ["larger", "a target ten times larger", (costs) => ({ c: costs.c / 10, v: null })], ["free", "verifying costs nothing more (v = 1)", () => ({ c: null, v: 1 })], ["slow", "a draft five times slower", (costs) => ({ c: costs.c * 5, v: null })]];

/** @param {Element} container @param {any} actions */
export function createSpeed(container, actions) {
  const chart = createChart(container, {
    name: "speed", title: "Speed-up, predicted and measured", x: "γ", y: "times plain decoding", format: times, tick: (x) => String(Number(x.toPrecision(6))), zero: 1,
    about: "speed-up(γ) = E_γ / (γ c + v(γ)): E_γ is the measured block efficiency, c the cost of a draft step and v(γ) that of a target call on γ + 1 tokens, both in plain target steps. No formula for independent acceptances is used. "
      + "What the loop and the reading of the prompt cost is left out, so measured points lie a little lower. The sliders change c and v; between and beyond the measured γ, v keeps its shape.",
  });
  const tools = html("div", { class: "lab-costs", role: "group", "aria-label": "what if calls cost something else" });
  chart.body.prepend(tools);
  const presets = html("div", { class: "lab-what-if" }, tools);
  html("span", { class: "sd-soft" }, presets, "What if:");
  const buttons = WHAT_IF.map(([name, words, costs]) => {
    const button = html("button", { type: "button", class: "sd-button small", "data-what-if": name }, presets, words);
    button.addEventListener("click", () => last && actions.look(costs(last)));
    return button;
  });
  const fields = ["c", "v"].map((name) => {
    const wrap = html("label", { class: "lab-cost" }, tools), words = html("span", null, wrap);
    const slider = /** @type {HTMLInputElement} */ (html("input", { type: "range", id: `lab-${name}`, min: LEAST[name], max: TOP[name], step: 0.001 }, wrap));
    const shown = html("output", { class: "lab-cost-value", for: slider.id }, wrap), says = phrase(shown);
    slider.addEventListener("input", () => actions.look({ [name]: Number(slider.value) }));
    return { name, slider, words, says };
  });
  const sentences = html("div", { class: "measure-findings", id: "lab-sentences", role: "status" });
  tools.after(sentences);
  const lines = pool(() => html("p", null, sentences));
  let last = null;

  return {
    update(summary, at) {
      const found = summary ? predictionsOf(summary, at) : [];
      if (!found.length) {
        last = null;
        return chart.update(null, "There is no prediction yet: it takes times of a draft step and of a target call.");
      }
      const costs = (last = measuredCosts(found[0].record)), moved = at.c !== null || at.v !== null;
      for (const { name, slider, words, says } of fields) {
        const now = at[name] ?? costs[name], from = `lab:/summary/predictions/${found[0].n}/${name === "c" ? "draft_cost" : `verify_cost/${found[0].record.gammas.indexOf(costs.pivot)}`}`;
        set(slider, { max: Math.max(TOP[name], Math.ceil(now)), "aria-valuetext": number(now) });
        if (Number(slider.value) !== now) slider.value = String(now);
        text(words, name === "c" ? "a draft step costs c" : `a target call on γ + 1 tokens costs v(${costs.pivot})`);
        says([" = ", at[name] === null ? { value: now, path: from } : { value: now, path: `derived:chosen_${name}` }, at[name] === null ? " (measured)" : ""]);
      }
      buttons.forEach((button, n) => {
        const want = WHAT_IF[n][2](costs), same = (a, b) => (a === null || b === null ? a === b : Math.abs(a - b) < 1e-12);
        set(button, { "aria-pressed": String(same(want.c, at.c) && same(want.v, at.v)) });
      });
      const series = [], best = [], said = [];
      found.forEach(({ record, n }, style) => {
        const now = moved ? movedPrediction(record, at.c, at.v) : record, whole = record.source === "texts";
        series.push({
          name: record.rule, words: `${ruleWords(record.rule)}, predicted`, style, line: whole, dots: !whole, hollow: true,
          points: now.speedup.map((mean, i) => ({ x: now.gammas[i], mean, low: null, high: null, bare: true, path: moved ? "derived:predicted_speedup" : `lab:/summary/predictions/${n}/speedup/${i}` })),
        });
        series.push({
          name: `${record.rule}:measured`, words: `${ruleWords(record.rule)}, measured`, style, line: false,
          points: record.measured.map((one, i) => ({ x: one.gamma, mean: one.speedup.mean, low: one.speedup.low, high: one.speedup.high, path: `lab:/summary/predictions/${n}/measured/${i}/speedup` })),
        });
        best.push({ x: now.best_gamma, name: record.rule, style, words: `${ruleWords(record.rule)}: best γ = ${now.best_gamma}`, short: ruleWords(record.rule) });
        said.push({ rule: record.rule, loses: now.loses, words: `${ruleWords(record.rule)}: ${now.sentence}` });
      });
      lines.take(said.length).forEach((line, n) => {
        text(line, said[n].words);
        set(line, { class: said[n].loses ? "measure-warning" : null, "data-rule": said[n].rule });
      });
      show(sentences, said.length > 0);
      const task = at.task || `the average of ${at.tasks.length} tasks`;
      chart.update({ series, best, caption: `${task}, ${conditionWords(at.setting)}: lines are predicted${moved ? " at the costs chosen" : ""}, filled marks measured${moved ? " at this machine’s own costs" : ""}. Below the line at 1, speculation loses.` });
    },
  };
}
