/**
 * The same block under every chosen rule: a column a rule, a row a drafted position, and below what each rule makes of it:
 * τ, the next token, E[τ│block], the law of τ, and the running mean, which is the only thing to compare rules by.
 */

import { joining, runningMean } from "../derive.js";
import { beforePaint } from "../paint.js";
import { ruleWords } from "../rule_gallery.js";
import { html, pool, present, set, show, text, value } from "../svg.js";
import { say as sayColumn } from "../words/parts/column.js";
import { say } from "../words/parts/compare.js";
import { say as sayViewer } from "../words/parts/viewer.js";
import { around } from "../words/pieces.js";
import { createCell, createMark, createShared, paintChip } from "./cells.js";
import { fates, parting } from "./fates.js";
import { createHead } from "./heads.js";
import { createLawCell } from "./lengths.js";
import { losslessAt, ruleOf } from "./rule_words.js";
import { createWindow } from "./sight.js";
import { asksAfresh } from "./words.js";

const NARROW = "(max-width: 520px)", BARS = { wide: 222, narrow: 122, slot: 11 }; // pixels for the law of τ

/** The rows below the positions: label (a key, or what is the same in every language), and how a cell is made and filled. */
const SUMMARY = [
  { name: "kept", label: () => say("compare.kept"), make: makeFigure, differs: (apart) => apart.kept, fill: fillKept },
  { name: "next", label: () => say("compare.next"), make: makeNext, differs: (apart) => apart.next, fill: fillNext },
  { name: "expected", label: () => "E[τ│block]", make: makeFigure, differs: () => false, fill: fillExpected },
  { name: "law", label: () => "P(τ = i│block)", make: makeLaw, differs: () => false, fill: (cell, view, rule) => cell.law.bars.update(view, rule, view.room) },
  { name: "gained", label: () => say("compare.gained"), make: makeGained, differs: (apart) => apart.kept, fill: fillGained },
  { name: "mean", label: () => say("compare.mean.first"), make: makeFigure, differs: () => false, fill: fillMean },
];

/** A number within its words. */
function fillWithin(node, x, path, key, slots, hole, name) {
  const [before, after] = around(key, slots, [hole]);
  value(node, x, path, { format: String, before, after, name });
}

function fillKept(cell, view, rule, verdict, base) {
  fillWithin(cell.node, verdict.accepted, `${base}/accepted`, "compare.kept.value", { gamma: view.block.gamma }, "kept", "τ");
}

function makeFigure(row) {
  const root = html("td", null, row);
  return { root, node: html("span", { class: "cmp-value" }, root), note: html("span", { class: "cmp-note" }, root), mark: createMark(root) };
}

function makeGained(row) {
  const cell = makeFigure(row), cut = html("span", { class: "cmp-joins" });
  cell.note.replaceWith(cut);
  return { ...cell, cut };
}

/** A mean of a rule whose text is another law's must not look like a win. */
function fillCaution(cell, view, rule) {
  text(cell.note, losslessAt(ruleOf(view.config.rules, rule), view.trace.settings.temperature) ? "" : say("compare.not_lossless"));
}

function makeNext(row) {
  const root = html("td", null, row), chip = html("span", { class: "sd-chip correction" }, root);
  html("span", null, root, " ");
  return { root, chip, kind: html("span", { class: "sd-soft" }, root), node: html("span", { class: "cmp-value" }, root), mark: createMark(root) };
}

function makeLaw(row) {
  const law = createLawCell(row);
  return { root: law.root, law, mark: () => {} };
}

function fillNext(cell, view, rule, verdict, base) {
  paintChip(cell.chip, verdict.next_token, view.pieces(verdict.next_token), verdict.next_kind, sayColumn(`column.kind.${verdict.next_kind}`));
  text(cell.kind, around("compare.next.kind", { kind: sayColumn(`column.kind.${verdict.next_kind}`) }, ["value"])[0]);
  value(cell.node, verdict.next_prob, `${base}/next_prob`, { name: say("compare.next.name") });
}

function fillGained(cell, view, rule, verdict) {
  const own = rule === view.block.verifier, count = joining(view.trace, view.block, verdict), cut = count < verdict.accepted + 1;
  present(cell.cut, cut);
  if (cut) fillWithin(cell.cut, count, own ? `/blocks/${view.blockIndex}/shown_tokens` : "derived:joining", own ? "compare.joins" : "compare.would_join", { count }, "value", say("compare.joins.name"));
  fillWithin(cell.node, verdict.accepted + 1, own ? `/blocks/${view.blockIndex}/gained` : "derived:gained", "compare.gained.value", { count: verdict.accepted + 1 }, "value", say("compare.gained.name"));
}

function fillExpected(cell, view, rule, verdict, base) {
  value(cell.node, verdict.expected_accepted, `${base}/expected_accepted`, { name: say("compare.expected.name", { rule: ruleWords(rule) }) });
  fillCaution(cell, view, rule);
}

function fillMean(cell, view, rule) {
  fillCaution(cell, view, rule);
  const afresh = asksAfresh(view.config.rules, rule, view.trace.settings.verifier);
  if (afresh) text(cell.note, ` †${cell.note.textContent}`);
  set(cell.root, { "aria-describedby": afresh ? "compare-afresh" : null });
  set(cell.note, { title: afresh ? say("compare.mean.afresh") : null });
  const mean = runningMean(view.trace, rule, view.blockIndex);
  value(cell.node, mean ? mean.expected + 1 : null, "derived:mean_expected_gained", { name: say("compare.mean.name", { rule: ruleWords(rule) }) });
}

/** @param {Element} container @param {any} actions @param {(rules: string[]) => void} onHidden is told which rules' columns are out of sight */
export function createBlockTable(container, actions, onHidden) {
  const sight = createWindow(container, say("compare.block"), () => heads.take(columns.length).map(({ root }, n) => ({ name: columns[n], root })), onHidden);
  const { scroller } = sight, table = html("table", { class: "cmp-table" }, scroller);
  sight.watch(table);
  const caption = html("caption", null, table);
  const top = html("tr", null, html("thead", null, table));
  html("th", { scope: "col", class: "cmp-shared" }, top, say("compare.shared"));
  const heads = pool(() => createHead(top, heads.all.length, actions));
  const body = html("tbody", null, table), foot = html("tbody", { class: "cmp-summary" }, table);
  const rows = pool(() => {
    const index = rows.all.length, root = html("tr", { "data-row": index }, body), shared = createShared(root);
    root.addEventListener("click", () => actions.select(index));
    return { root, shared, cells: pool(() => createCell(root)) };
  });
  const summary = SUMMARY.map((kind) => {
    const root = html("tr", { class: `cmp-row-${kind.name}` }, foot), label = html("th", { scope: "row", class: "cmp-shared" }, root, kind.label());
    const cells = pool(() => {
      const cell = kind.make(root);
      return { ...cell, waiting: html("span", { class: "sd-soft" }, cell.root, "–") };
    });
    return { ...kind, root, labelNode: label, cells };
  });
  let drawn = [], columns = [], shown = "", last = null;
  const narrow = matchMedia(NARROW);
  narrow.addEventListener("change", () => {
    drawn = [];
    shown = "";
    if (last) part.update(last);
  });

  function drawRows(view) {
    const { block, rules, follow } = view;
    const lists = rules.map((rule) => (block.verdicts[rule] ? fates(block, block.verdicts[rule]) : null)), followed = lists[rules.indexOf(follow)] || null;
    rows.take(block.gamma).forEach((row, index) => {
      row.shared(view, index);
      row.cells.take(rules.length).forEach((cell, n) => cell.update(view, rules[n], index, lists[n], followed));
      set(row.root, { class: view.position === index ? "chosen" : null, "data-apart": lists.some((list) => list && followed && list[index].kept !== followed[index].kept) });
    });
  }

  function drawSummary(view) {
    const { block, rules, follow } = view, own = block.verdicts[follow];
    for (const row of summary) {
      if (row.name === "mean") text(row.labelNode, view.blockIndex ? say("compare.mean", { count: view.blockIndex + 1 }) : say("compare.mean.first"));
      row.cells.take(rules.length).forEach((cell, n) => {
        const rule = rules[n], verdict = block.verdicts[rule];
        for (const child of cell.root.children) if (child !== cell.waiting) show(child, Boolean(verdict));
        present(cell.waiting, !verdict);
        set(cell.root, { class: rule === follow ? "followed" : null });
        if (!verdict) {
          for (const node of cell.root.querySelectorAll("[data-path]")) set(node, { "data-path": null, "data-value": null });
          return cell.mark(cell.root, false, follow);
        }
        row.fill(cell, view, rule, verdict, `/blocks/${view.blockIndex}/verdicts/${rule}`);
        cell.mark(cell.root, Boolean(own && rule !== follow && row.differs(parting(verdict, own))), follow);
      });
    }
  }

  const part = {
    /** Brings a rule's column into sight. @param {string} rule */
    reveal: (rule) => sight.reveal(rule),
    update(given) {
      last = given;
      const { block, rules, follow, position, trace, blockIndex } = given;
      const room = narrow.matches && block ? Math.max(BARS.narrow, BARS.slot * (block.gamma + 1)) : BARS.wide, view = { ...given, room };
      columns = rules;
      heads.take(rules.length).forEach((head) => head.update(view));
      set(table, { style: `--columns:${rules.length};--bars:${room}px` });
      sight.look();
      present(body, Boolean(block));
      present(foot, Boolean(block));
      const now = [block, blockIndex, rules.join(), follow, position, trace && trace.blocks[0]];
      if (!block || now.every((part, i) => part === drawn[i])) return void (drawn = block ? now : []);
      const moved = drawn[0] === block && drawn[4] !== position;
      drawn = now;
      text(caption, say("compare.caption", { number: blockIndex + 1, count: block.gamma, rules: rules.map(ruleWords).join(sayViewer("viewer.comma")), many: rules.length }));
      drawRows(view);
      drawSummary(view);
      const chosen = moved && rows.all[position];
      if (chosen) beforePaint(scroller, () => chosen.root.scrollIntoView({ block: "nearest", inline: "nearest" }));
      const seen = `${rules.join()}|${follow}|${trace.head_digest}`;
      if (seen !== shown) beforePaint(table, () => sight.reveal(follow, false));
      shown = seen;
    },
  };
  return part;
}
