/**
 * The cells of the block's table: a drafted token with what all columns share, and for each rule a gauge 0–½–1 with the zone
 * [0, h), the dot that is compared with h, and what became of the token in a sign and a word.
 */

import { full, pieceText, shorten, sub } from "../format.js";
import { ruleWords } from "../rule_gallery.js";
import { html, present, set, svg, text, tip, value } from "../svg.js";
import { say as sayColumn } from "../words/parts/column.js";
import { say } from "../words/parts/compare.js";
import { say as sayViewer } from "../words/parts/viewer.js";
import { around } from "../words/pieces.js";
import { comparedAt, fateWord, SIGNS } from "./fates.js";
import { sureWords } from "./rule_words.js";

const GAUGE = { left: 6, width: 112, top: 6, height: 9, notch: 0.02 };
const at = (p) => GAUGE.left + Math.min(Math.max(p, 0), 1) * GAUGE.width;

/** A token as a chip. @param {Element} node a span @param {number} id @param {any} piece @param {string} kind */
export function paintChip(node, id, piece, kind, note = "") {
  const word = pieceText(piece);
  text(node, shorten(word, 14));
  return set(node, { class: `sd-chip ${kind}`, "data-token-id": id, title: sayViewer(note ? "viewer.chip.title_note" : "viewer.chip.title", { word, id, note }) });
}

/** The sign of a difference, beside what differs. @param {Element} parent */
export function createMark(parent) {
  const node = html("span", { class: "cmp-mark", role: "img" }, parent, "≠");
  return (cell, differs, follow) => {
    set(cell, { "data-differs": differs });
    set(node, { "aria-label": differs ? say("compare.differs", { rule: ruleWords(follow) }) : null, title: differs ? say("compare.differs.title", { rule: ruleWords(follow) }) : null });
    present(node, differs);
  };
}

/** The row's head: token, D, T, r and η, which all columns share. @param {Element} row */
export function createShared(row) {
  const root = html("th", { scope: "row", class: "cmp-shared" }, row);
  const box = html("div", null, root);
  const place = html("span", { class: "cmp-index" }, box);
  const chip = html("span", { class: "sd-chip draft" }, html("span", { class: "cmp-token" }, box));
  const list = html("span", { class: "cmp-numbers" }, box);
  const cells = {};
  for (const name of ["D", "T", "r", "η"]) {
    const pair = html("span", { class: `sd-n-${name}` }, list);
    html("i", null, pair, name);
    cells[name] = html("span", null, pair);
  }
  return (view, index) => {
    const data = view.block.paths[0].rows[index], base = `/blocks/${view.blockIndex}`;
    text(place, index + 1);
    set(root, { "aria-current": view.position === index ? "true" : null });
    paintChip(chip, data.token, view.pieces(data.token), "draft", sayColumn("column.kind.draft"));
    value(cells.D, data.draft, `${base}/paths/0/rows/${index}/draft`, { name: "D" });
    value(cells.T, data.target, `${base}/paths/0/rows/${index}/target`, { name: "T" });
    value(cells.r, data.ratio, `${base}/paths/0/rows/${index}/ratio`, { name: "r = T/D" });
    value(cells.η, view.block.uniforms.verify[index], `${base}/uniforms/verify/${index}`, { name: `η${sub(index + 1)}` });
  };
}

/** The zone [0, h), a notch where it is too small to see, and the dot. @param {Element} parent */
export function createGauge(parent) {
  const root = svg("svg", { class: "cmp-gauge", width: GAUGE.width + 2 * GAUGE.left, height: 20, "aria-hidden": "true" }, parent);
  const { left, width, top, height } = GAUGE;
  svg("rect", { class: "sd-gauge-frame", x: left, y: top, width, height, rx: 2 }, root);
  const zone = svg("rect", { x: left, y: top, height }, root);
  svg("line", { class: "sd-half", x1: at(0.5), x2: at(0.5), y1: top + height - 3, y2: top + height + 2 }, root);
  const edge = svg("line", { class: "sd-edge", y1: top - 2, y2: top + height + 2 }, root);
  const dot = svg("circle", { cy: top + height / 2, r: 4.5 }, root);
  const diamond = svg("path", {}, root);
  const middle = top + height / 2;
  return {
    root,
    /** @param {{h: number, number: number, path: string, name: string, own: boolean, coin: string}} what `own`: the rule's own number, not η */
    update({ h, number, path, name, own, coin }) {
      const small = h < GAUGE.notch, end = h > 0 ? Math.max(at(h), at(0) + (small ? 3 : 0)) : at(0);
      set(zone, { width: end - at(0), class: `sd-zone${small ? " notch" : ""}` });
      set(edge, { x1: end, x2: end });
      const kind = `sd-dot ${coin === "passed" ? "in" : coin === "failed" ? "out" : "idle"}`, x = at(number);
      set(own ? diamond : dot, { class: kind, "data-path": path, "data-value": number });
      if (own) set(diamond, { d: `M${x.toFixed(2)} ${middle - 6}l5 6-5 6-5-6z` });
      else set(dot, { cx: x });
      tip(own ? diamond : dot, `${name} = ${full(number)}`);
      present(dot, !own);
      present(diamond, own);
    },
  };
}

/** One rule at one position. @param {Element} row */
export function createCell(row) {
  const root = html("td", { class: "cmp-cell" }, row);
  const box = html("div", null, root);
  const left = html("span", { class: "cmp-left" }, box);
  const gauge = createGauge(left);
  const compared = html("span", { class: "cmp-compared" }, left);
  const sure = html("span", { class: "cmp-sure" }, left);
  const words = html("span", { class: "cmp-words" }, box);
  const threshold = html("span", { class: "cmp-h" }, words);
  const fate = html("span", { class: "cmp-fate" }, words), sign = html("b", { "aria-hidden": "true" }, fate), word = html("span", null, fate);
  const mark = createMark(root);
  const waiting = html("span", { class: "sd-soft" }, root, say("compare.waiting"));
  return {
    root,
    /** @param {any} view @param {string} rule @param {number} index @param {any[]|null} list fates of the rule @param {any[]|null} followed those of the followed one */
    update(view, rule, index, list, followed) {
      const { block } = view, verdict = block.verdicts[rule], base = `/blocks/${view.blockIndex}`, i = index + 1;
      present(box, Boolean(list));
      present(waiting, !list);
      if (!list) {
        set(root, { class: "cmp-cell", "data-cut": null, "data-fate": null, "data-coin": null });
        return mark(root, false, view.follow);
      }
      const mine = list[index], h = verdict.accept_prob ? verdict.accept_prob[index] : null, said = sureWords(rule, h);
      present(gauge.root, said === null);
      present(sure, said !== null);
      text(sure, said || "");
      const own = Boolean(verdict.compared), path = own ? `${base}/verdicts/${rule}/compared/${index}` : `${base}/uniforms/verify/${index}`;
      const number = comparedAt(block, verdict, i), name = own ? say("compare.own_number") : `η${sub(i)}`;
      if (said === null) gauge.update({ h, number, path, name, own, coin: mine.coin });
      present(threshold, h !== null);
      if (h !== null) value(threshold, h, `${base}/verdicts/${rule}/accept_prob/${index}`, { before: "h ", name: say("compare.threshold", { position: sub(i), rule: ruleWords(rule) }) });
      present(compared, own && said === null);
      const [before, after] = around("compare.compares", {}, ["number"]);
      if (own) value(compared, number, path, { before, after, name });
      text(sign, SIGNS[mine.fate]);
      text(word, fateWord(mine.fate));
      const cut = verdict.accepted === i ? "below" : verdict.accepted === 0 && i === 1 ? "above" : null;
      set(root, { class: `cmp-cell${rule === view.follow ? " followed" : ""}`, "data-fate": mine.fate, "data-coin": mine.coin, "data-cut": cut });
      mark(root, Boolean(followed && rule !== view.follow && followed[index].kept !== mine.kept), view.follow);
    },
  };
}
