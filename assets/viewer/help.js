/** The "?" overlay: keys, colours, symbols and the few words that one needs. Which ones, a page says (help_step.js for Step). */

import { html, show } from "./svg.js";
import { stepContent } from "./help_step.js";
import { say } from "./words/parts/viewer.js";

const COLOURS = ["draft", "target", "kept", "residual", "bonus", "rejected"];
const GLYPHS = [["· ⏎ ⇥ ␍ ⍽", "space"], ["‹f0 9f›", "bytes"], ["‹U+200B›", "number"], ["<|name|>", "special"]];
const LINES = ["kept", "residual", "bonus", "draft"];

/** @param {Element} container @param {{title: string, words: string[], keys: string[][], symbols: string[][]}} [content] */
export function createHelp(container, content = stepContent()) {
  const dialog = /** @type {HTMLDialogElement} */ (html("dialog", { class: "sd-help", "aria-label": say("viewer.help") }, container));
  const close = html("button", { type: "button", class: "sd-button sd-help-close", "aria-label": say("viewer.close") }, dialog, say("viewer.close"));
  html("h3", null, dialog, content.title);
  for (const words of content.words) html("p", null, dialog, words);
  const both = html("div", { class: "sd-help-lists" }, dialog);
  const keys = html("dl", null, both);
  for (const [key, words] of content.keys) {
    html("dt", null, keys, key);
    html("dd", null, keys, words);
  }
  const colours = html("ul", null, both);
  for (const name of COLOURS) {
    const item = html("li", null, colours);
    html("i", { class: `sd-swatch ${name}` }, item);
    html("span", null, item, say(`viewer.colour.${name}`));
  }
  const pairs = (title, entries) => {
    html("h4", null, dialog, title);
    const list = html("dl", { class: "sd-help-symbols" }, dialog);
    for (const [sign, words] of entries) {
      html("dt", null, list, sign);
      html("dd", null, list, words);
    }
  };
  pairs(say("viewer.help.symbols"), content.symbols);
  pairs(say("viewer.help.signs"), GLYPHS.map(([sign, name]) => [sign, say(`viewer.sign.${name}`)]));
  html("h4", null, dialog, say("viewer.help.lines"));
  const lines = html("ul", null, dialog);
  for (const name of LINES) {
    const item = html("li", null, lines);
    html("i", { class: `sd-swatch sd-underline ${name}` }, item);
    html("span", null, item, say(`viewer.line.${name}`));
  }
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  show(dialog, true);
  return {
    get open() { return dialog.open; },
    toggle() {
      if (dialog.open) dialog.close();
      else dialog.showModal();
    },
    close() { dialog.close(); },
  };
}
