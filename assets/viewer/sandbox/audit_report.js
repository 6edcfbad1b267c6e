/** A report on the page: the answer, what was found, the counterexample as a program and as a state of the Sandbox. */

import { phrase } from "../compare/measure_parts.js";
import { copy } from "../link.js";
import { ruleWords } from "../rule_gallery.js";
import { createScroller } from "../scroller.js";
import { html, pool, set, show, text, value } from "../svg.js";
import { say } from "../words/parts/audit.js";
import { answerOf, expectedOf, factsOf, worldWords } from "./audit_words.js";
import { hashOf } from "./link.js";

/** The heads of the table of means. */
const columns = () => ["γ", say("audit.column.worlds"), say("audit.column.own"), ruleWords("token"), ruleWords("block"), say("audit.column.optimum")];

/** @param {Element} container @param {{open: (hash: string) => void}} frame */
export function createReport(container, frame) {
  const root = html("section", { class: "sd-panel sb-report", "aria-label": say("audit.report") }, container);
  const answer = html("p", { class: "sd-sentence sb-answer" }, root);
  const state = html("div", { class: "sb-open" }, root);
  const open = html("button", { type: "button", id: "audit-open", class: "sd-button primary" }, state, say("audit.open"));
  const why = html("span", { class: "sd-soft" }, state);
  const facts = html("dl", { class: "sb-report-facts" }, root);
  const lines = pool(() => {
    const line = html("div", null, facts), label = html("dt", null, line), words = html("dd", null, line);
    return { root: line, label, tell: phrase(words) };
  });
  const expected = createScroller(root);
  html("p", { class: "sd-soft" }, expected, say("audit.expected"));
  const table = html("table", { class: "pic-table sb-report-table" }, expected), head = html("tr", null, html("thead", null, table)), body = html("tbody", null, table);
  for (const name of columns()) html("th", { scope: "col" }, head, name);
  const rows = pool(() => {
    const row = html("tr", null, body);
    return { root: row, cells: columns().map((_, i) => html(i ? "td" : "th", i ? null : { scope: "row" }, row)) };
  });
  const program = html("div", { class: "sb-program" }, root);
  const title = html("div", { class: "pic-head" }, program);
  html("h3", null, title, say("audit.program"));
  const copyButton = html("button", { type: "button", id: "audit-copy", class: "sd-button small" }, title, say("audit.copy"));
  const code = html("pre", { class: "sb-code", lang: "en", tabindex: "0", role: "group", "aria-label": say("audit.program.label") }, program);
  let shown = null;

  open.addEventListener("click", () => frame.open(hashOf(shown.state, shown.cell ? { cell: shown.cell.join(",") } : {})));
  copyButton.addEventListener("click", async () => text(copyButton, (await copy(shown.report.counterexample)) ? say("audit.copied") : say("audit.not_copied")));

  return {
    root,
    /** @param {{report: any, state: any, world: string|null, cell: string[]|null}} given @param {string} rule */
    update(given, rule) {
      shown = given;
      const { report } = given, said = answerOf(report, ruleWords(rule));
      text(answer, said.charAt(0).toUpperCase() + said.slice(1));
      set(answer, { class: `sd-sentence sb-answer ${report.lossless ? "lossless" : "lossy"}`, "data-lossless": String(report.lossless) });
      show(state, !report.lossless);
      show(open, Boolean(given.state));
      text(why, given.state ? say("audit.world", { world: worldWords(given.world || "") }) : say(report.counterexample ? "audit.not_shown_run" : "audit.not_shown"));
      const found = factsOf(report);
      lines.take(found.length).forEach((line, i) => {
        text(line.label, found[i][0]);
        line.tell(found[i][1]);
      });
      const means = expectedOf(report.worlds);
      show(expected, means.length > 0);
      rows.take(means.length).forEach((row, i) => {
        text(row.cells[0], means[i].gamma);
        text(row.cells[1], means[i].count);
        means[i].means.forEach((mean, k) => value(row.cells[k + 2], mean, `derived:mean_expected/${means[i].gamma}/${k}`));
      });
      show(program, Boolean(report.counterexample));
      text(code, report.counterexample || "");
      text(copyButton, say("audit.copy"));
    },
  };
}
