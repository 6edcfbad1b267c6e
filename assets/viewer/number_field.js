/**
 * A field for one number. While what stands in it makes no sense the value from before the typing is in force again, and that is said:
 * never a beginning of what is typed, which may make sense by chance ("17" begins with 1). It is a field for text, because the browser's own
 * field for numbers has the decimal mark of the browser's language and leaves the other one out without a word: 0,5 became 5.
 */

import { set, text } from "./svg.js";
import { numberOf, pointed } from "./typed_numbers.js";
import { say } from "./words/parts/viewer.js";

/**
 * @param {HTMLInputElement} input @param {Element} problem says what is wrong; has an id
 * @param {{label: string, low: number, high: number, whole?: boolean, step?: number, wanted: (raw: string) => string|null, onValue: (value: any) => void}} options
 *   `wanted`: what would be right, null where a text with a decimal point is; `onValue`: a number typed, or the value from before the typing; `step`: that of the arrow keys
 */
export function createNumberField(input, problem, { label, low, high, whole = false, step = whole ? 1 : 0.1, wanted, onValue }) {
  /** What a mistake goes back to, as it is shown, and the last value that came from here or was given. @type {{value: any, shown: string}} */
  let settled = { value: undefined, shown: "" };
  let last = /** @type {any} */ (undefined);
  set(input, {
    type: "text", inputmode: whole ? "numeric" : "decimal", autocomplete: "off", spellcheck: "false", role: "spinbutton",
    "aria-valuemin": String(low), "aria-valuemax": Number.isFinite(high) ? String(high) : null,
  });

  /** What stands in the field as a number, null where none does. */
  const inside = () => {
    const raw = pointed(input.value, whole);
    return raw !== null && raw !== "" && !wanted(raw) ? numberOf(raw) : null;
  };
  const tell = () => set(input, { "aria-valuenow": inside() === null ? null : String(inside()) });

  function judge() {
    const raw = pointed(input.value, whole), wrong = raw === null ? "" : wanted(raw), typed = input.value.trim(), value = settled.shown;
    text(problem, raw === null ? say("viewer.two_ways", { label, typed, value }) : wrong ? say("viewer.problem", { label, wanted: wrong, value }) : "");
    const bad = wrong !== null;
    set(input, { "aria-invalid": bad ? "true" : null, "aria-describedby": bad ? problem.id : null });
    tell();
    return !bad;
  }
  input.addEventListener("input", () => {
    const next = judge() ? inside() : settled.value;
    if (next !== last) onValue((last = next));
  });
  input.addEventListener("keydown", (event) => {
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey || event.isComposing || input.readOnly) return;
    event.preventDefault();
    const from = inside() ?? Number(settled.shown), next = String(Number(Math.min(Math.max(from + way * step, low), high).toPrecision(15)));
    if (Number(next) === from || wanted(next)) return;
    input.value = next;
    for (const name of ["input", "change"]) input.dispatchEvent(new Event(name, { bubbles: true }));
  });
  const settle = () => {
    if (!input.hasAttribute("aria-invalid") && typeof last === "number") settled = { value: last, shown: String(last) };
  };
  for (const event of ["change", "blur"]) input.addEventListener(event, settle);

  return {
    /** @param {any} value the one in force @param {string} [shown] the same as the field has it */
    update(value, shown = String(value)) {
      const invalid = input.hasAttribute("aria-invalid");
      if (value !== last) {
        last = value;
        settled = { value, shown };
      } else if (value === settled.value) settled.shown = shown;
      if (invalid) judge();
      const now = pointed(input.value, whole);
      if (!invalid && (!now || Number(now) !== Number(shown))) input.value = shown;
      tell();
    },
    /** The value in force again, without a mistake. */
    reset() {
      if (input.hasAttribute("aria-invalid")) input.value = settled.shown;
      set(input, { "aria-invalid": null, "aria-describedby": null });
      text(problem, "");
      tell();
    },
  };
}
