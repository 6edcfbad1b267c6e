/** The block's table as one SVG drawing, made when it is saved: an HTML table cannot be an image file. */

import { joining, runningMean } from "../derive.js";
import { number, pieceText, plural, shorten, sub } from "../format.js";
import { cells } from "../marks.js";
import { html, svg } from "../svg.js";
import { createGauge } from "./cells.js";
import { comparedAt, FATES, fates, parting } from "./fates.js";
import { createLengthBars } from "./lengths.js";
import { factsOf } from "./measure_rules.js";
import { picture, standalone } from "./pictures_export.js";
import { headWords, losslessAt, ruleOf, ruleWords, sureWords } from "./rule_words.js";
import { save } from "./save.js";
import { asksAfresh } from "./words.js";

const SHARED = 292, COLUMN = 262, TITLE = 38, ROW = 38, LINE = 24, SMALL = 15, LETTERS = 38; // of a column's small words in a line
const LABELS = ["kept, τ", "then, Y", "E[τ│block]", "gained, τ + 1"];

const say = (root, x, y, words, kind = "") => svg("text", { x, y, class: kind }, root, words);

/** A token as a chip. Returns its width. */
function chip(root, x, y, piece, kind) {
  const word = shorten(pieceText(piece), 12), width = cells(word) * 8 + 12;
  svg("rect", { x, y: y - 15, width, height: 20, rx: 4, class: `cmp-chip-${kind}` }, root);
  say(root, x + 6, y, word, "cmp-mono");
  return width;
}

/** Words in lines of at most `LETTERS`. @param {string} words @returns {string[]} */
function linesOf(words) {
  const lines = [""];
  for (const word of words.split(" ")) {
    const last = lines[lines.length - 1];
    if (last && last.length + 1 + word.length > LETTERS) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines;
}

/** What a rule is, as in its column's head. */
const kindLines = (view, rule) => linesOf(headWords(ruleOf(view.config.rules, rule), view.trace.settings.temperature).text);

function drawHead(root, view, rule, x) {
  const kind = losslessAt(ruleOf(view.config.rules, rule), view.trace.settings.temperature) ? "cmp-good" : "cmp-bad";
  say(root, x, 14, ruleWords(rule), "cmp-strong");
  if (rule === view.follow) say(root, x, 30, "the text follows this rule", "cmp-small");
  kindLines(view, rule).forEach((line, n) => say(root, x, TITLE + 9 + n * SMALL, line, `cmp-small ${kind}`));
}

function drawShared(root, view, index, y) {
  const { block } = view, data = block.paths[0].rows[index];
  say(root, 0, y + 19, String(index + 1), "cmp-soft");
  chip(root, 16, y + 20, view.pieces(data.token), "draft");
  const numbers = [[`D ${number(data.draft)}`, `T ${number(data.target)}`], [`r ${number(data.ratio)}`, `η${sub(index + 1)} ${number(block.uniforms.verify[index])}`]];
  numbers.forEach((pair, line) => pair.forEach((words, n) => say(root, 122 + n * 84, y + 15 + line * 15, words, "cmp-tiny")));
}

function drawCell(root, view, rule, index, x, y) {
  const { block } = view, verdict = block.verdicts[rule], { fate, coin, kept } = fates(block, verdict)[index], followed = block.verdicts[view.follow];
  const h = verdict.accept_prob ? verdict.accept_prob[index] : null, sure = sureWords(rule, h), own = Boolean(verdict.compared);
  const compared = comparedAt(block, verdict, index + 1);
  if (sure) say(root, x, y + 23, sure, "cmp-small");
  else {
    const gauge = createGauge(svg("g", { "data-coin": coin }, root));
    for (const [name, value] of Object.entries({ x, y: y + 5 })) gauge.root.setAttribute(name, String(value));
    gauge.update({ h, number: compared, path: "", name: "", own, coin });
    if (own) say(root, x + 6, y + 33, `compares ${number(compared)}, not η`, "cmp-small cmp-bad");
  }
  if (h !== null) say(root, x + 148, y + 15, `h ${number(h)}`, "cmp-tiny");
  say(root, x + 148, y + 30, `${FATES[fate].sign} ${FATES[fate].word}`, `cmp-small ${fate === "struck" || fate === "unlooked" ? "cmp-soft" : "cmp-good"}`);
  if (followed && index < followed.accepted !== kept) say(root, x + COLUMN - 30, y + 15, "≠", "cmp-strong cmp-apart");
}

/** What of the gained tokens joins the text, where its end cuts some. */
function joinWords({ trace, block }, rule) {
  const verdict = block.verdicts[rule], count = joining(trace, block, verdict);
  return count === verdict.accepted + 1 ? "" : rule === block.verifier ? `, ${count} ${count === 1 ? "joins" : "join"} the text` : `, ${count} would join the text`;
}

/** @param {SVGSVGElement} root emptied and filled @param {any} view */
export function drawBlock(root, view) {
  const { block, blockIndex, follow } = view, own = block.verdicts[follow], rules = view.rules.filter((rule) => block.verdicts[rule]);
  const head = TITLE + Math.max(...rules.map((rule) => kindLines(view, rule).length)) * SMALL + 4;
  const bottom = head + block.gamma * ROW, width = SHARED + rules.length * COLUMN, rest = bottom + (LABELS.length + 1) * LINE;
  const rule_ = (y, x1 = 0, x2 = width, kind = "cmp-line") => svg("line", { x1, x2, y1: y, y2: y, class: kind }, root);
  block.paths[0].tokens.forEach((_, index) => {
    drawShared(root, view, index, head + index * ROW);
    rule_(head + (index + 1) * ROW);
  });
  [...LABELS, `mean of E[τ│block] + 1, ${plural(blockIndex + 1, "block")}`].forEach((words, n) => say(root, 0, bottom + 17 + n * LINE, words, "cmp-soft"));
  say(root, 0, rest + 17, "P(τ = i│block)", "cmp-soft");
  const laws = [];
  rules.forEach((rule, n) => {
    const x = SHARED + n * COLUMN, verdict = block.verdicts[rule], apart = own ? parting(verdict, own) : { kept: false, next: false };
    drawHead(root, view, rule, x);
    for (let index = 0; index < block.gamma; index++) drawCell(root, view, rule, index, x, head + index * ROW);
    say(root, x, bottom + 17, `${verdict.accepted} of ${block.gamma}${apart.kept ? " ≠" : ""}`, "cmp-strong");
    const wide = chip(root, x, bottom + 17 + LINE, view.pieces(verdict.next_token), verdict.next_kind);
    say(root, x + wide + 6, bottom + 17 + LINE, `${verdict.next_kind}, P ${number(verdict.next_prob)}${apart.next ? " ≠" : ""}`);
    const mean = runningMean(view.trace, rule, blockIndex), { settings } = view.trace, record = ruleOf(view.config.rules, rule);
    const caution = losslessAt(record, settings.temperature) ? "" : " not lossless", afresh = asksAfresh(view.config.rules, rule, settings.verifier) ? " †" : "";
    say(root, x, bottom + 17 + 2 * LINE, number(verdict.expected_accepted) + caution, "cmp-strong");
    say(root, x, bottom + 17 + 3 * LINE, `${plural(verdict.accepted + 1, "token")}${joinWords(view, rule)}${apart.kept ? " ≠" : ""}`, "cmp-strong");
    say(root, x, bottom + 17 + 4 * LINE, (mean ? number(mean.expected + 1) : "–") + afresh + caution, "cmp-strong");
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
    const root = /** @type {SVGSVGElement} */ (svg("svg", null, host)), words = { title: `Block ${view.blockIndex + 1}: the same draft under several rules`, caption: `${factsOf(view.trace)}. ${caption}` };
    drawBlock(root, view);
    const made = ending === "svg" ? new Blob([standalone(root, words).text], { type: "image/svg+xml" }) : picture(root, words);
    host.remove();
    save(`specdemo-block-${view.blockIndex + 1}.${ending}`, await made);
  } finally {
    host.remove();
  }
}
