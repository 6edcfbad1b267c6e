/** Ready-made states: a menu, and a random one by its seed. */

import { html, set, text } from "../svg.js";
import { narrow } from "../typed_numbers.js";
import { say } from "../words/parts/sandbox.js";
import { say as sayHelp } from "../words/parts/sandbox_help.js";
import { say as common } from "../words/parts/viewer.js";
import { known } from "../words/words.js";

const LARGEST_SEED = Number.MAX_SAFE_INTEGER;

/** A preset's title; its record's where the catalogue does not know it. @param {{name: string, title: string}} preset */
export const titleOf = ({ name, title }) => (known(`preset.${name}.title`) ? sayHelp(`preset.${name}.title`, { seed: (/\d+$/.exec(title) || [""])[0] }) : title);

/** What a preset shows. @param {{name: string, about: string}} preset */
export const aboutOf = ({ name, about }) => (known(`preset.${name}.about`) ? sayHelp(`preset.${name}.about`) : about);

/** @param {Element} container @param {any} actions */
export function createPresets(container, actions) {
  const wrap = html("label", { class: "sd-field", title: say("sandbox.preset.title") }, container);
  html("span", null, wrap, say("sandbox.preset"));
  const select = /** @type {HTMLSelectElement} */ (html("select", { id: "sandbox-preset" }, wrap));
  select.addEventListener("change", () => actions.openPreset(select.value));
  const random = html("div", { class: "sd-field sb-random" }, container);
  const button = html("button", { type: "button", id: "sandbox-random", class: "sd-button", title: say("sandbox.random.title") }, random, say("sandbox.random"));
  const label = html("label", { class: "sd-field" }, random);
  html("span", null, label, common("viewer.setting.seed"));
  const seed = /** @type {HTMLInputElement} */ (html("input", { id: "sandbox-seed", inputmode: "numeric", spellcheck: "false", size: 5 }, label));
  const problem = html("span", { class: "sd-problem", id: "sandbox-seed-problem", role: "alert" }, random);
  seed.addEventListener("input", () => actions.setSeed(seed.value));
  button.addEventListener("click", () => actions.randomise());
  let filled = /** @type {any} */ ("");

  return {
    update(view) {
      const list = view.presets || [], aboutNamed = (name) => list.filter((one) => one.name === name).map(aboutOf)[0];
      const now = view.presets || say(view.failedPresets ? "sandbox.preset.failed" : "sandbox.preset.loading");
      if (filled !== now) {
        filled = now;
        select.textContent = "";
        html("option", { value: "" }, select, view.presets ? say("sandbox.preset.choose") : now);
        for (const preset of list) html("option", { value: preset.name }, select, titleOf(preset));
        set(select, { disabled: !list.length });
      }
      for (const option of select.options) set(option, { title: view.predicting ? null : aboutNamed(option.value) });
      select.value = view.preset ? view.preset.name : "";
      if (seed.value !== view.seed) seed.value = view.seed;
      const bad = !/^\d{1,16}$/.test(narrow(view.seed).trim()) || Number(narrow(view.seed)) > LARGEST_SEED;
      text(problem, bad ? say("sandbox.random.seed", { wanted: common("viewer.wanted.seed", { high: LARGEST_SEED }) }) : "");
      set(seed, { "aria-invalid": bad ? "true" : null, "aria-describedby": bad ? problem.id : null });
      set(button, { disabled: bad });
    },
  };
}

/** What the chosen preset shows. @param {Element} container */
export function createAbout(container) {
  const root = html("p", { class: "sd-soft sb-about" }, container);
  return {
    update(view) {
      const said = view.preset && !view.predicting ? aboutOf(view.preset) : ""; // it tells what comes
      root.textContent = said;
      set(root, { hidden: !said });
    },
  };
}
