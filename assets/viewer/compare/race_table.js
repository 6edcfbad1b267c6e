/** The race's figures over all finished runs: a table, and what it says in words. */

import { number } from "../format.js";
import { frame } from "../marks.js";
import { html, pool, set, show, text } from "../svg.js";
import { estimateParts, phrase, signed } from "./measure_parts.js";
import { losslessHere, PLAIN, pointer, TAG, warning } from "./measure_rules.js";
import { createDots, dotsCaption } from "./race_dots.js";
import { costsOf, predictedSpeedup } from "./race_model.js";
import { findings } from "./race_words.js";
import { ruleOf, ruleWords } from "./rule_words.js";

const COLUMNS = [
  ["target calls", "target calls of all finished runs"],
  ["block efficiency", "E[τ│block] + 1, exact given each drafted block, averaged over target calls"],
  ["difference to token", "difference of block efficiencies, paired by prompt or seed"],
  ["on the first block", "E[τ│block] of the first block, which all rules share, minus the token rule’s"],
  ["tokens gained a call", "(τ + 1) a target call, what the coins gave"],
  ["tokens/s", "shown tokens a second on this machine"],
  ["speed-up, measured", "against plain decoding, measured in the same turns"],
  ["predicted", "(E[τ] + 1) / (γc + v) at the costs chosen above"],
];

const FIRST = 3, MARK = "†", FRESH = "asked from a fresh memory: what it pays in later blocks is not in this figure";

/** @param {Element} container @param {any} actions */
export function createTable(container, actions) {
  const { caption, body, instead } = frame(container, {
    name: "race-table",
    title: "Over all runs",
    about: "Block efficiency is the expected number of tokens a target call gains, E[τ│block] + 1, averaged over all target calls; it is exact given each drafted block, so the coins’ luck is not in it. "
      + "Brackets hold 95 % intervals. Blocks of one run share a text and are never counted as independent; only the first block is the same for all rules.",
  });
  const words = html("div", { class: "measure-findings" }, body);
  const sentences = pool(() => {
    const root = html("p", null, words);
    return { root, say: phrase(root) };
  });
  const dots = createDots(body);
  const scroll = html("div", { class: "pic-scroll", tabindex: "0", role: "region", "aria-label": "figures of the race" }, body);
  const table = html("table", { class: "pic-table race-table" }, scroll);
  const head = html("tr", null, html("thead", null, table));
  html("th", { scope: "col" }, head, "rule");
  for (const [title, about] of COLUMNS) html("th", { scope: "col", title: about }, head, title);
  const inside = html("tbody", null, table);
  const rows = pool(() => createRow(inside));
  const note = html("p", { class: "measure-note race-fresh" }, body);
  const warnings = html("div", { class: "measure-findings" }, body);
  const cautions = pool(() => html("p", { class: "measure-warning" }, warnings));
  let drawn = [];

  return {
    update(view) {
      const { record, options } = view.race, { rules: facts = [], prompt_sets: sets = [] } = view.config || {};
      if (!record || !record.summary) {
        drawn = [];
        return instead(record ? "The figures stand here as soon as the first run is finished." : "The figures over all runs stand here once a race has begun.");
      }
      instead(null);
      const key = [record.summary, record.costs, options.c, options.v, view.config];
      if (key.every((one, n) => one === drawn[n]) && drawn.length) return;
      drawn = key;
      const costs = costsOf(record, options), rules = record.rules.filter((rule) => record.summary.rules[rule]);
      text(caption, dotsCaption(record));
      const found = findings(record, sets);
      sentences.take(found.length).forEach(({ say }, n) => say(found[n]));
      dots.update(record, costs, sets);
      const fresh = rules.filter((rule) => record.summary.rules[rule].first_block && ruleOf(facts, rule).remembers);
      rows.take(rules.length).forEach((row, n) => row.update(record, rules[n], costs, fresh.includes(rules[n])));
      text(note, fresh.length ? `${MARK} ${FRESH[0].toUpperCase()}${FRESH.slice(1)}.` : "");
      show(note, fresh.length > 0);
      const lossy = rules.map((rule) => warning(record, rule, facts)).filter(Boolean);
      cautions.take(lossy.length).forEach((caution, n) => text(caution, lossy[n]));
    },
  };
}

function createRow(body) {
  const root = html("tr", null, body);
  const head = html("th", { scope: "row" }, root);
  const name = html("span", null, head), tag = html("span", { class: "measure-tag" }, head);
  const places = COLUMNS.map(() => html("td", null, root)), cells = places.map(phrase);
  return {
    root,
    update(record, rule, costs, fresh) {
      const figures = record.summary.rules[rule], at = (name_) => pointer("race:", "summary", "rules", rule, name_), plain = rule === PLAIN;
      const lossless = losslessHere(record, rule), predicted = predictedSpeedup(record, rule, costs);
      set(root, { "data-rule": rule, class: lossless ? "" : "is-lossy" });
      text(name, ruleWords(rule));
      text(tag, lossless ? "" : TAG);
      show(tag, !lossless);
      const one = (x, path, format) => (x === null || x === undefined ? ["–"] : [{ value: x, path, format }]);
      const itself = plain || rule === "token";
      const parts = [
        one(figures.calls, at("calls"), String), estimateParts(figures.efficiency, at("efficiency")),
        itself ? ["–"] : estimateParts(figures.over_token, at("over_token"), signed), itself ? ["–"] : [...estimateParts(figures.first_block, at("first_block"), signed), ...(fresh ? [` ${MARK}`] : [])],
        one(figures.observed, at("observed"), number), one(figures.tokens_per_second, at("tokens_per_second"), number), plain ? ["–"] : estimateParts(figures.speedup, at("speedup")),
        plain ? ["–"] : one(predicted, "derived:predicted_speedup", number),
      ];
      set(places[FIRST], { title: fresh ? FRESH : null });
      cells.forEach((cell, n) => cell(parts[n]));
    },
  };
}
