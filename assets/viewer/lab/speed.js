/**
 * Predicted and measured speed-up over γ, with sliders for what a draft step and a target call cost: the best γ and the sentence follow.
 */

import { number } from "../format.js";
import { ruleWords } from "../rule_gallery.js";
import { html, pool, set, show, text } from "../svg.js";
import { phrase } from "../compare/measure_parts.js";
import { say } from "../words/parts/lab_pictures.js";
import { say as sayMeasure } from "../words/parts/measure.js";
import { pieces } from "../words/pieces.js";
import { createChart } from "./chart.js";
import { fewWords, whereWords } from "./lab_words.js";
import { measuredCosts, movedPrediction, sentenceOf } from "./prediction.js";
import { conditionWords, predictionsOf } from "./series.js";

const times = (x) => `${Number(x).toFixed(2)} ×`;
const TOP = { c: 1, v: 4 }, LEAST = { c: 0, v: 0.5 };
/** @type {[string, (costs: any) => any][]} */
const WHAT_IF = [["measured", () => ({ c: null, v: null })], ["larger", (costs) => ({ c: costs.c / 10, v: null })], ["free", () => ({ c: null, v: 1 })], ["slow", (costs) => ({ c: costs.c * 5, v: null })]];

/** @param {Element} container @param {any} actions */
export function createSpeed(container, actions) {
  const chart = createChart(container, {
    name: "speed", title: say("sweep.speed.title"), x: "γ", y: say("sweep.speed.y"), format: times, tick: (x) => String(Number(x.toPrecision(6))), zero: 1,
    about: say("sweep.speed.about"),
  });
  const tools = html("div", { class: "lab-costs", role: "group", "aria-label": say("sweep.costs") });
  chart.body.prepend(tools);
  const presets = html("div", { class: "lab-what-if" }, tools);
  html("span", { class: "sd-soft" }, presets, say("sweep.what_if"));
  const buttons = WHAT_IF.map(([name, costs]) => {
    const button = html("button", { type: "button", class: "sd-button small", "data-what-if": name }, presets, say(`sweep.what_if.${name}`));
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
        return chart.update(null, say("sweep.speed.none"));
      }
      const costs = (last = measuredCosts(found[0].record)), moved = at.c !== null || at.v !== null;
      for (const { name, slider, words, says } of fields) {
        const now = at[name] ?? costs[name], from = `lab:/summary/predictions/${found[0].n}/${name === "c" ? "draft_cost" : `verify_cost/${found[0].record.gammas.indexOf(costs.pivot)}`}`;
        set(slider, { max: Math.max(TOP[name], Math.ceil(now)), "aria-valuetext": number(now) });
        if (Number(slider.value) !== now) slider.value = String(now);
        text(words, name === "c" ? say("sweep.cost.c") : say("sweep.cost.v", { gamma: costs.pivot }));
        says(at[name] === null ? pieces("sweep.cost.measured", { value: { value: now, path: from } }) : [" = ", { value: now, path: `derived:chosen_${name}` }]);
      }
      buttons.forEach((button, n) => {
        const want = WHAT_IF[n][1](costs), same = (a, b) => (a === null || b === null ? a === b : Math.abs(a - b) < 1e-12);
        set(button, { "aria-pressed": String(same(want.c, at.c) && same(want.v, at.v)) });
      });
      const series = [], best = [], said = [];
      found.forEach(({ record, n }, style) => {
        const now = moved ? movedPrediction(record, at.c, at.v) : record, whole = record.source === "texts", rule = ruleWords(record.rule);
        series.push({
          name: record.rule, words: say("sweep.speed.predicted", { rule }), style, line: whole, dots: !whole, hollow: true,
          points: now.speedup.map((mean, i) => ({ x: now.gammas[i], mean, low: null, high: null, bare: true, path: moved ? "derived:predicted_speedup" : `lab:/summary/predictions/${n}/speedup/${i}` })),
        });
        series.push({
          name: `${record.rule}:measured`, words: say("sweep.speed.measured", { rule }), style, line: false,
          points: record.measured.map((one, i) => ({ x: one.gamma, mean: one.speedup.mean, low: one.speedup.low, high: one.speedup.high, path: `lab:/summary/predictions/${n}/measured/${i}/speedup` })),
        });
        best.push({ x: now.best_gamma, name: record.rule, style, words: say("sweep.best_of", { rule, gamma: now.best_gamma }), short: rule });
        said.push({ rule: record.rule, poor: now.loses || now.even, words: sayMeasure("measure.named", { name: rule, what: sentenceOf(now) }) });
      });
      lines.take(said.length).forEach((line, n) => {
        text(line, said[n].words);
        set(line, { class: said[n].poor ? "measure-warning" : null, "data-rule": said[n].rule });
      });
      show(sentences, said.length > 0);
      chart.update({ series, best, few: fewWords(summary, at.condition, at.task), caption: say(moved ? "sweep.speed.caption_moved" : "sweep.speed.caption", { where: whereWords(at), condition: conditionWords(at.setting) }) });
    },
  };
}
