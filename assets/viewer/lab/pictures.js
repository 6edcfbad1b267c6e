/** The pictures of a sweep, and the captions that say what to look at. */

import { ruleWords } from "../compare/rule_words.js";
import { html } from "../svg.js";
import { createChart } from "./chart.js";
import { gain, gainTick } from "./lab_words.js";
import { createPlaces } from "./places.js";
import { acceptanceSeries, conditionWords, efficiencySeries, gainSeries } from "./series.js";
import { createSpeed } from "./speed.js";
import { createSplit } from "./split.js";

const where = (at) => (at.task ? at.task : `the average of ${at.tasks.length} tasks`);
const named = (series) => series.map((one, n) => ({ ...one, style: n, words: ruleWords(one.name) + (one.own ? " (own runs)" : "") }));

/** @param {Element} container @param {any} actions */
export function createPictures(container, actions) {
  const panel = () => html("section", { class: "sd-panel" }, container);
  const efficiency = createChart(panel(), {
    name: "efficiency", title: "Block efficiency over γ", x: "γ", y: "tokens a target call",
    about: "The expected number of tokens a target call gives, for each block length γ. One text of the target gives every γ up to 16, so the curve goes on beyond the γ of the sweep; rules that remember or are not lossless are known at the sweep’s own γ only, from their own runs.",
  });
  const gains = createChart(panel(), {
    name: "gain", title: "Gain over token verification", x: "γ", y: "block efficiency over token’s", format: gain, tick: gainTick, zero: 0,
    about: "Block efficiency of the rule over the token rule’s on the very same texts, minus 1, for each γ and each temperature of the sweep. Whiskers are 95 % intervals over prompts.",
  });
  const speed = createSpeed(panel(), actions);
  const acceptance = createChart(panel(), {
    name: "acceptance", title: "Acceptance by position", x: "position in the block", y: "kept, of those that came so far", top: 1.03, within: [0, 1],
    about: "P(τ ≥ i) / P(τ ≥ i − 1): of the blocks that keep i − 1 tokens, the share that keeps the i-th too. All rules are asked about the same drafted blocks.",
  });
  const split = createSplit(panel()), places = createPlaces(panel());

  return {
    /** @param {any} answer @param {any} at */
    update(answer, at) {
      const summary = answer && at ? answer.summary : null, of = summary ? `${where(at)}, ${conditionWords(at.setting)}` : "";
      const lines = summary ? named(efficiencySeries(summary, at)) : [];
      efficiency.update(summary && { series: lines, caption: `Tokens a target call gives on ${of}: see where the curves part, and where they flatten. Whiskers are 95 % intervals.` });
      const gained = summary ? gainSeries(summary, at) : { rule: "", series: [] };
      gains.update(summary && { series: gained.series.map((one, n) => ({ ...one, style: n + 1 })), caption: `What ${ruleWords(gained.rule || "block")} gives more than token on ${where(at)}, draft ${at.setting.draft}: above the line at 0 it gains.` }, "There is no gain to show: it takes token and another lossless rule on the same texts.");
      speed.update(summary, at);
      const kept = summary ? named(acceptanceSeries(summary, at)) : [];
      acceptance.update(summary && { series: kept, caption: `${at.one}, γ = ${at.gamma}, ${conditionWords(at.setting)}: a curve that falls says that drafts drift away from the target within a block.${at.task ? "" : " An average has no positions of its own: choose another task above."}` }, at ? `Nothing is measured at γ = ${at.gamma} for ${at.one} yet.` : undefined);
      split.update(summary, at);
      places.update(summary, at);
    },
  };
}
