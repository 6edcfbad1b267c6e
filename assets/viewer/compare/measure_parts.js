/** What the race and the law have in common on the page: numbers in running text, intervals, fields, and the bar that starts and stops. */

import { number, numeric } from "../format.js";
import { createNumberField } from "../number_field.js";
import { html, pool, set, show, svg, text, value } from "../svg.js";
import { say } from "../words/parts/measure.js";
import { say as sayViewer } from "../words/parts/viewer.js";

/** A number with its sign: "+0.310", "−0.0200", "0". */
export const signed = (x) => (numeric(x) > 0 ? "+" : "") + number(x);

/** A difference of probabilities: what rounds to nothing at six places is "0", also where it is not exactly that. */
export const NOTHING = 5e-7;
export const difference = (x) => (Math.abs(numeric(x)) < NOTHING ? "0" : (x > 0 ? "+" : "−") + (Math.abs(x) < 1e-6 ? "0.000001" : number(Math.abs(x))));

/**
 * Running text with numbers in it, in an HTML element or an SVG text. Returns a function of the parts: strings, or
 * {value, path, format?, name?}.
 */
export function phrase(parent) {
  const inside = parent instanceof SVGElement;
  const spans = pool(() => /** @type {any} */ (inside ? svg("tspan", null, parent) : html("span", null, parent)));
  return (parts) => spans.take(parts.length).forEach((span, n) => {
    const part = parts[n], plain = typeof part === "string";
    if (plain === span.hasAttribute("data-path")) span.textContent = "";
    if (!plain) value(span, part.value, part.path, { format: part.format, name: part.name });
    else {
      set(span, { "data-path": null, "data-value": null, title: null });
      text(span, part);
    }
  });
}

/** The words of a phrase alone, for labels that are read aloud. */
export const spoken = (parts) => parts.map((part) => (typeof part === "string" ? part : (part.format || number)(part.value))).join("");

/**
 * An estimate as parts of a phrase: "3.41 [3.29, 3.53]", or "3.41" where one group leaves no interval, "–" where there is none.
 * @param {any} estimate {mean, low, high} or null @param {string} path @param {(x: any) => string} [format]
 */
export function estimateParts(estimate, path, format = number) {
  if (!estimate) return ["–"];
  const mean = { value: estimate.mean, path: `${path}/mean`, format };
  if (!hasInterval(estimate)) return [mean];
  return [mean, " [", { value: estimate.low, path: `${path}/low`, format }, ", ", { value: estimate.high, path: `${path}/high`, format }, "]"];
}

const FEW = 6; // as in specdemo/lab/statistics.py

/** Whether intervals from so many groups deserve a word: with two groups there are intervals, from six on they cover well enough. @param {number} groups */
export const fewGroups = (groups) => groups > 1 && groups < FEW;

export const hasInterval = (estimate) => Boolean(estimate && typeof estimate.low === "number" && typeof estimate.high === "number");

/**
 * A whole number with its bounds: what does not make sense is said beside the field, and the value from before stays.
 * @param {Element} parent @param {{id: string, label: string, title: string, low?: number, high: number}} options @param {(x: number) => void} onValue
 */
export function createCount(parent, { id, label, title, low = 1, high }, onValue) {
  const wrap = html("label", { class: "sd-field", title }, parent);
  html("span", null, wrap, label);
  const input = /** @type {HTMLInputElement} */ (html("input", { id }, wrap));
  const problem = html("span", { class: "sd-problem", id: `${id}-problem`, role: "alert" }, wrap);
  const wanted = (raw) => (!/^\d+$/.test(raw.trim()) || Number(raw) < low || Number(raw) > high ? say("measure.whole_number", { low, high }) : null);
  return createNumberField(input, problem, { label, low, high, whole: true, wanted, onValue });
}

/**
 * Start, Cancel, and one line that says how far it is. The clock for "about 12 s left" runs from the first view with a fraction.
 * @param {Element} parent @param {{id: "race"|"law", words: string, again: string, start(): void, cancel(): void}} options
 */
export function createRunBar(parent, { id, words, again, start, cancel }) {
  const begin = /** @type {HTMLButtonElement} */ (html("button", { type: "button", id: `${id}-start`, class: "sd-button primary" }, parent, words));
  const stop = html("button", { type: "button", id: `${id}-cancel`, class: "sd-button" }, parent, sayViewer("viewer.cancel"));
  const line = html("p", { class: "measure-status", id: `${id}-status`, role: "status" }, parent);
  const bar = html("progress", { max: 1, "aria-label": say(`measure.progress.${id}`) }, line);
  const says = html("span", null, line);
  begin.addEventListener("click", start);
  stop.addEventListener("click", cancel);
  let began = null;
  return {
    /** @param {{status: string, words: string, fraction: number|null, counting: boolean, again: boolean, impossible: string|null}} state */
    update(state) {
      const running = state.status === "running";
      if (!running) began = null;
      else if (began === null && state.counting) began = performance.now();
      const elapsed = began === null ? 0 : (performance.now() - began) / 1000;
      const left = running && state.counting && state.fraction > 0 && elapsed > 0.5 ? (elapsed * (1 - state.fraction)) / state.fraction : null;
      text(says, state.impossible && !running ? state.impossible : left === null ? state.words
        : left < 90 ? say("measure.left_seconds", { words: state.words, count: Math.max(1, Math.round(left)) }) : say("measure.left_minutes", { words: state.words, count: Math.round(left / 60) }));
      show(bar, running);
      set(bar, { value: running && state.fraction !== null ? state.fraction : null });
      text(begin, state.again && !running ? again : words);
      begin.disabled = running || Boolean(state.impossible);
      show(stop, running);
      set(line, { "data-status": state.impossible && !running ? "impossible" : state.status });
    },
  };
}
