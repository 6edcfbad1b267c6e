/** The way to the page's three parts, and Decode, Copy link, Export and help, beside the settings. */

import { html, set } from "../svg.js";

/** @param {Element} container @param {any} actions @param {any} store */
export function createTools(container, actions, store) {
  const ways = html("nav", { class: "cmp-ways", "aria-label": "On this page" }, container);
  for (const [id, words] of [["compare-block", "The same block"], ["compare-race", "The race"], ["compare-law", "Is it the same law?"]]) {
    html("button", { type: "button", class: "sd-link" }, ways, words).addEventListener("click", () => document.getElementById(id).scrollIntoView({ block: "start" }));
  }
  const root = html("div", { class: "sd-tools" }, container);
  const tool = (parent, id, label, title, action, kind = "") => {
    const button = html("button", { type: "button", id: `compare-${id}`, class: `sd-button ${kind}`, title }, parent, label);
    button.addEventListener("click", () => action());
    return button;
  };
  const run = tool(root, "run", "Decode", "decode to the end with these settings and columns", actions.run, "primary");
  tool(root, "copy-link", "Copy link", "a link that restores exactly this comparison", actions.copyLink);
  const menu = /** @type {HTMLDetailsElement} */ (html("details", { class: "cmp-menu" }, root));
  const head = html("summary", { class: "sd-button", id: "compare-export", title: "everything shown, as files" }, menu, "Export");
  const list = html("div", { class: "cmp-menu-list" }, menu);
  const close = () => {
    if (menu.open && menu.contains(document.activeElement)) head.focus();
    menu.open = false;
  };
  const entry = (id, label, title, action) => tool(list, id, label, title, () => { close(); action(); });
  entry("export-json", "JSON", "trace, race and law check in one file", actions.exportJson);
  entry("export-csv", "CSV", "tables for a spreadsheet", actions.exportCsv);
  entry("export-svg", "This block as SVG", "the table of the block shown, as a picture", () => actions.exportPicture("svg"));
  entry("export-png", "This block as PNG", "the table of the block shown, as a picture", () => actions.exportPicture("png"));
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    event.stopPropagation();
    close();
  });
  menu.addEventListener("focusout", (event) => { if (!menu.contains(/** @type {Node|null} */ (event.relatedTarget))) menu.open = false; });
  tool(root, "help", "?", "help (?)", actions.help);
  store.subscribe((view) => set(run, { class: `sd-button primary${view.changed.length || view.missing.length ? " wanted" : ""}` }));
}
