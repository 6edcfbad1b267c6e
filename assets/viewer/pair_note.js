/** What there is to say of the chosen pair before it decodes: how to get it where it is not on this machine, and prompts to try. */

import { pairHint } from "./pair_words.js";
import { FOREIGN_TEXT, html, set, show, text } from "./svg.js";
import { say } from "./words/parts/viewer.js";

/**
 * @param {Element} container @param {any} actions setField("prompt", text)
 * @param {string} [prefix] of the note's id
 */
export function createPairNote(container, actions, prefix = "") {
  const root = html("div", { class: "sd-pair-note", id: `${prefix}pair-note` }, container);
  const hint = html("p", { role: "status" }, root);
  const tries = html("p", { class: "sd-pair-prompts" }, root);
  html("span", null, tries, say("viewer.prompts"));
  /** @type {any} */
  let filled = null;

  function fill(entry) {
    if (filled === entry) return;
    filled = entry;
    for (const button of tries.querySelectorAll("button")) button.remove();
    for (const prompt of (entry && entry.examples) || []) {
      html("button", { type: "button", class: "sd-link", ...FOREIGN_TEXT }, tries, prompt).addEventListener("click", () => actions.setField("prompt", prompt));
    }
  }

  return {
    /** @param {any} entry of the config's list, or undefined @param {any} view */
    update(entry, view) {
      const said = entry ? pairHint(entry) : "";
      text(hint, said);
      show(hint, said !== "");
      fill(entry);
      const prompts = (entry && entry.examples) || [];
      // Until this pair has decoded something, and where there is nothing to decode: later they would only take room.
      const fresh = !view.form.prompt || !view.trace || view.changed.includes("pair");
      show(tries, prompts.length > 0 && entry.available !== false && fresh);
      for (const button of tries.querySelectorAll("button")) set(button, { "aria-current": button.textContent === view.form.prompt ? "true" : null });
    },
  };
}
