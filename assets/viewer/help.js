/** The "?" overlay: keys, colours and the few words that one needs. */

import { html, show } from "./svg.js";

const KEYS = [
  ["→ or Space", "one step on"], ["←", "one step back"], ["↑ ↓", "position"], ["V", "next verifier"], ["P", "play or pause"],
  ["Home, End", "first and last decoded block"], ["?", "this help"], ["Esc", "close, or undo a what-if"],
];
const COLOURS = [
  ["draft", "draft: D, what the small model offers"], ["target", "target: T, what the large model wants"], ["kept", "kept: drafted and accepted"],
  ["residual", "residual and correction: what the target still wants"], ["bonus", "bonus: one more token when all were kept"], ["rejected", "rejected: struck through"],
];
const WORDS = [
  "A draft model proposes a block of γ tokens. One call of the target model scores them all. A rule, the verifier, keeps the first τ of them and adds one token of its own. A lossless rule does this so that the text follows the target's law exactly.",
  "The token rule asks from left to right and stops at the first failure. The block rule asks from the right: the longest prefix whose coin η falls below its threshold h survives, with everything before it.",
  "Drag a dot η to ask what if. Click a number for its formula, a chip or bar for its token. The address in the address bar always holds the state shown.",
];

/** @param {Element} container */
export function createHelp(container) {
  const dialog = /** @type {HTMLDialogElement} */ (html("dialog", { class: "sd-help", "aria-label": "Help" }, container));
  const close = html("button", { type: "button", class: "sd-button sd-help-close", "aria-label": "Close" }, dialog, "Close");
  html("h3", null, dialog, "How to read this page");
  for (const words of WORDS) html("p", null, dialog, words);
  const both = html("div", { class: "sd-help-lists" }, dialog);
  const keys = html("dl", null, both);
  for (const [key, words] of KEYS) {
    html("dt", null, keys, key);
    html("dd", null, keys, words);
  }
  const colours = html("ul", null, both);
  for (const [name, words] of COLOURS) {
    const item = html("li", null, colours);
    html("i", { class: `sd-swatch ${name}` }, item);
    html("span", null, item, words);
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
