/** The paper's table for this pair: tasks × (token, block, gain) of block efficiency and of wall-clock, γ by γ, the average last. */

import { number, plural } from "../format.js";
import { frame } from "../marks.js";
import { hasInterval, phrase } from "../compare/measure_parts.js";
import { ruleWords } from "../compare/rule_words.js";
import { createScroller } from "../scroller.js";
import { html, set, show, text } from "../svg.js";
import { busyWords, factsWords, findings, gain, insideParts, missingWords, tooFewPrompts } from "./lab_words.js";
import { conditionKey, rulesOf } from "./series.js";

const times = (x) => Number(x).toFixed(2);
const COLUMNS = [["token", "token", times], ["block", "block", times], ["gain", "gain", gain], ["token_speed", "token × plain", times], ["block_speed", "block × plain", times], ["speed_gain", "gain", gain]];

/** A figure of the table as parts of a phrase; gains with their intervals. */
function parts(figure, path, format) {
  if (!figure) return ["–"];
  const mean = { value: figure.mean, path: `${path}/mean`, format };
  return format === gain ? [mean, ...insideParts(figure, path, format)] : [mean];
}

const detail = (figure, format) => (!hasInterval(figure) ? "" : `${format(figure.mean)}, ${tooFewPrompts(figure) ? "too few prompts for an interval" : `95 % interval ${format(figure.low)} to ${format(figure.high)}`}`);

/** @param {Element} container @param {any} actions */
export function createTable(container, actions) {
  const { body, caption, instead } = frame(container, {
    name: "lab-table", title: "Block efficiency and speed",
    about: "Block efficiency is the number of tokens a target call gives in the long run; every rule is measured on the same texts of the target, drafts and coins integrated out. Speeds are over plain decoding by the same "
      + "forward pass, measured in the same turns. Brackets hold 95 % intervals over prompts like these. The average is the plain mean of the tasks, its gain that of the averages. Sun et al. report means over eight tasks of a production-size pair at temperature 1 (arXiv 2403.10444): they stand where an average of ours compares with them.",
  });
  const said = html("div", { class: "measure-findings", id: "lab-findings" }, body), list = html("div", { class: "lab-tables" }, body), notes = html("div", { class: "lab-notes" }, body);
  let drawn = null;

  function one(found, n, condition) {
    const scroll = createScroller(list), table = html("table", { class: "lab-table", "data-gamma": found.setting.gamma }, scroll);
    html("caption", null, table, `γ = ${found.setting.gamma}`);
    const head = html("thead", null, table), groups = html("tr", null, head), names = html("tr", null, head), rows = html("tbody", null, table);
    html("td", { colspan: 2 }, groups);
    html("th", { scope: "colgroup", colspan: 3 }, groups, "block efficiency, same texts");
    html("th", { scope: "colgroup", colspan: 3 }, groups, "wall-clock");
    for (const name of ["task", "prompts"]) html("th", { scope: "col" }, names, name);
    for (const [, words] of COLUMNS) html("th", { scope: "col" }, names, words);
    found.lines.forEach((line, k) => {
      const average = line.name === "average";
      if (average && found.lines.length === 2) return; // of one task
      const row = html("tr", { class: average ? "is-average" : null, "data-task": line.name }, rows);
      html("th", { scope: "row" }, row, average ? `average of ${found.lines.length - 1}` : line.name);
      const counts = [...new Set([line.text_prompts, line.timed_prompts].filter((x) => x !== null))];
      html("td", null, row, average ? "" : counts.join("/"));
      for (const [name, , format] of COLUMNS) {
        const cell = html("td", { class: "lab-figure", title: detail(line.figures[name], format) || null }, row);
        phrase(cell)(parts(line.figures[name], `lab:/tables/${n}/lines/${k}/figures/${name}`, format));
      }
    });
    if (found.paper) {
      const row = html("tr", { class: "is-paper" }, rows), known = found.paper;
      html("th", { scope: "row" }, row, "Sun et al., eight tasks");
      html("td", null, row);
      for (const [a, b] of [["token", "block"], ["token_speed", "block_speed"]]) {
        for (const name of [a, b]) phrase(html("td", { class: "lab-figure" }, row))(name in known ? [{ value: known[name], path: `lab:/tables/${n}/paper/${name}`, format: times }] : [""]);
        phrase(html("td", { class: "lab-figure" }, row))(a in known ? [{ value: known[b] / known[a] - 1, path: "derived:paper_gain", format: gain }] : [""]);
      }
    }
    for (const [words, names_] of [["Not measured yet", found.missing], ["No times yet at this γ", found.untimed]]) if (names_.length) html("p", { class: "sd-soft" }, list, `${words}: ${names_.join(", ")}.`);
    if (found.no_paper) html("p", { class: "sd-soft" }, list, found.no_paper);
    return condition;
  }

  /** Every rule's own run, where others than token and block were asked for. */
  function others(summary, at) {
    if (rulesOf(summary, at).every((rule) => ["token", "block"].includes(rule)) && rulesOf(summary, at).length === 2) return;
    const scroll = createScroller(list), table = html("table", { class: "lab-table lab-rules" }, scroll);
    html("caption", null, table, "All rules, averaged over the tasks");
    const head = html("tr", null, html("thead", null, table)), rows = html("tbody", null, table);
    for (const name of ["γ", "rule", "own runs", "− token", "same texts", "gain over token", "× plain"]) html("th", { scope: "col" }, head, name);
    summary.averages.forEach((record, n) => {
      if (conditionKey(record.setting) !== at.condition) return;
      for (const [rule, figures] of Object.entries(record.rules)) {
        if (!figures.runs) continue;
        const row = html("tr", null, rows), path = `lab:/summary/averages/${n}/rules/${rule}`, texts = figures.texts || {};
        html("td", null, row, String(record.setting.gamma));
        html("th", { scope: "row" }, row, ruleWords(rule));
        const cells = [[figures.runs.efficiency, "runs/efficiency", number], [figures.runs.over_token, "runs/over_token", number], [texts.efficiency, "texts/efficiency", number], [texts.gain, "texts/gain", gain], [figures.speed && figures.speed.over_plain, "speed/over_plain", times]];
        for (const [figure, where, format] of cells) phrase(html("td", { class: "lab-figure", title: detail(figure, format) || null }, row))(parts(figure, `${path}/${where}`, format));
      }
    });
  }

  return {
    /** @param {any} answer @param {any} at what is looked at */
    update(answer, at) {
      instead(answer && at ? null : "The table grows here as cells are finished.");
      if (!answer || !at) return;
      if (drawn && drawn.answer === answer && drawn.condition === at.condition) return;
      drawn = { answer, condition: at.condition };
      const { summary } = answer, averages = summary.averages.map((record, n) => ({ record, n })).filter(({ record }) => conditionKey(record.setting) === at.condition);
      text(caption, `${factsWords(summary)}. Look at the gain beside its interval: one that holds 0 says nothing yet.`);
      said.textContent = list.textContent = notes.textContent = "";
      for (const words of findings(summary, averages)) phrase(html("p", null, said))(words);
      answer.tables.forEach((found, n) => { if (conditionKey(found.setting) === at.condition) one(found, n, at.condition); });
      others(summary, at);
      for (const words of [missingWords(summary, Boolean(actions.start)), busyWords(summary)]) if (words) html("p", { class: words.startsWith("The machine") ? "measure-warning" : "sd-soft" }, notes, words);
      show(notes, Boolean(notes.textContent));
      set(list, { "data-tables": plural(answer.tables.length, "table") });
    },
  };
}
