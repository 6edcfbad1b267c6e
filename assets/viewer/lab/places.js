/** Where drafts fail: acceptance against the target's entropy along its own texts, and the worst places in words. */

import { number, pieceText, shorten, visible } from "../format.js";
import { createScroller } from "../scroller.js";
import { html, show, text, value } from "../svg.js";
import { createChart } from "./chart.js";
import { conditionWords, placesOf } from "./series.js";

const BEFORE = 48;

/** @param {Element} container */
export function createPlaces(container) {
  const chart = createChart(container, {
    name: "places", title: "Where drafts fail", x: "entropy of the target (nats)", y: "acceptance 1 − TV", whole: false, zero: 0, top: 1.03,
    about: "Places of the target’s own texts, evenly spaced: how sure the target is there (its entropy in nats) and what share of a drafted token it would accept, 1 − TV(D, T) = Σ min(D, T). A sure target with a low acceptance (lower left) is a place the draft has not learnt; on the right nobody could know.",
  });
  const worst = html("div", { class: "lab-worst" }, container);
  html("h4", null, worst, "The worst places");
  const scroll = createScroller(worst), table = html("table", { class: "lab-table lab-texts" }, scroll);
  const head = html("tr", null, html("thead", null, table)), rows = html("tbody", null, table);
  for (const words of ["text before", "target wrote", "target’s likeliest", "draft’s likeliest", "1 − TV", "entropy"]) html("th", { scope: "col" }, head, words);
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
      const points = samples.map((one) => ({ x: one.x, mean: one.mean, low: null, high: null, bare: true, path: one.path, at: `${one.task}, prompt ${one.prompt + 1}, token ${one.place + 1}`, more: [" at an entropy of ", { value: one.x, path: one.pathX }], class: " is-small" }));
      chart.update(summary && { series: [{ name: "places", words: "acceptance", points, line: false, hollow: true }], caption: `${at.task || `All ${at.tasks.length} tasks`}, ${conditionWords(at.setting)}: each mark is a place of a text; look at the lower left, where the target is sure and the draft is not.` });
      show(worst, list.length > 0);
      const key = JSON.stringify(list.map((one) => [one.path, one.prompt, one.place]));
      if (key === drawn) return;
      drawn = key;
      rows.textContent = "";
      for (const one of list) {
        const row = html("tr", null, rows), before = html("th", { scope: "row", class: "lab-before" }, row);
        html("b", null, before, `${one.task} `);
        const text_ = html("span", null, before);
        text(text_, `…${visible(one.before.slice(-BEFORE))}`);
        for (const name of ["written", "wanted", "offered"]) choice(row, one[name], `${one.path}/${name}`);
        for (const name of ["acceptance", "entropy"]) value(html("td", { class: "lab-figure" }, row), one[name], `${one.path}/${name}`, { format: number });
      }
    },
  };
}
