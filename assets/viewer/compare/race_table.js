/** The race's figures over all finished runs: a table, and what it says in words. */

import { number } from "../format.js";
import { frame } from "../marks.js";
import { html, pool, set, show, text } from "../svg.js";
import { say } from "../words/parts/racing.js";
import { estimateParts, phrase, signed } from "./measure_parts.js";
import { laneWords, losslessHere, PLAIN, pointer, tag as tagWords, warning } from "./measure_rules.js";
import { createDots, dotsCaption } from "./race_dots.js";
import { costsOf, predictedSpeedup } from "./race_model.js";
import { findings } from "./race_words.js";
import { ruleOf } from "./rule_words.js";

const COLUMNS = ["calls", "efficiency", "over_token", "first_block", "observed", "rate", "speedup", "predicted"];
const FIRST = 3, MARK = "†";

/** @param {Element} container @param {any} actions */
export function createTable(container, actions) {
  const { caption, body, instead } = frame(container, {
    name: "race-table",
    title: say("racing.table.title"),
    about: say("racing.table.about"),
  });
  const words = html("div", { class: "measure-findings" }, body);
  const sentences = pool(() => {
    const root = html("p", null, words);
    return { root, say: phrase(root) };
  });
  const dots = createDots(body);
  const scroll = html("div", { class: "pic-scroll", tabindex: "0", role: "region", "aria-label": say("racing.table.label") }, body);
  const table = html("table", { class: "pic-table race-table" }, scroll);
  const head = html("tr", null, html("thead", null, table));
  html("th", { scope: "col" }, head, say("racing.table.rule"));
  for (const name of COLUMNS) html("th", { scope: "col", title: say(`racing.column.${name}.title`) }, head, say(`racing.column.${name}`));
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
        return instead(say(record ? "racing.table.first" : "racing.table.none"));
      }
      instead(null);
      const key = [record.summary, record.costs, options.c, options.v, view.config];
      if (key.every((one, n) => one === drawn[n]) && drawn.length) return;
      drawn = key;
      const costs = costsOf(record, options), rules = record.rules.filter((rule) => record.summary.rules[rule]);
      text(caption, dotsCaption(record));
      const found = findings(record);
      sentences.take(found.length).forEach((sentence, n) => sentence.say(found[n]));
      dots.update(record, costs, sets);
      const fresh = rules.filter((rule) => record.summary.rules[rule].first_block && ruleOf(facts, rule).remembers);
      rows.take(rules.length).forEach((row, n) => row.update(record, rules[n], costs, fresh.includes(rules[n])));
      text(note, fresh.length ? say("racing.fresh.note") : "");
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
      text(name, laneWords(rule));
      text(tag, lossless ? "" : tagWords());
      show(tag, !lossless);
      const one = (x, path, format) => (x === null || x === undefined ? ["–"] : [{ value: x, path, format }]);
      const itself = plain || rule === "token";
      const parts = [
        one(figures.calls, at("calls"), String), estimateParts(figures.efficiency, at("efficiency")),
        itself ? ["–"] : estimateParts(figures.over_token, at("over_token"), signed), itself ? ["–"] : [...estimateParts(figures.first_block, at("first_block"), signed), ...(fresh ? [` ${MARK}`] : [])],
        one(figures.observed, at("observed"), number), one(figures.tokens_per_second, at("tokens_per_second"), number), plain ? ["–"] : estimateParts(figures.speedup, at("speedup")),
        plain ? ["–"] : one(predicted, "derived:predicted_speedup", number),
      ];
      set(places[FIRST], { title: fresh ? say("racing.fresh") : null });
      cells.forEach((cell, n) => cell(parts[n]));
    },
  };
}
