/** The cost ratios of predicted time: c for a draft step, v for a target call on γ + 1 tokens, both in plain target steps. */

import { numberOf } from "../typed_numbers.js";
import { milliseconds, number } from "../format.js";
import { createNumberField } from "../number_field.js";
import { html, set, show } from "../svg.js";
import { say as sayMeasure } from "../words/parts/measure.js";
import { say } from "../words/parts/racing.js";
import { pieces } from "../words/pieces.js";
import { phrase } from "./measure_parts.js";
import { COST_BOUNDS, costsOf } from "./race_model.js";

const FIELDS = [
  { name: "c", words: "racing.cost.c", title: "racing.cost.c.title", top: 2 },
  { name: "v", words: "racing.cost.v", title: "racing.cost.v.title", top: 5 },
];

/** @param {Element} container @param {any} actions */
export function createPredict(container, actions) {
  const root = html("div", { class: "measure-costs", role: "group", "aria-label": say("racing.costs") }, container);
  const fields = FIELDS.map(({ name, words, title, top }) => {
    const [low, high] = COST_BOUNDS[name];
    const wrap = html("div", { class: "measure-cost", title: say(title) }, root);
    const id = `race-${name}`;
    html("label", { for: id }, wrap, `${say(words)} =`);
    const exact = /** @type {HTMLInputElement} */ (html("input", { id }, wrap));
    const slider = /** @type {HTMLInputElement} */ (html("input", { id: `${id}-slider`, type: "range", min: low, max: top, step: 0.01, "aria-label": say("racing.cost.slider", { cost: say(words) }) }, wrap));
    const problem = html("span", { class: "sd-problem", id: `${id}-problem`, role: "alert" }, wrap), inside = (x) => x !== null && x >= low && x <= high;
    const exactly = createNumberField(exact, problem, {
      label: say(words), low, high, step: 0.01, wanted: (raw) => (inside(numberOf(raw)) ? null : sayMeasure("measure.number", { low, high })), onValue: (x) => actions.setRaceOption(name, x),
    });
    slider.addEventListener("input", () => {
      exactly.reset();
      actions.setRaceOption(name, Number(slider.value));
    });
    return { name, exactly, slider, top };
  });
  const reset = html("button", { type: "button", class: "sd-button small", id: "race-costs-reset" }, root, say("racing.costs.reset"));
  reset.addEventListener("click", () => {
    for (const { name, exactly } of fields) {
      exactly.reset();
      actions.setRaceOption(name, null);
    }
  });
  const says = phrase(html("p", { class: "measure-note" }, root));

  return {
    root,
    update(record, options) {
      const costs = costsOf(record, options);
      for (const { name, exactly, slider, top } of fields) {
        const x = costs[name], chosen = costs.from[name] === "chosen";
        exactly.update(chosen ? x : null, String(chosen ? x : Number(x.toPrecision(4))));
        set(slider, { max: Math.max(top, Math.ceil(x)) });
        if (Number(slider.value) !== x) slider.value = String(x);
      }
      const measured = record && record.costs;
      show(reset, costs.from.c === "chosen" || costs.from.v === "chosen");
      says(!measured ? [say("racing.costs.none")] : pieces("racing.costs.measured", {
        draft: { value: measured.draft_step_ms, path: "race:/costs/draft_step_ms", format: milliseconds }, step: { value: measured.target_step_ms, path: "race:/costs/target_step_ms", format: milliseconds },
        call: { value: measured.target_call_ms, path: "race:/costs/target_call_ms", format: milliseconds }, c: { value: measured.c, path: "race:/costs/c", format: number }, v: { value: measured.v, path: "race:/costs/v", format: number },
      }));
    },
  };
}
