/** The pictures of a sweep, and the captions that say what to look at. */

import { ruleWords } from "../rule_gallery.js";
import { html } from "../svg.js";
import { say } from "../words/parts/lab_pictures.js";
import { createChart } from "./chart.js";
import { fewWords, gain, gainTick, whereWords } from "./lab_words.js";
import { createPlaces } from "./places.js";
import { acceptanceSeries, conditionWords, efficiencySeries, gainSeries } from "./series.js";
import { createSpeed } from "./speed.js";
import { createSplit } from "./split.js";
import { taskWords } from "./task_words.js";

const named = (series) => series.map((one, n) => ({ ...one, style: n, words: one.own ? say("sweep.own_runs", { rule: ruleWords(one.name) }) : ruleWords(one.name) }));

/** @param {Element} container @param {any} actions */
export function createPictures(container, actions) {
  const panel = () => html("section", { class: "sd-panel" }, container);
  const efficiency = createChart(panel(), {
    name: "efficiency", title: say("sweep.efficiency.title"), x: "γ", y: say("sweep.efficiency.y"),
    about: say("sweep.efficiency.about"),
  });
  const gains = createChart(panel(), {
    name: "gain", title: say("sweep.gain.title"), x: "γ", y: say("sweep.gain.y"), format: gain, tick: gainTick, zero: 0,
    about: say("sweep.gain.about"),
  });
  const speed = createSpeed(panel(), actions);
  const acceptance = createChart(panel(), {
    name: "acceptance", title: say("sweep.acceptance.title"), x: say("sweep.acceptance.x"), y: say("sweep.acceptance.y"), top: 1.03, within: [0, 1],
    about: say("sweep.acceptance.about"),
  });
  const split = createSplit(panel()), places = createPlaces(panel());

  return {
    /** @param {any} answer @param {any} at */
    update(answer, at) {
      const summary = answer && at ? answer.summary : null, said = summary ? { where: whereWords(at), condition: conditionWords(at.setting), gamma: at.gamma, task: taskWords(at.one) } : {};
      const lines = summary ? named(efficiencySeries(summary, at)) : [], few = summary ? fewWords(summary, at.condition, at.task) : "";
      efficiency.update(summary && { series: lines, few, caption: say("sweep.efficiency.caption", said) });
      const gained = summary ? gainSeries(summary, at) : { rule: "", series: [] };
      gains.update(summary && { series: gained.series.map((one, n) => ({ ...one, style: n + 1 })), few, caption: say("sweep.gain.caption", { ...said, rule: ruleWords(gained.rule || "block"), draft: at.setting.draft }) }, say("sweep.gain.none"));
      speed.update(summary, at);
      const kept = summary ? named(acceptanceSeries(summary, at)) : [];
      acceptance.update(summary && { series: kept, few: fewWords(summary, at.condition, at.one), caption: say(at.task ? "sweep.acceptance.caption" : "sweep.acceptance.caption_average", said) }, at ? say("sweep.acceptance.none", { gamma: at.gamma, task: taskWords(at.one) }) : undefined);
      split.update(summary, at);
      places.update(summary, at);
    },
  };
}
