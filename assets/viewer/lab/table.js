/** The paper's table for this pair: tasks × (token, block, gain) of block efficiency and of wall-clock, γ by γ, the average last. */

import { number, plural } from "../format.js";
import { frame } from "../marks.js";
import { phrase } from "../compare/measure_parts.js";
import { ruleWords } from "../rule_gallery.js";
import { createScroller } from "../scroller.js";
import { html, set, show, text } from "../svg.js";
import { say } from "../words/parts/lab_pictures.js";
import { say as sayViewer } from "../words/parts/viewer.js";
import { busyWords, contextWords, factsWords, fewWords, findings, gain, insideParts, intervalWords, missingWords, noPaperWords } from "./lab_words.js";
import { conditionKey, rulesOf } from "./series.js";
import { taskWords } from "./task_words.js";

const times = (x) => Number(x).toFixed(2);
const gained = () => say("sweep.table.gain"), overPlain = (rule) => () => say("sweep.table.times_plain", { rule: ruleWords(rule) });
/** @type {[string, () => string, (x: any) => string][]} */
const COLUMNS = [
  ["token", () => ruleWords("token"), times], ["block", () => ruleWords("block"), times], ["gain", gained, gain], ["token_speed", overPlain("token"), times], ["block_speed", overPlain("block"), times], ["speed_gain", gained, gain],
];
const RULE_COLUMNS = ["runs", "over_token", "texts", "gain", "times_plain"];

/** A figure of the table as parts of a phrase; gains with their intervals. */
function parts(figure, path, format) {
  if (!figure) return ["–"];
  const mean = { value: figure.mean, path: `${path}/mean`, format };
  return format === gain ? [mean, ...insideParts(figure, path, format)] : [mean];
}

/** @param {Element} container @param {any} actions */
export function createTable(container, actions) {
  const { body, caption, instead } = frame(container, { name: "lab-table", title: say("sweep.table.title"), about: say("sweep.table.about") });
  const said = html("div", { class: "measure-findings", id: "lab-findings" }, body), list = html("div", { class: "lab-tables" }, body), notes = html("div", { class: "lab-notes" }, body);
  let drawn = null;

  function one(found, n, condition) {
    const scroll = createScroller(list), table = html("table", { class: "lab-table", "data-gamma": found.setting.gamma }, scroll);
    html("caption", null, table, `γ = ${found.setting.gamma}`);
    const head = html("thead", null, table), groups = html("tr", null, head), names = html("tr", null, head), rows = html("tbody", null, table);
    html("td", { colspan: 2 }, groups);
    html("th", { scope: "colgroup", colspan: 3 }, groups, say("sweep.table.efficiency"));
    html("th", { scope: "colgroup", colspan: 3 }, groups, say("sweep.table.speed"));
    for (const words of [say("sweep.table.task"), say("sweep.table.prompts"), ...COLUMNS.map(([, head]) => head())]) html("th", { scope: "col" }, names, words);
    found.lines.forEach((line, k) => {
      const average = line.name === "average";
      if (average && found.lines.length === 2) return; // of one task
      const row = html("tr", { class: average ? "is-average" : null, "data-task": line.name }, rows);
      html("th", { scope: "row" }, row, average ? say("sweep.table.average", { count: found.lines.length - 1 }) : taskWords(line.name));
      const counts = [...new Set([line.text_prompts, line.timed_prompts].filter((x) => x !== null))];
      html("td", null, row, average ? "" : counts.join("/"));
      for (const [name, , format] of COLUMNS) {
        const cell = html("td", { class: "lab-figure", title: intervalWords(line.figures[name], format) || null }, row);
        phrase(cell)(parts(line.figures[name], `lab:/tables/${n}/lines/${k}/figures/${name}`, format));
      }
    });
    if (found.paper) {
      const row = html("tr", { class: "is-paper" }, rows), known = found.paper;
      html("th", { scope: "row" }, row, say("sweep.table.paper"));
      html("td", null, row);
      for (const [a, b] of [["token", "block"], ["token_speed", "block_speed"]]) {
        for (const name of [a, b]) phrase(html("td", { class: "lab-figure" }, row))(name in known ? [{ value: known[name], path: `lab:/tables/${n}/paper/${name}`, format: times }] : [""]);
        phrase(html("td", { class: "lab-figure" }, row))(a in known ? [{ value: known[b] / known[a] - 1, path: "derived:paper_gain", format: gain }] : [""]);
      }
    }
    const listed = (tasks) => ({ tasks: tasks.map(taskWords).join(sayViewer("viewer.comma")) });
    if (found.missing.length) html("p", { class: "sd-soft" }, list, say("sweep.table.missing", listed(found.missing)));
    if (found.untimed.length) html("p", { class: "sd-soft" }, list, say("sweep.table.untimed", listed(found.untimed)));
    if (found.no_paper) html("p", { class: "sd-soft" }, list, noPaperWords(found));
    return condition;
  }

  /** Every rule's own run, where others than token and block were asked for. */
  function others(summary, at) {
    if (rulesOf(summary, at).every((rule) => ["token", "block"].includes(rule)) && rulesOf(summary, at).length === 2) return;
    const scroll = createScroller(list), table = html("table", { class: "lab-table lab-rules" }, scroll);
    html("caption", null, table, say("sweep.rules.title"));
    const head = html("tr", null, html("thead", null, table)), rows = html("tbody", null, table);
    for (const words of ["γ", say("sweep.rules.rule"), ...RULE_COLUMNS.map((name) => say(`sweep.rules.${name}`))]) html("th", { scope: "col" }, head, words);
    summary.averages.forEach((record, n) => {
      if (conditionKey(record.setting) !== at.condition) return;
      for (const [rule, figures] of Object.entries(record.rules)) {
        if (!figures.runs) continue;
        const row = html("tr", null, rows), path = `lab:/summary/averages/${n}/rules/${rule}`, texts = figures.texts || {};
        html("td", null, row, String(record.setting.gamma));
        html("th", { scope: "row" }, row, ruleWords(rule));
        const cells = [[figures.runs.efficiency, "runs/efficiency", number], [figures.runs.over_token, "runs/over_token", number], [texts.efficiency, "texts/efficiency", number], [texts.gain, "texts/gain", gain], [figures.speed && figures.speed.over_plain, "speed/over_plain", times]];
        for (const [figure, where, format] of cells) phrase(html("td", { class: "lab-figure", title: intervalWords(figure, format) || null }, row))(parts(figure, `${path}/${where}`, format));
      }
    });
  }

  return {
    /** @param {any} answer @param {any} at what is looked at */
    update(answer, at) {
      instead(answer && at ? null : say("sweep.table.empty"));
      if (!answer || !at) return;
      if (drawn && drawn.answer === answer && drawn.condition === at.condition) return;
      drawn = { answer, condition: at.condition };
      const { summary } = answer, averages = summary.averages.map((record, n) => ({ record, n })).filter(({ record }) => conditionKey(record.setting) === at.condition);
      text(caption, say("sweep.table.caption", { facts: factsWords(summary) }));
      said.textContent = list.textContent = notes.textContent = "";
      for (const words of findings(summary, averages)) phrase(html("p", null, said))(words);
      answer.tables.forEach((found, n) => { if (conditionKey(found.setting) === at.condition) one(found, n, at.condition); });
      others(summary, at);
      for (const [words, kind] of [...contextWords(summary, at.condition).map((words) => [words, "measure-warning lab-context"]), [fewWords(summary, at.condition), "measure-warning"], [missingWords(summary, Boolean(actions.start)), "sd-soft"], [busyWords(summary), "measure-warning"]]) if (words) html("p", { class: kind }, notes, words);
      show(notes, Boolean(notes.textContent));
      set(list, { "data-tables": plural(answer.tables.length, "table") });
    },
  };
}
