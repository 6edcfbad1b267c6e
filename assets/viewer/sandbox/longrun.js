/** The long run: what each target call gains, block after block, under both rules, and what it comes to in the end. */

import { phrase } from "../compare/measure_parts.js";
import { exportButtons } from "../compare/pictures_export.js";
import { ticks, tickText } from "../compare/scale.js";
import { number } from "../format.js";
import { ruleWords } from "../rule_gallery.js";
import { createScroller } from "../scroller.js";
import { html, onWidth, pool, present, set, svg, text, tip, value } from "../svg.js";
import { say } from "../words/parts/sandbox_longrun.js";
import { rulesOf } from "./blocks.js";
import { blocksOf, gained, longRunWords, sourceWords, Z } from "./longrun_words.js";
import { pictureFrame } from "./picture_frame.js";
import { csvButton, longRunRows } from "./sandbox_tables.js";
import { lawsWords } from "./sandbox_words.js";
import { allowSaves, captioned, unsaved } from "./saving.js";

const HEIGHT = 190, TOP = 58, LEFT = 44, BOTTOM = 36, RIGHT = 62;

/** @param {Element} container @param {any} actions */
export function createLongRun(container, actions) {
  const { tools, caption, body, instead, root } = pictureFrame(container, {
    name: "longrun",
    title: say("longrun.title"),
    about: say("longrun.about"),
  });
  const ask = html("p", { class: "sbx-ask" }, root);
  const question = html("span", null, ask), button = /** @type {HTMLButtonElement} */ (html("button", { type: "button", class: "sd-button small", id: "sandbox-longrun" }, ask));
  const chart = /** @type {SVGSVGElement} */ (svg("svg", { class: "pic-chart sbx-longrun", role: "img" }, createScroller(body)));
  const grid = pool(() => svg("line", { class: "sbx-grid" }, chart)), labels = pool(() => svg("text", { class: "pic-text-soft", "text-anchor": "end" }, chart));
  const steps = pool(() => svg("text", { class: "pic-text-soft", "text-anchor": "middle" }, chart)), axis = svg("text", { class: "pic-column-words" }, chart), below = svg("text", { class: "pic-column-words", "text-anchor": "middle" }, chart);
  const series = pool(() => createSeries(chart));
  const words = html("div", { class: "measure-findings" }, body), sentences = pool(() => {
    const line = html("p", null, words);
    return { root: line, tell: phrase(line) };
  });
  const source = phrase(html("p", { class: "pic-note" }, body));
  const simulate = html("button", { type: "button", class: "pic-toggle", "aria-pressed": "false", title: say("longrun.simulated.title") }, tools, say("longrun.simulated"));
  const saves = [simulate, csvButton(tools, "long-run", () => longRunRows(last.longrun)), exportButtons(tools, chart, "long-run", () => ({ caption: `${caption.textContent} ${lawsWords(last.picture)}` }))];
  let last = null, width = 0, bars = false, press = () => {};
  button.addEventListener("click", () => press());
  simulate.addEventListener("click", () => {
    bars = !bars;
    set(simulate, { "aria-pressed": String(bars) });
    draw();
  });
  onWidth(root, (w) => {
    width = w;
    draw();
  });

  function draw() {
    if (!last || !width) return;
    const { longrun } = last, rules = known(last), n = blocksOf(longrun, rules);
    const all = rules.flatMap((rule) => {
      const { expected, long_run, simulated } = longrun.rules[rule];
      return [long_run, ...expected.slice(0, n), ...(bars ? simulated.mean.slice(0, n).flatMap((mean, k) => [mean - Z * simulated.standard_error[k], mean + Z * simulated.standard_error[k]]) : [])];
    });
    const [least, most] = [Math.min(...all), Math.max(...all)], pad = Math.max((most - least) * 0.15, 0.05), low = Math.max(0, least - pad), high = most + pad;
    const x = (k) => LEFT + (n < 2 ? 0 : (k / (n - 1)) * (width - LEFT - RIGHT)), y = (gain) => TOP + (1 - (gain - low) / (high - low)) * HEIGHT;
    const marks = ticks(low, high, 5);
    grid.take(marks.length).forEach((line, k) => set(line, { x1: LEFT, x2: width - RIGHT, y1: y(marks[k]), y2: y(marks[k]) }));
    labels.take(marks.length).forEach((label, k) => text(set(label, { x: LEFT - 6, y: y(marks[k]) + 4 }), tickText(marks[k])));
    const every = Math.max(1, Math.ceil((n * 18) / (width - LEFT - RIGHT))), shown = Array.from({ length: n }, (_, k) => k).filter((k) => k % every === 0);
    steps.take(shown.length).forEach((label, k) => text(set(label, { x: x(shown[k]), y: TOP + HEIGHT + 15 }), String(shown[k] + 1)));
    text(set(axis, { x: 0, y: TOP - 12 }), say("longrun.axis"));
    text(set(below, { x: (LEFT + width - RIGHT) / 2, y: TOP + HEIGHT + 31 }), say("longrun.below"));
    const ends = rules.map((rule) => y(longrun.rules[rule].long_run));
    if (rules.length === 2 && Math.abs(ends[0] - ends[1]) < 14) {
      const centre = (ends[0] + ends[1]) / 2, upper = ends[0] <= ends[1] ? 0 : 1;
      ends[upper] = centre - 7;
      ends[1 - upper] = centre + 7;
    }
    series.take(rules.length).forEach((one, k) => one.draw(longrun, rules[k], k, n, { bars, x, y, from: LEFT, to: width - RIGHT, label: ends[k] }));
    const height = TOP + HEIGHT + BOTTOM;
    set(chart, { width, height, viewBox: `0 0 ${width} ${height}`, "aria-label": labelOf(longrun, rules, n) });
    const found = longRunWords(longrun, /** @type {[string, string]} */ (rules.length === 2 ? rules : [rules[0], rules[0]]), last.picture);
    sentences.take(found.length).forEach((line, k) => line.tell(found[k]));
    source(sourceWords(longrun, rules));
  }

  const offer = (words_, label, work) => {
    text(question, words_);
    present(ask, words_ !== "");
    present(button, label !== "");
    text(button, label);
    press = work;
  };

  return {
    update(view) {
      last = null;
      saves.forEach((node) => present(node, false));
      offer("", "", () => {});
      if (!view.picture) return instead(say("longrun.waits"));
      if (view.picture.context !== "free") {
        instead(" ");
        const can = typeof actions.setContext === "function";
        return offer(say(can ? "longrun.depends" : "longrun.depends_saved"), can ? say("longrun.one_law") : "", () => actions.setContext("free"));
      }
      const usable = view.longrun && known(view).length > 0;
      if (!usable) {
        instead(" ");
        if (!actions.askLongRun) return offer(say("longrun.not_saved"), "", () => {});
        return view.pending.longrun ? offer(say("longrun.computing"), "", () => {}) : offer(say("longrun.question"), say("longrun.compute"), () => actions.askLongRun());
      }
      instead(null);
      last = view;
      saves.forEach((node) => present(node, true));
      allowSaves(tools, view.pending.longrun ? say("longrun.unsaved") : unsaved(view));
      set(root, { "data-pending": view.pending.longrun || view.old });
      text(caption, captioned(view, say(view.pending.longrun ? "longrun.pending" : "longrun.caption")));
      draw();
    },
  };
}

/** The shown rules that the record has. */
const known = (view) => [...new Set(rulesOf(view))].filter((rule) => view.longrun.rules[rule]);

/** The chart in words. @param {any} longrun @param {string[]} rules one or two @param {number} count of target calls */
function labelOf(longrun, rules, count) {
  const [first, second] = rules.map((rule) => say("longrun.label_rule", { rule: ruleWords(rule), first: number(longrun.rules[rule].expected[0]), later: number(longrun.rules[rule].long_run) }));
  return second ? say("longrun.label", { count, first, second }) : say("longrun.label_one", { count, first });
}

/** A rule's marks and lines: the left one filled circles, the right one hollow diamonds. */
function createSeries(parent) {
  const root = svg("g", null, parent);
  const line = svg("path", { class: "sbx-series" }, root), level = svg("line", { class: "sbx-level", "data-kind": "long_run" }, root);
  const errors = pool(() => svg("path", { class: "sbx-simulated", "data-kind": "simulated" }, root));
  const points = pool(() => svg("path", { class: "sbx-point", "data-kind": "expected" }, root));
  const name = svg("text", { class: "race-name", x: 0 }, root), figure = svg("text", { class: "pic-figure" }, root);
  return {
    root,
    draw(longrun, rule, side, n, { bars, x, y, from, to, label }) {
      const { expected, long_run, simulated } = longrun.rules[rule];
      set(root, { "data-rule": rule, class: side ? "is-right" : "is-left" });
      set(line, { d: expected.slice(0, n).map((gain, k) => `${k ? "L" : "M"}${x(k).toFixed(2)} ${y(gain).toFixed(2)}`).join("") });
      set(level, { x1: from, x2: to + 6, y1: y(long_run), y2: y(long_run), "data-value": long_run, "data-path": `longrun:/rules/${rule}/long_run` });
      // Simulated means stand beside the marks, left ones to the left, so that bars of two rules do not cover each other.
      errors.take(bars ? n : 0).forEach((bar, k) => {
        const at = (x(k) + (side ? 7 : -7)).toFixed(2), mean = simulated.mean[k], reach = Z * simulated.standard_error[k], path = `longrun:/rules/${rule}/simulated/mean/${k}`;
        set(bar, { d: `M${at} ${y(mean - reach).toFixed(2)}V${y(mean + reach).toFixed(2)}m-3 0h6M${at} ${y(mean).toFixed(2)}m-3 0h6M${at} ${y(mean - reach).toFixed(2)}m-3 0h6`, "data-value": mean, "data-path": path });
        tip(bar, say("longrun.point_simulated", { rule: ruleWords(rule), number: k + 1, gain: number(mean), low: number(mean - reach), high: number(mean + reach) }));
      });
      points.take(n).forEach((point, k) => {
        const [px, py] = [x(k).toFixed(2), y(expected[k]).toFixed(2)];
        set(point, { d: side ? `M${px} ${py}m0 -5l5 5l-5 5l-5 -5z` : `M${px} ${py}m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0`, "data-value": expected[k], "data-path": `longrun:/rules/${rule}/expected/${k}` });
        tip(point, say("longrun.point", { rule: ruleWords(rule), number: k + 1, gain: number(expected[k]) }));
      });
      text(set(name, { y: 11 + 15 * side }), `${side ? "◇" : "●"} ${ruleWords(rule)}`);
      const { value: end, path, name: called } = gained(longrun, rule, "long_run");
      value(set(figure, { x: to + 10, y: label + 4 }), end, path, { name: called, before: `${side ? "◇" : "●"} ` });
    },
  };
}
