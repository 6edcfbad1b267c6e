/** Where drafts fail: acceptance against the target's entropy along its own texts, and the worst places in words. */

import { isolated, number, pieceText, shorten, visible } from "../format.js";
import { createScroller } from "../scroller.js";
import { FOREIGN, html, show, text, value } from "../svg.js";
import { say } from "../words/parts/lab_pictures.js";
import { pieces } from "../words/pieces.js";
import { createChart } from "./chart.js";
import { conditionWords, placesOf } from "./series.js";
import { taskWords } from "./task_words.js";

const BEFORE = 48;
const CHOICES = ["written", "wanted", "offered"];

/** @param {Element} container */
export function createPlaces(container) {
  const chart = createChart(container, {
    name: "places", title: say("sweep.places.title"), x: say("sweep.places.x"), y: say("sweep.places.y"), whole: false, zero: 0, top: 1.03,
    about: say("sweep.places.about"),
  });
  const worst = html("div", { class: "lab-worst" }, container);
  html("h4", null, worst, say("sweep.worst.title"));
  const scroll = createScroller(worst), table = html("table", { class: "lab-table lab-texts" }, scroll);
  const head = html("tr", null, html("thead", null, table)), rows = html("tbody", null, table);
  for (const words of [say("sweep.worst.before"), ...CHOICES.map((name) => say(`sweep.worst.${name}`)), "1 − TV", say("sweep.worst.entropy")]) html("th", { scope: "col" }, head, words);
  let drawn = "";

  function choice(row, token, path) {
    const cell = html("td", null, row);
    html("code", { class: "sd-chip", "data-token-id": token.token }, cell, shorten(pieceText(token.piece), 16));
    const under = html("span", { class: "lab-both" }, cell);
    for (const [name, words] of [["target", "T "], ["draft", " D "]]) {
      html("i", null, under, words);
      value(html("span", null, under), token[name], `${path}/${name}`);
    }
  }

  return {
    update(summary, at) {
      const { samples, worst: list } = summary ? placesOf(summary, at) : { samples: [], worst: [] };
      const points = samples.map((one) => ({ x: one.x, mean: one.mean, low: null, high: null, bare: true, path: one.path, at: say("sweep.places.place", { task: taskWords(one.task), prompt: one.prompt + 1, token: one.place + 1 }), said: (figure) => pieces("sweep.places.point", { figure, entropy: { value: one.x, path: one.pathX } }), class: " is-small" }));
      chart.update(summary && { series: [{ name: "places", words: say("sweep.places.series"), points, line: false, hollow: true }], caption: say("sweep.places.caption", { where: at.task ? taskWords(at.task) : say("sweep.all_tasks", { count: at.tasks.length }), condition: conditionWords(at.setting) }) });
      show(worst, list.length > 0);
      const key = JSON.stringify(list.map((one) => [one.path, one.prompt, one.place]));
      if (key === drawn) return;
      drawn = key;
      rows.textContent = "";
      for (const one of list) {
        const row = html("tr", null, rows), before = html("th", { scope: "row", class: "lab-before" }, row);
        html("b", null, before, `${taskWords(one.task)} `);
        const context = one.before.slice(-BEFORE);
        html("span", FOREIGN, before, isolated(`…${visible(context)}`, context));
        for (const name of CHOICES) choice(row, one[name], `${one.path}/${name}`);
        for (const name of ["acceptance", "entropy"]) value(html("td", { class: "lab-figure" }, row), one[name], `${one.path}/${name}`, { format: number });
      }
    },
  };
}
