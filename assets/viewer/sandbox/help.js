/** What the "?" of the Sandbox says. */

import { html, show } from "../svg.js";

const WORDS = [
  "Here the whole problem is on the screen. You own the two laws; the matrix is the joint law of the drafted block (rows) and the emitted block (columns); the tree shows where the mass of each prefix goes. Every number is computed by the same code that decodes.",
  "Drag the top of a bar: the other bars of that law scale with it, so that it stays a law. Type a number or a fraction: nothing else moves, and if the row does not sum to 1 it says so and waits for you, or for “Normalise”. What cannot be read gets a message at its field, and the last valid picture stays.",
  "The optimum is that of one block: greedy block attains it and loses in the long run, because what it gives up early it must pay for later. The address in the address bar always holds the state shown, texts as typed.",
];
const KEYS = [
  ["Tab", "to the next bar, field or picture"], ["↑ ↓", "a bar by 0.01, with Shift by 0.1"], ["Home, End", "a bar to 0 or 1"],
  ["Ctrl+Z", "undo, Ctrl+Shift+Z redo"], ["arrows", "in the matrix: the neighbouring cell"], ["L", "large, for a projector"], ["?", "this help"], ["Esc", "close"],
];
const COLOURS = [
  ["draft", "draft: D, what the small model offers"], ["target", "target: T, outlined, what the large model wants"], ["kept", "overlap: drafted and kept"],
  ["residual", "residual and correction: hatched, what the target still wants"],
];
const SYMBOLS = [
  ["γ", "how many tokens are drafted in a block"],
  ["D, T", "next-token laws of draft and target"],
  ["S, B", "joint laws of a whole prefix under draft and target: products of D, of T"],
  ["τ", "how many drafted tokens are kept, 0…γ; E[τ] its mean over drafts and coins"],
  ["cost", "γ minus the mean length of the common prefix of drafted and emitted block"],
  ["gap", "cost above the optimum of the block transport problem"],
  ["TV", "total variation, ½ Σ │difference│: 0 if equal, 1 if nothing is shared"],
];

/** @param {Element} container */
export function createHelp(container) {
  const dialog = /** @type {HTMLDialogElement} */ (html("dialog", { class: "sd-help", "aria-label": "Help" }, container));
  const close = html("button", { type: "button", class: "sd-button sd-help-close" }, dialog, "Close");
  html("h3", null, dialog, "How to read this page");
  for (const words of WORDS) html("p", null, dialog, words);
  const both = html("div", { class: "sd-help-lists" }, dialog);
  const list = (parent, entries, kind) => {
    const node = html("dl", { class: kind }, parent);
    for (const [sign, words] of entries) {
      html("dt", null, node, sign);
      html("dd", null, node, words);
    }
  };
  list(both, KEYS, null);
  const colours = html("ul", null, both);
  for (const [name, words] of COLOURS) {
    const item = html("li", null, colours);
    html("i", { class: `sd-swatch ${name}` }, item);
    html("span", null, item, words);
  }
  html("h4", null, dialog, "Symbols");
  list(dialog, SYMBOLS, "sd-help-symbols");
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
