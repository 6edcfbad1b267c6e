/** "Is it the same law?" on the Compare page: settings, the next token's law, and the sampled next two. It draws `view.law`. */

import { html, pool, set, text } from "../svg.js";
import { say } from "../words/parts/lawcheck.js";
import { say as sayMeasure } from "../words/parts/measure.js";
import { createNext } from "./law_next.js";
import { createPairs } from "./law_pairs.js";
import { progressWords } from "./law_words.js";
import { createCount, createRunBar } from "./measure_parts.js";
import { changedSince, limitOf, settingWords, warning } from "./measure_rules.js";

const MOST_SAMPLES = 5000;

/** @param {Element} container @param {any} actions startLaw, cancelLaw, setLawOption(name, value) */
export function createLaw(container, actions) {
  const root = html("section", { class: "measure measure-law", "aria-label": say("lawcheck.title") }, container);
  html("h2", { class: "measure-title" }, root, say("lawcheck.title"));
  html("p", { class: "sd-soft" }, root, say("lawcheck.about"));
  const controls = html("form", { class: "measure-controls", autocomplete: "off" }, root);
  controls.addEventListener("submit", (event) => event.preventDefault());
  let samples = null;
  const place = html("span", { class: "measure-place" }, controls);
  const bar = createRunBar(controls, { id: "law", words: say("lawcheck.start"), again: say("lawcheck.start_again"), start: () => actions.startLaw(), cancel: () => actions.cancelLaw() });
  const changed = html("p", { class: "sd-changed measure-changed", id: "law-changed", role: "status" }, controls);
  const warnings = html("div", { class: "measure-findings" }, root);
  const cautions = pool(() => html("p", { class: "measure-warning" }, warnings));
  const panel = () => html("div", { class: "sd-panel" }, root);
  const first = panel(), second = panel();
  const next = createNext(first), pairs = createPairs(second);
  return {
    update(view) {
      const { law, config } = view, { record } = law, [low, high] = limitOf(config, "law_samples", MOST_SAMPLES), columns = view.rules || [];
      if (!samples) samples = createCount(place, { id: "law-samples", label: say("lawcheck.samples"), title: say("lawcheck.samples.title"), low, high }, (x) => actions.setLawOption("samples", x));
      samples.update(law.options.samples);
      const current = law.earlier ? null : record, done = current && current.pairs ? current.pairs.done : 0, asked = current ? current.settings.samples : 0;
      bar.update({ status: law.status, words: progressWords(law), impossible: columns.length ? null : sayMeasure("measure.choose_rules"), again: Boolean(record), counting: Boolean(current), fraction: asked ? done / asked : law.progress ? law.progress.fraction : null });
      const differs = law.status === "running" ? [] : changedSince(record, view.form, columns).filter((name) => name !== "max_new_tokens");
      text(changed, differs.length ? say("lawcheck.changed", { names: settingWords(differs) }) : "");
      const lossy = record ? record.rules.map((rule) => warning(record, rule, config && config.rules)).filter(Boolean) : [];
      cautions.take(lossy.length).forEach((caution, n) => text(caution, lossy[n]));
      set(root, { "data-state": law.status });
      set(second, { hidden: !record });
      next.update(record);
      pairs.update(record);
    },
  };
}
