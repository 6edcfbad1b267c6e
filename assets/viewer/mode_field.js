/** The field that says how the prompt is read: go on with it, or answer it as a message in the chat template. */

import { modeFor, MODES, ownMode, takesInstructions } from "./prompt_modes.js";
import { html, set } from "./svg.js";
import { say } from "./words/parts/viewer.js";

/**
 * @param {Element} container @param {any} actions setField("prompt_mode", mode)
 * @param {string} [prefix] of the field's id
 */
export function createModeField(container, actions, prefix = "") {
  const wrap = html("label", { class: "sd-field sd-field-prompt-mode" }, container);
  html("span", null, wrap, say("viewer.mode.label"));
  const select = /** @type {HTMLSelectElement} */ (html("select", { id: `${prefix}prompt-mode` }, wrap));
  for (const [name, words] of Object.entries(MODES)) html("option", { value: name }, select, words);
  /** @type {{mode: string, entry: any}} */
  let now = { mode: "text", entry: undefined };
  /** @type {string|null} */
  let chosen = null; // by the person, not by a pair

  select.addEventListener("change", () => {
    chosen = select.value;
    actions.setField("prompt_mode", select.value);
  });

  return {
    /** The mode to go on with when another pair is chosen: its own, unless the person has chosen one that it has too. @param {any} entry of the config's list */
    following(entry) {
      const { mode, entry: before } = now;
      if (chosen === null && mode !== ownMode(before)) chosen = mode; // chosen before a reload, or by who made the link
      return modeFor(entry, chosen);
    },
    /** @param {any} entry of the config's list, or undefined @param {any} view */
    update(entry, view) {
      const mode = view.form.prompt_mode, able = takesInstructions(entry);
      now = { mode, entry };
      if (select.value !== mode) select.value = mode;
      select.disabled = !able && mode === "text"; // out of a mode that the pair does not have there is always a way
      const words = say(`viewer.mode.help.${able ? mode : entry || !view.form.pair ? "none" : "unknown"}`);
      set(wrap, { title: words });
      set(select, { title: words, "data-changed": view.changed.includes("prompt_mode") });
    },
  };
}
