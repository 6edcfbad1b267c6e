/** The "?" overlay: keys, colours, symbols and the few words that one needs. */

import { html, show } from "./svg.js";

const KEYS = [
  ["→ or Space", "one step on"], ["←", "one step back"], ["↑ ↓", "position"], ["V", "next verifier"], ["P", "play or pause"], ["L", "large, for a projector"],
  ["Home, End", "first and last decoded block"], ["?", "this help"], ["Esc", "close, or undo a what-if"],
];
const COLOURS = [
  ["draft", "draft: D, what the small model offers"], ["target", "target: T, what the large model wants"], ["kept", "kept: drafted and accepted"],
  ["residual", "residual and correction: what the target still wants"], ["bonus", "bonus: one more token when all were kept"], ["rejected", "rejected: struck through"],
];
/** Every symbol of the page, a line each. */
const SYMBOLS = [
  ["γ", "how many tokens are drafted in a block"],
  ["D, T", "next-token laws of draft and target, after temperature, top-k, top-p"],
  ["TV", "their distance, ½ Σ │D − T│: 0 if equal, 1 if nothing is shared"],
  ["r", "T/D of the drafted token: above 1, the target wants it more than the draft"],
  ["w", "weight of a prefix: the chance that it survives, averaged over later drafts"],
  ["h", "threshold of a prefix (token rule: of a token), between 0 and 1"],
  ["η", "its coin: a uniform number in [0, 1); it passes if η < h"],
  ["s", "what scales T at a position: 1 for the token rule, w for the block rule, R for greedy block; w and R are those that arrive there"],
  ["R", "greedy block: the product of the ratios so far, which may pass 1; w = min(1, R)"],
  ["T̃", "greedy block, after a correction: the modified target norm (R·T − D)₊ that the rest of the old block must follow"],
  ["A", "residual mass Σ (s·T − D)₊: what the target still wants there"],
  ["τ", "how many drafted tokens are kept, 0…γ"],
  ["E[τ]", "its mean given this drafted block, before any coin; + 1 is what a target call gains"],
  ["Y", "the token that the rule adds behind the kept ones: a correction, or the bonus if τ = γ"],
];
const GLYPHS = [
  ["· ⏎ ⇥ ␍ ⍽", "space, line end, tab, carriage return, no-break space"],
  ["‹f0 9f›", "bytes that are no whole character by themselves"],
  ["‹U+200B›", "an invisible character, by its number"],
  ["<|name|>", "in a frame: a special token, which ends a text or parts messages and cannot be typed"],
];
const LINES = [
  ["kept", "thin green: a kept drafted token"], ["residual", "thick vermilion: a correction"], ["bonus", "double pink: a bonus"], ["draft", "blue: drafted, not yet decided"],
];
const WORDS = [
  "A draft model proposes a block of γ tokens. One call of the target model scores them all. A rule, the verifier, keeps the first τ of them and adds one token of its own. A lossless rule does this so that the text follows the target's law exactly.",
  "The token rule asks from left to right and stops at the first failure. The block rule asks from the right: the longest prefix whose coin η falls below its threshold h survives, with everything before it. Greedy block asks from the right too and keeps as many as one block allows; in return the places it gave up follow a modified target T̃, its window, and until that closes no other rule can take over.",
  "“Prompt is” says how the prompt is read: as a text that the models go on with, or as an instruction, a message in the chat template that they were taught with, which they answer. The template’s tokens are folded in the text; the chips “instruction” and “answer” open them. What is typed is always text: a special token that is typed is not one.",
  "Drag a dot η to ask what if. Click a number for its formula, a chip or bar for its token. The address in the address bar always holds the state shown.",
];

const STEP = { title: "How to read this page", words: WORDS, keys: KEYS, symbols: SYMBOLS };

/** @param {Element} container @param {{title: string, words: string[], keys: string[][], symbols: string[][]}} [content] */
export function createHelp(container, content = STEP) {
  const dialog = /** @type {HTMLDialogElement} */ (html("dialog", { class: "sd-help", "aria-label": "Help" }, container));
  const close = html("button", { type: "button", class: "sd-button sd-help-close", "aria-label": "Close" }, dialog, "Close");
  html("h3", null, dialog, content.title);
  for (const words of content.words) html("p", null, dialog, words);
  const both = html("div", { class: "sd-help-lists" }, dialog);
  const keys = html("dl", null, both);
  for (const [key, words] of content.keys) {
    html("dt", null, keys, key);
    html("dd", null, keys, words);
  }
  const colours = html("ul", null, both);
  for (const [name, words] of COLOURS) {
    const item = html("li", null, colours);
    html("i", { class: `sd-swatch ${name}` }, item);
    html("span", null, item, words);
  }
  const pairs = (title, entries) => {
    html("h4", null, dialog, title);
    const list = html("dl", { class: "sd-help-symbols" }, dialog);
    for (const [sign, words] of entries) {
      html("dt", null, list, sign);
      html("dd", null, list, words);
    }
  };
  pairs("Symbols", content.symbols);
  pairs("Signs in tokens", GLYPHS);
  html("h4", null, dialog, "Underlines in the text");
  const lines = html("ul", null, dialog);
  for (const [name, words] of LINES) {
    const item = html("li", null, lines);
    html("i", { class: `sd-swatch sd-underline ${name}` }, item);
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
