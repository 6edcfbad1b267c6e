/** What to use: drafts, temperatures and rules beside each other, by the speed-up that each should have at its best γ. */

import { frame } from "../marks.js";
import { phrase } from "../compare/measure_parts.js";
import { ruleWords } from "../rule_gallery.js";
import { createScroller } from "../scroller.js";
import { html, set, show, text } from "../svg.js";
import { say } from "../words/parts/lab.js";
import { insideParts, intervalWords } from "./lab_words.js";
import { conditionKey, conditionWords } from "./series.js";
import { taskWords } from "./task_words.js";

const COLUMNS = ["settings", "rule", "best", "predicted", "measured", "gamma"];

const times = (x) => `${Number(x).toFixed(2)} ×`, whole = (x) => String(x);

/** @param {Element} container @param {any} actions */
export function createChoice(container, actions) {
  const { root, body, caption } = frame(container, {
    name: "lab-choice", title: say("lab.choice.title"),
    about: say("lab.choice.about"),
  });
  const table = html("table", { class: "lab-table lab-choice-table" }, createScroller(body));
  const head = html("tr", null, html("thead", null, table)), rows = html("tbody", null, table);
  for (const name of COLUMNS) html("th", { scope: "col" }, head, say(`lab.choice.column.${name}`));

  return {
    update(summary, at) {
      const found = summary ? summary.predictions.map((record, n) => ({ record, n })).filter(({ record }) => record.setting.task === at.task) : [];
      show(container, found.length > 1);
      if (found.length < 2) return;
      const settings = at.all.map((one) => one.setting);
      text(caption, at.task ? say("lab.choice.caption", { task: taskWords(at.task) }) : say("lab.choice.caption_average", { count: at.tasks.length }));
      rows.textContent = "";
      for (const { record, n } of found.sort((a, b) => b.record.best_speedup - a.record.best_speedup)) {
        const { setting, rule } = record, key = conditionKey(setting), row = html("tr", { class: key === at.condition ? "is-shown" : null, "data-rule": rule, "data-loses": record.loses }, rows), path = `lab:/summary/predictions/${n}`;
        const name = html("th", { scope: "row" }, row), button = html("button", { type: "button", class: "sd-link", "aria-pressed": String(key === at.condition) }, name, conditionWords(setting, settings));
        button.addEventListener("click", () => actions.look({ condition: key, c: null, v: null }));
        html("td", { class: "lab-rule" }, row, ruleWords(rule));
        phrase(html("td", null, row))([{ value: record.best_gamma, path: `${path}/best_gamma`, format: whole }]);
        phrase(html("td", null, row))([{ value: record.best_speedup, path: `${path}/best_speedup`, format: times }, record.loses ? say("lab.choice.loses") : ""]);
        const best = record.measured.map((one, k) => ({ one, k })).sort((a, b) => b.one.speedup.mean - a.one.speedup.mean)[0], measured = html("td", null, row), gamma = html("td", null, row);
        if (!best) continue;
        const { one, k } = best, from = `${path}/measured/${k}/speedup`;
        set(measured, { title: intervalWords(one.speedup, times) || null });
        phrase(measured)([{ value: one.speedup.mean, path: `${from}/mean`, format: times }, ...insideParts(one.speedup, from, times)]);
        phrase(gamma)([{ value: one.gamma, path: `${path}/measured/${k}/gamma`, format: whole }]);
      }
      set(root, { "data-rows": found.length });
    },
  };
}
