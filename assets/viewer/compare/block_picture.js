/** The block's table as one SVG drawing, made when it is saved: an HTML table cannot be an image file. */

import { runningMean } from "../derive.js";
import { number, pieceText, plural, shorten, sub } from "../format.js";
import { cells } from "../marks.js";
import { html, svg } from "../svg.js";
import { createGauge } from "./cells.js";
import { comparedAt, FATES, fates, parting } from "./fates.js";
import { createLengthBars } from "./lengths.js";
import { picture, standalone } from "./pictures_export.js";
import { headWords, losslessAt, ruleOf, ruleWords, sureWords } from "./rule_words.js";
import { save } from "./save.js";

const SHARED = 292, COLUMN = 262, HEAD = 42, ROW = 38, LINE = 24;

const say = (root, x, y, words, kind = "") => svg("text", { x, y, class: kind }, root, words);

/** A token as a chip. Returns its width. */
function chip(root, x, y, piece, kind) {
  const word = shorten(pieceText(piece), 12), width = cells(word) * 8 + 12;
  svg("rect", { x, y: y - 15, width, height: 20, rx: 4, class: `cmp-chip-${kind}` }, root);
  say(root, x + 6, y, word, "cmp-mono");
  return width;
}

function drawHead(root, view, rule, x) {
  const record = ruleOf(view.config.rules, rule), { temperature } = view.trace.settings;
  const kind = headWords(record, temperature).kind;
  const words = kind === "lossless" ? "lossless" : kind === "cold" || record.lossless === "temperature_0" ? "lossless at temperature 0 only" : "NOT lossless";
  say(root, x, 14, ruleWords(rule), "cmp-strong");
  say(root, x, 31, words + (rule === view.follow ? " · the text follows this rule" : ""), losslessAt(record, temperature) ? "cmp-good" : "cmp-bad");
}

function drawShared(root, view, index, y) {
  const { block } = view, data = block.paths[0].rows[index];
  say(root, 0, y + 19, String(index + 1), "cmp-soft");
  chip(root, 16, y + 20, view.pieces(data.token), "draft");
  const numbers = [[`D ${number(data.draft)}`, `T ${number(data.target)}`], [`r ${number(data.ratio)}`, `η${sub(index + 1)} ${number(block.uniforms.verify[index])}`]];
  numbers.forEach((pair, line) => pair.forEach((words, n) => say(root, 122 + n * 84, y + 15 + line * 15, words, "cmp-tiny")));
}

function drawCell(root, view, rule, index, x, y) {
  const { block } = view, verdict = block.verdicts[rule], { fate, coin } = fates(block, verdict)[index];
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
}

/** @param {SVGSVGElement} root emptied and filled @param {any} view */
export function drawBlock(root, view) {
  const { block, blockIndex, follow } = view, own = block.verdicts[follow], rules = view.rules.filter((rule) => block.verdicts[rule]);
  const bottom = HEAD + block.gamma * ROW, width = SHARED + rules.length * COLUMN, rest = bottom + 4 * LINE;
  const rule_ = (y, x1 = 0, x2 = width, kind = "cmp-line") => svg("line", { x1, x2, y1: y, y2: y, class: kind }, root);
  block.paths[0].tokens.forEach((_, index) => {
    drawShared(root, view, index, HEAD + index * ROW);
    rule_(HEAD + (index + 1) * ROW);
  });
  ["kept, τ", "then, Y", "E[τ│block]", `mean of E[τ│block] + 1, ${plural(blockIndex + 1, "block")}`].forEach((words, n) => say(root, 0, bottom + 17 + n * LINE, words, "cmp-soft"));
  say(root, 0, rest + 17, "P(τ = i│block)", "cmp-soft");
  const laws = [];
  rules.forEach((rule, n) => {
    const x = SHARED + n * COLUMN, verdict = block.verdicts[rule], apart = own ? parting(verdict, own) : { kept: false, next: false };
    drawHead(root, view, rule, x);
    for (let index = 0; index < block.gamma; index++) drawCell(root, view, rule, index, x, HEAD + index * ROW);
    say(root, x, bottom + 17, `${verdict.accepted} of ${block.gamma}${apart.kept ? " ≠" : ""}`, "cmp-strong");
    const wide = chip(root, x, bottom + 17 + LINE, view.pieces(verdict.next_token), verdict.next_kind);
    say(root, x + wide + 6, bottom + 17 + LINE, `${verdict.next_kind}, P ${number(verdict.next_prob)}${apart.next ? " ≠" : ""}`);
    const mean = runningMean(view.trace, rule, blockIndex);
    say(root, x, bottom + 17 + 2 * LINE, number(verdict.expected_accepted), "cmp-strong");
    say(root, x, bottom + 17 + 3 * LINE, mean ? number(mean.expected + 1) : "–", "cmp-strong");
    rule_(HEAD + verdict.accepted * ROW, x - 4, x + COLUMN - 12, "cmp-cutline");
    const law = createLengthBars(root);
    law.update(view, rule);
    law.root.setAttribute("x", String(x));
    laws.push(law.root);
  });
  const tall = (law) => Number(law.getAttribute("height")), height = rest + 8 + Math.max(LINE, ...laws.map(tall));
  for (const law of laws) law.setAttribute("y", String(height - 4 - tall(law)));
  rule_(HEAD, 0, width, "cmp-line");
  for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) root.setAttribute(name, String(value));
}

/** Saves the block shown. @param {Element} container in the page, for its colours @param {any} view @param {"svg"|"png"} ending @param {string} caption */
export async function saveBlock(container, view, ending, caption) {
  const host = html("div", { class: "cmp-picture", "aria-hidden": "true" }, container);
  try {
    const root = /** @type {SVGSVGElement} */ (svg("svg", null, host)), words = { title: `Block ${view.blockIndex + 1}: the same draft under several rules`, caption };
    drawBlock(root, view);
    const made = ending === "svg" ? new Blob([standalone(root, words).text], { type: "image/svg+xml" }) : picture(root, words);
    host.remove();
    save(`specdemo-block-${view.blockIndex + 1}.${ending}`, await made);
  } finally {
    host.remove();
  }
}
