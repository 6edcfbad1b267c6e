/** The block's table as one SVG drawing, made when it is saved: an HTML table cannot be an image file. */

import { joining, runningMean } from "../derive.js";
import { number, pieceText, shorten, sub } from "../format.js";
import { cells } from "../marks.js";
import { ruleWords } from "../rule_gallery.js";
import { FOREIGN, html, set, svg } from "../svg.js";
import { say as sayColumn } from "../words/parts/column.js";
import { say } from "../words/parts/compare.js";
import { createGauge } from "./cells.js";
import { comparedAt, fates, fateWord, parting, SIGNS } from "./fates.js";
import { createLengthBars } from "./lengths.js";
import { linesOf } from "./lines.js";
import { factsOf } from "./measure_rules.js";
import { picture, standalone } from "./pictures_export.js";
import { headWords, losslessAt, ruleOf, sureWords } from "./rule_words.js";
import { save } from "./save.js";
import { asksAfresh } from "./words.js";

const SHARED = 292, COLUMN = 262, TITLE = 38, ROW = 38, LINE = 24, SMALL = 15, LETTERS = 38; // of a column's small words in a line
const labels = (count) => [say("compare.kept"), say("compare.next"), "E[τ│block]", say("compare.gained"), say("compare.mean.over", { count })];
const LABELLED = 5;

const put = (root, x, y, words, kind = "") => svg("text", { x, y, class: kind }, root, words);

/** A token as a chip. Returns its width. */
function chip(root, x, y, piece, kind) {
  const word = shorten(pieceText(piece), 12), width = cells(word) * 8 + 12;
  svg("rect", { x, y: y - 15, width, height: 20, rx: 4, class: `cmp-chip-${kind}` }, root);
  set(put(root, x + 6, y, word, "cmp-mono"), FOREIGN);
  return width;
}

/** What a rule is, as in its column's head. */
const kindLines = (view, rule) => linesOf(headWords(ruleOf(view.config.rules, rule), view.trace.settings.temperature).text, (line) => cells(line) <= LETTERS);

function drawHead(root, view, rule, x) {
  const kind = losslessAt(ruleOf(view.config.rules, rule), view.trace.settings.temperature) ? "cmp-good" : "cmp-bad";
  put(root, x, 14, ruleWords(rule), "cmp-strong");
  if (rule === view.follow) put(root, x, 30, say("compare.picture.follow"), "cmp-small");
  kindLines(view, rule).forEach((line, n) => put(root, x, TITLE + 9 + n * SMALL, line, `cmp-small ${kind}`));
}

function drawShared(root, view, index, y) {
  const { block } = view, data = block.paths[0].rows[index];
  put(root, 0, y + 19, String(index + 1), "cmp-soft");
  chip(root, 16, y + 20, view.pieces(data.token), "draft");
  const numbers = [[`D ${number(data.draft)}`, `T ${number(data.target)}`], [`r ${number(data.ratio)}`, `η${sub(index + 1)} ${number(block.uniforms.verify[index])}`]];
  numbers.forEach((pair, line) => pair.forEach((words, n) => put(root, 122 + n * 84, y + 15 + line * 15, words, "cmp-tiny")));
}

function drawCell(root, view, rule, index, x, y) {
  const { block } = view, verdict = block.verdicts[rule], { fate, coin, kept } = fates(block, verdict)[index], followed = block.verdicts[view.follow];
  const h = verdict.accept_prob ? verdict.accept_prob[index] : null, sure = sureWords(rule, h), own = Boolean(verdict.compared);
  const compared = comparedAt(block, verdict, index + 1);
  if (sure) put(root, x, y + 23, sure, "cmp-small");
  else {
    const gauge = createGauge(svg("g", { "data-coin": coin }, root));
    for (const [name, value] of Object.entries({ x, y: y + 5 })) gauge.root.setAttribute(name, String(value));
    gauge.update({ h, number: compared, path: "", name: "", own, coin });
    if (own) put(root, x + 6, y + 33, say("compare.compares", { number: number(compared) }), "cmp-small cmp-bad");
  }
  if (h !== null) put(root, x + 148, y + 15, `h ${number(h)}`, "cmp-tiny");
  put(root, x + 148, y + 30, `${SIGNS[fate]} ${fateWord(fate)}`, `cmp-small ${fate === "struck" || fate === "unlooked" ? "cmp-soft" : "cmp-good"}`);
  if (followed && index < followed.accepted !== kept) put(root, x + COLUMN - 30, y + 15, "≠", "cmp-strong cmp-apart");
}

/** What was gained, and what of it joins the text where its end cuts some. */
function gainedWords({ trace, block }, rule) {
  const verdict = block.verdicts[rule], whole = verdict.accepted + 1, count = joining(trace, block, verdict), gained = say("compare.gained.value", { value: whole, count: whole });
  return count === whole ? gained : say(rule === block.verifier ? "compare.picture.joins" : "compare.picture.would_join", { gained, count });
}

/** @param {SVGSVGElement} root emptied and filled @param {any} view */
export function drawBlock(root, view) {
  const { block, blockIndex, follow } = view, own = block.verdicts[follow], rules = view.rules.filter((rule) => block.verdicts[rule]);
  const head = TITLE + Math.max(...rules.map((rule) => kindLines(view, rule).length)) * SMALL + 4;
  const bottom = head + block.gamma * ROW, width = SHARED + rules.length * COLUMN, rest = bottom + LABELLED * LINE;
  const rule_ = (y, x1 = 0, x2 = width, kind = "cmp-line") => svg("line", { x1, x2, y1: y, y2: y, class: kind }, root);
  block.paths[0].tokens.forEach((_, index) => {
    drawShared(root, view, index, head + index * ROW);
    rule_(head + (index + 1) * ROW);
  });
  labels(blockIndex + 1).forEach((words, n) => put(root, 0, bottom + 17 + n * LINE, words, "cmp-soft"));
  put(root, 0, rest + 17, "P(τ = i│block)", "cmp-soft");
  const laws = [];
  rules.forEach((rule, n) => {
    const x = SHARED + n * COLUMN, verdict = block.verdicts[rule], apart = own ? parting(verdict, own) : { kept: false, next: false };
    drawHead(root, view, rule, x);
    for (let index = 0; index < block.gamma; index++) drawCell(root, view, rule, index, x, head + index * ROW);
    put(root, x, bottom + 17, say("compare.kept.value", { kept: verdict.accepted, gamma: block.gamma }) + (apart.kept ? " ≠" : ""), "cmp-strong");
    const wide = chip(root, x, bottom + 17 + LINE, view.pieces(verdict.next_token), verdict.next_kind);
    put(root, x + wide + 6, bottom + 17 + LINE, say("compare.next.kind", { kind: sayColumn(`column.kind.${verdict.next_kind}`), value: number(verdict.next_prob) }) + (apart.next ? " ≠" : ""));
    const mean = runningMean(view.trace, rule, blockIndex), { settings } = view.trace, record = ruleOf(view.config.rules, rule);
    const caution = losslessAt(record, settings.temperature) ? "" : say("compare.not_lossless"), afresh = asksAfresh(view.config.rules, rule, settings.verifier) ? " †" : "";
    put(root, x, bottom + 17 + 2 * LINE, number(verdict.expected_accepted) + caution, "cmp-strong");
    put(root, x, bottom + 17 + 3 * LINE, gainedWords(view, rule) + (apart.kept ? " ≠" : ""), "cmp-strong");
    put(root, x, bottom + 17 + 4 * LINE, (mean ? number(mean.expected + 1) : "–") + afresh + caution, "cmp-strong");
    rule_(head + verdict.accepted * ROW, x - 4, x + COLUMN - 12, "cmp-cutline");
    const law = createLengthBars(root);
    law.update(view, rule);
    law.root.setAttribute("x", String(x));
    laws.push(law.root);
  });
  const tall = (law) => Number(law.getAttribute("height")), height = rest + 8 + Math.max(LINE, ...laws.map(tall));
  for (const law of laws) law.setAttribute("y", String(height - 4 - tall(law)));
  rule_(head, 0, width, "cmp-line");
  for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) root.setAttribute(name, String(value));
}

/** Saves the block shown. @param {Element} container in the page, for its colours @param {any} view @param {"svg"|"png"} ending @param {string} caption */
export async function saveBlock(container, view, ending, caption) {
  const host = html("div", { class: "cmp-picture", "aria-hidden": "true" }, container);
  try {
    const root = /** @type {SVGSVGElement} */ (svg("svg", null, host)), words = { title: say("compare.picture.title", { number: view.blockIndex + 1 }), caption: say("compare.picture.caption", { facts: factsOf(view.trace), words: caption }) };
    drawBlock(root, view);
    const made = ending === "svg" ? new Blob([standalone(root, words).text], { type: "image/svg+xml" }) : picture(root, words);
    host.remove();
    save(`specdemo-block-${view.blockIndex + 1}.${ending}`, await made);
  } finally {
    host.remove();
  }
}
