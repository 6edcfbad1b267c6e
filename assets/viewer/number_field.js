/**
 * A field for one number. While what stands in it makes no sense the value from before the typing is in force again, and that is said:
 * never a beginning of what is typed, which may make sense by chance ("17" begins with 1).
 */

import { set, text } from "./svg.js";
import { say } from "./words/parts/viewer.js";

/**
 * @param {HTMLInputElement} input @param {Element} problem says what is wrong; has an id
 * @param {{label: string, wanted: (raw: string) => string|null, onValue: (value: any) => void}} options `wanted`: what would be right, null
 *   where a text is; `onValue`: a number typed, or the value from before the typing
 */
export function createNumberField(input, problem, { label, wanted, onValue }) {
  /** What a mistake goes back to, as it is shown, and the last value that came from here or was given. @type {{value: any, shown: string}} */
  let settled = { value: undefined, shown: "" };
  let last = /** @type {any} */ (undefined);

  function judge() {
    const wrong = wanted(input.validity && input.validity.badInput ? "x" : input.value);
    text(problem, wrong ? say("viewer.problem", { label, wanted: wrong, value: settled.shown }) : "");
    set(input, { "aria-invalid": wrong ? "true" : null, "aria-describedby": wrong ? problem.id : null });
    return !wrong;
  }
  input.addEventListener("input", () => {
    const next = judge() ? Number(input.value) : settled.value;
    if (next !== last) onValue((last = next));
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
      if (!invalid && (input.value === "" || Number(input.value) !== Number(shown))) input.value = shown;
    },
    /** The value in force again, without a mistake. */
    reset() {
      if (input.hasAttribute("aria-invalid")) input.value = settled.shown;
      set(input, { "aria-invalid": null, "aria-describedby": null });
      text(problem, "");
    },
  };
}
