/** What to use: drafts and rules beside each other at their best γ, by the speed-up that each should have there, and what that says. */

import { frame } from "../marks.js";
import { phrase } from "../compare/measure_parts.js";
import { createScroller } from "../scroller.js";
import { html, set, show, text } from "../svg.js";
import { say } from "../words/parts/lab.js";
import { say as sayMeasure } from "../words/parts/measure.js";
import { pieces } from "../words/pieces.js";
import { choiceParts, choicesOf, rulesWords, times, whole } from "./choice_words.js";
import { fewWords, insideParts, intervalWords } from "./lab_words.js";
import { conditionKey, conditionWords, drawingWords } from "./series.js";
import { taskWords } from "./task_words.js";

const COLUMNS = ["settings", "rule", "best", "predicted", "measured", "gamma"];

/** @param {Element} container @param {any} actions */
export function createChoice(container, actions) {
  const { root, body, caption } = frame(container, {
    name: "lab-choice", title: say("lab.choice.title"),
    about: say("lab.choice.about"),
  });
  const said = html("div", { class: "measure-findings", id: "lab-use" }, body);
  const table = html("table", { class: "lab-table lab-choice-table" }, createScroller(body));
  const head = html("tr", null, html("thead", null, table)), rows = html("tbody", null, table);
  for (const name of COLUMNS) html("th", { scope: "col" }, head, say(`lab.choice.column.${name}`));

  /** A line of a choice. @param {any} line @param {string} from its place @param {any[]} predictions @param {any} at @param {any[]} settings */
  function row(line, from, predictions, at, settings) {
    const record = predictions[line.prediction], { setting } = record, key = conditionKey(setting), path = `lab:/summary/predictions/${line.prediction}`;
    const root = html("tr", { class: key === at.condition ? "is-shown" : null, "data-rule": record.rule, "data-loses": record.loses }, rows);
    const name = html("th", { scope: "row" }, root), button = html("button", { type: "button", class: "sd-link", "aria-pressed": String(key === at.condition) }, name, conditionWords(setting, settings));
    button.addEventListener("click", () => actions.look({ condition: key, c: null, v: null }));
    html("td", { class: "lab-rule" }, root, `${rulesWords(line.rules)}${line.lossless ? "" : say("lab.choice.lossy")}`);
    phrase(html("td", null, root))([{ value: record.best_gamma, path: `${path}/best_gamma`, format: whole }]);
    phrase(html("td", null, root))([{ value: record.best_speedup, path: `${path}/best_speedup`, format: times }, record.loses ? say("lab.choice.loses") : record.even ? say("lab.choice.no_gain") : ""]);
    const measured = html("td", null, root), gamma = html("td", null, root);
    if (!line.speedup) return;
    set(measured, { title: intervalWords(line.speedup, times) || null });
    phrase(measured)([{ value: line.speedup.mean, path: `${from}/speedup/mean`, format: times }, ...insideParts(line.speedup, `${from}/speedup`, times)]);
    phrase(gamma)([{ value: line.gamma, path: `${from}/gamma`, format: whole }]);
  }

  return {
    update(summary, at) {
      const found = summary ? choicesOf(summary, at.task) : [];
      show(container, found.length > 0);
      if (!found.length) return;
      const settings = at.all.map((one) => one.setting), drawings = found.map(({ choice }) => choice.setting), { predictions } = summary;
      const first = at.task ? say("lab.choice.caption", { task: taskWords(at.task) }) : say("lab.choice.caption_average", { count: at.tasks.length }), few = fewWords(summary, at.condition, at.task);
      text(caption, few ? sayMeasure("measure.sentences", { first, second: few }) : first);
      said.textContent = rows.textContent = "";
      for (const one of found) {
        const parts = choiceParts(one, predictions);
        phrase(html("p", null, said))(found.length > 1 ? pieces("measure.named", { name: drawingWords(one.choice.setting, drawings), what: parts }) : parts);
        one.choice.lines.forEach((line, k) => row(line, `lab:/summary/choices/${one.n}/lines/${k}`, predictions, at, settings));
      }
      set(root, { "data-rows": rows.childElementCount });
    },
  };
}
