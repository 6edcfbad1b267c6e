/** Ready-made states: a menu, and a random one by its seed. */

import { html, set } from "../svg.js";

const LARGEST_SEED = Number.MAX_SAFE_INTEGER;

/** @param {Element} container @param {any} actions */
export function createPresets(container, actions) {
  const wrap = html("label", { class: "sd-field", title: "states worth a look" }, container);
  html("span", null, wrap, "preset");
  const select = /** @type {HTMLSelectElement} */ (html("select", { id: "sandbox-preset" }, wrap));
  select.addEventListener("change", () => actions.openPreset(select.value));
  const random = html("div", { class: "sd-field sb-random" }, container);
  const button = html("button", { type: "button", id: "sandbox-random", class: "sd-button", title: "random laws of this alphabet, γ and context, by this seed" }, random, "Random");
  const label = html("label", { class: "sd-field" }, random);
  html("span", null, label, "seed");
  const seed = /** @type {HTMLInputElement} */ (html("input", { id: "sandbox-seed", inputmode: "numeric", spellcheck: "false", size: 5 }, label));
  seed.addEventListener("input", () => actions.setSeed(seed.value));
  button.addEventListener("click", () => actions.randomise());
  let filled = /** @type {any} */ ("");

  return {
    update(view) {
      const list = view.presets || [];
      const now = view.presets || (view.failedPresets ? "not loaded" : "loading …");
      if (filled !== now) {
        filled = now;
        select.textContent = "";
        html("option", { value: "" }, select, view.presets ? "choose …" : now);
        for (const preset of list) html("option", { value: preset.name }, select, preset.title);
        set(select, { disabled: !list.length });
      }
      for (const option of select.options) set(option, { title: view.predicting ? null : (list.find((one) => one.name === option.value) || {}).about });
      select.value = view.preset ? view.preset.name : "";
      if (seed.value !== view.seed) seed.value = view.seed;
      const bad = !/^\d{1,16}$/.test(view.seed.trim()) || Number(view.seed) > LARGEST_SEED;
      set(seed, { "aria-invalid": bad ? "true" : null, title: bad ? `a whole number from 0 to ${LARGEST_SEED}` : null });
      set(button, { disabled: bad });
    },
  };
}

/** What the chosen preset shows. @param {Element} container */
export function createAbout(container) {
  const root = html("p", { class: "sd-soft sb-about" }, container);
  return {
    update(view) {
      const said = view.preset && !view.predicting ? view.preset.about : ""; // it tells what comes
      root.textContent = said;
      set(root, { hidden: !said });
    },
  };
}
