/** What the "?" of the Sandbox says. */

import { html, show } from "../svg.js";
import { say as sayPage } from "../words/parts/sandbox.js";
import { say } from "../words/parts/sandbox_help.js";
import { say as common } from "../words/parts/viewer.js";

const WORDS = ["idea", "hands", "optimum"];
const COLOURS = ["draft", "target", "kept", "residual"];

const keys = () => [
  ["Tab", say("reading.tab")], ["↑ ↓", say("reading.step")], ["Home, End", say("reading.ends")], ["Ctrl+Z", say("reading.undo")],
  [say("reading.key.arrows"), say("reading.cells")], ["L", common("viewer.key.large")], ["?", common("viewer.key.help")], ["Esc", say("reading.escape")],
];

const symbols = () => [
  ["γ", common("viewer.symbol.gamma")], ["D, T", say("reading.symbol.laws")], ["S, B", say("reading.symbol.joint")], ["τ", say("reading.symbol.tau")],
  [sayPage("sandbox.card.cost"), sayPage("sandbox.card.cost.title")], [sayPage("sandbox.card.gap"), say("reading.symbol.gap")], ["TV", say("reading.symbol.tv")],
];

/** @param {Element} container */
export function createHelp(container) {
  const dialog = /** @type {HTMLDialogElement} */ (html("dialog", { class: "sd-help", "aria-label": common("viewer.help") }, container));
  const close = html("button", { type: "button", class: "sd-button sd-help-close" }, dialog, common("viewer.close"));
  html("h3", null, dialog, say("reading.title"));
  for (const name of WORDS) html("p", null, dialog, say(`reading.${name}`));
  const both = html("div", { class: "sd-help-lists" }, dialog);
  const list = (parent, entries, kind) => {
    const node = html("dl", { class: kind }, parent);
    for (const [sign, words] of entries) {
      html("dt", null, node, sign);
      html("dd", null, node, words);
    }
  };
  list(both, keys(), null);
  const colours = html("ul", null, both);
  for (const name of COLOURS) {
    const item = html("li", null, colours);
    html("i", { class: `sd-swatch ${name}` }, item);
    html("span", null, item, name === "draft" ? common("viewer.colour.draft") : say(`reading.colour.${name}`));
  }
  html("h4", null, dialog, common("viewer.help.symbols"));
  list(dialog, symbols(), "sd-help-symbols");
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
