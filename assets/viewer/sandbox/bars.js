/**
 * One law of the draft beside one of the target: a bar for each symbol, its top to be dragged (or moved by the arrow keys), and
 * under the bars the texts as they were typed. Nothing is corrected unasked: a row that does not sum to 1 says so.
 */

import { full, number } from "../format.js";
import { FOREIGN, html, onWidth, pool, present, set, show, svg, text, tip } from "../svg.js";
import { say } from "../words/parts/sandbox.js";
import { movable, takeFocused } from "./dragging.js";
import { letters, SIDES } from "./laws.js";
import { isOne, sumOf, toNumber, valueOf, words } from "./typed.js";

const TOP = 9, HEIGHT = 124, BOTTOM = 3, REACH = 11; // px; REACH: how far from its top a bar can be taken
const SHOWN = 100; // characters of a text that a problem repeats

/** @param {Element} container @param {any} actions */
export function createBars(container, actions) {
  const root = html("div", { class: "sb-bars" }, container);
  const axis = html("div", { class: "sb-axis", "aria-hidden": "true" }, root);
  for (const tick of ["1", "0.5", "0"]) html("span", null, axis, tick);
  const plot = html("div", { class: "sb-plot" }, root);
  const chart = svg("svg", { class: "sb-chart", role: "group", "aria-label": say("sandbox.bars"), height: TOP + HEIGHT + BOTTOM }, plot);
  const lines = [0, 0.5, 1].map((share) => svg("line", { class: "sb-grid", x1: 0, y1: y(share), y2: y(share) }, chart));
  const names = html("div", { class: "sb-names", "aria-hidden": "true", ...FOREIGN }, root);
  const nameOf = pool(() => html("span", null, names));
  const bars = Object.fromEntries(SIDES.map((side) => [side, pool(() => createBar(chart, side, actions))]));
  const rows = Object.fromEntries(SIDES.map((side) => [side, createRow(root, side, actions)]));
  let width = 0, latest = null;
  onWidth(plot, (found) => {
    width = found;
    if (latest) draw(latest);
  });

  function draw(view) {
    const { symbols } = view.state, slot = width / symbols, thick = Math.min(slot * 0.36, 36);
    set(chart, { width });
    for (const line of lines) set(line, { x2: width });
    SIDES.forEach((side, n) => takeFocused(bars[side], symbols).forEach((bar, symbol) => bar.update(view, symbol, slot * (symbol + 0.5) + (n ? 1.5 : -thick - 1.5), thick)));
  }

  return {
    root,
    update(view) {
      latest = view;
      const { symbols } = view.state;
      set(root, { style: `--symbols: ${symbols}` });
      nameOf.take(symbols).forEach((node, i) => text(node, letters(symbols)[i]));
      if (width) draw(view);
      for (const side of SIDES) rows[side].update(view);
    },
  };
}

/** @param {number} share */
function y(share) {
  return TOP + HEIGHT * (1 - share);
}

/** A bar: its top is a slider. */
function createBar(chart, side, actions) {
  const root = svg("g", { class: `sb-bar ${side}`, role: "slider", tabindex: "0", "aria-valuemin": "0", "aria-valuemax": "1", "aria-orientation": "vertical" }, chart);
  const fill = svg("rect", { class: "sb-fill" }, root), top = svg("rect", { class: "sb-top", height: 3 }, root);
  const unread = svg("text", { class: "sb-unread", "text-anchor": "middle" }, root, "?");
  const hit = svg("rect", { class: "sb-hit" }, root);
  let at = { level: 0, row: 0, symbol: 0, share: 0 };
  movable(root, hit, {
    share: () => at.share,
    drag: (share, moving) => actions.drag(side, at.level, at.row, at.symbol, share, moving),
    rest: actions.rest,
    begin(event) {
      const box = chart.getBoundingClientRect(), scale = box.height / (TOP + HEIGHT + BOTTOM);
      const shareAt = (moved) => 1 - ((moved.clientY - box.top) / scale - TOP) / HEIGHT;
      const off = shareAt(event) - at.share; // the top stays where it was taken
      return (moved) => shareAt(moved) - off;
    },
  });

  return {
    root,
    update(view, symbol, x, thick) {
      const { level, row } = view.place, typed = view.state[side][level][row][symbol];
      const known = view.current ? view.picture.levels[side][level][row][symbol] : valueOf(typed);
      const share = Number.isNaN(known) ? 0 : known;
      at = { level, row, symbol, share };
      const letter = letters(view.state.symbols)[symbol];
      set(fill, { x, width: thick, y: y(share), height: HEIGHT * share });
      set(top, { x, width: thick, y: y(share) - 1.5 });
      set(hit, { x: x - 1, width: thick + 2, y: Math.max(y(share) - REACH, 0), height: HEIGHT * share + REACH + (share < 0.1 ? BOTTOM : 0) });
      show(unread, Number.isNaN(known));
      set(unread, { x: x + thick / 2, y: y(0) - 8 });
      set(root, {
        "aria-label": say("sandbox.bar", { side: say(`sandbox.side.${side}`), symbol: letter }), "aria-valuenow": share.toFixed(4), "aria-valuetext": Number.isNaN(known) ? say("sandbox.bar.unread") : `${number(share)}${typed.includes("/") ? ` = ${typed}` : ""}`,
        "data-side": side, "data-symbol": letter, "data-path": view.current ? `picture:/levels/${side}/${level}/${row}/${symbol}` : "derived:typed", "data-value": Number.isNaN(known) ? "" : share,
      });
      tip(root, say("sandbox.bar.title", { law: side === "draft" ? "D" : "T", symbol: letter, value: Number.isNaN(known) ? "?" : number(share) }));
    },
  };
}

/** The texts of one law, what is wrong with them, and what they sum to where that is not 1. */
function createRow(container, side, actions) {
  const label = html("span", { class: `sb-side ${side}` }, container, say(`sandbox.side.${side}`));
  const cells = html("div", { class: "sb-fields" }, container);
  const said = html("div", { class: "sb-said", role: "status" }, container);
  const problem = html("p", { class: "sb-problem", id: `sandbox-problem-${side}` }, said);
  const sum = html("p", { class: "sb-sum" }, said), sumWords = html("span", null, sum);
  const normalise = html("button", { type: "button", class: "sd-button small", "data-normalise": side, title: say("sandbox.normalise.title") }, sum, say("sandbox.normalise"));
  let at = { level: 0, row: 0 };
  normalise.addEventListener("click", () => actions.normalise(side, at.level, at.row));
  const fields = pool(() => {
    const input = /** @type {HTMLInputElement} */ (html("input", { type: "text", inputmode: "text", spellcheck: "false", autocomplete: "off", class: "sb-field" }, cells));
    input.addEventListener("input", () => actions.setProbability(side, at.level, at.row, Number(input.dataset.symbol), input.value));
    input.addEventListener("blur", () => queueMicrotask(actions.rest));
    return input;
  });
  set(label, { id: `sandbox-side-${side}` });

  return {
    update(view) {
      at = view.place;
      const texts = view.state[side][at.level][at.row], names = letters(view.state.symbols);
      const mine = view.problems.filter((one) => one.side === side && one.level === at.level && one.row === at.row);
      const lines = [];
      takeFocused(fields, texts.length).forEach((input, symbol) => {
        const found = mine.find((one) => one.symbol === symbol && one.text === texts[symbol].slice(0, SHOWN));
        const bad = found ? found.message : Number.isNaN(valueOf(texts[symbol])) && !view.pending.picture ? say("sandbox.entry.wanted") : null;
        if (bad) lines.push(say("sandbox.entry.problem", { symbol: names[symbol], problem: bad }));
        if (input.value !== texts[symbol]) input.value = texts[symbol];
        set(input, {
          "data-symbol": symbol, "data-side": side, "aria-label": say("sandbox.entry", { side: say(`sandbox.side.${side}`), symbol: names[symbol] }), "aria-invalid": bad ? "true" : null,
          "aria-describedby": bad ? problem.id : null, title: texts[symbol].length > 6 ? texts[symbol] : null,
        });
      });
      text(problem, lines.join(" · "));
      const total = sumOf(texts), off = total !== null && total.n !== total.d;
      text(sumWords, off ? sumLine(total) : "");
      show(normalise, off && !isOne(total) && total.n !== 0n);
      present(problem, lines.length > 0);
      present(sum, off);
      show(said, lines.length > 0 || off);
    },
  };
}

/** "sums to 5/6 = 0.833, not 1" @param {import("./typed.js").Fraction} total */
function sumLine(total) {
  const exact = words(total), decimal = number(toNumber(total));
  const says = exact.length <= 15 && exact !== decimal ? `${exact} = ${decimal}` : decimal === "1" || decimal === "1.00" ? full(toNumber(total)) : decimal;
  return isOne(total) ? say("sandbox.sum.nearly") : say("sandbox.sum.off", { sum: says });
}
