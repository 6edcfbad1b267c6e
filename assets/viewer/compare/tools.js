/** The way to the page's three parts, and Decode, Copy link, Examples, Export and help, beside the settings. */

import { createMenu } from "../menu.js";
import { html, set, show } from "../svg.js";
import { say } from "../words/parts/compare.js";
import { say as sayLaw } from "../words/parts/lawcheck.js";
import { say as sayRace } from "../words/parts/racing.js";
import { examplesOf } from "./examples.js";

/** @param {Element} container @param {any} actions @param {any} store */
export function createTools(container, actions, store) {
  const ways = html("nav", { class: "cmp-ways", "aria-label": say("compare.ways") }, container);
  for (const [id, words] of [["compare-block", say("compare.ways.block")], ["compare-race", sayRace("racing.title")], ["compare-law", sayLaw("lawcheck.title")]]) {
    html("button", { type: "button", class: "sd-link" }, ways, words).addEventListener("click", () => document.getElementById(id)?.scrollIntoView({ block: "start" }));
  }
  const root = html("div", { class: "sd-tools" }, container);
  const tool = (parent, id, label, title, action, kind = "") => {
    const button = html("button", { type: "button", id: `compare-${id}`, class: `sd-button ${kind}`, title }, parent, label);
    button.addEventListener("click", () => action());
    return button;
  };
  const run = tool(root, "run", say("compare.decode"), say("compare.decode.title"), actions.run, "primary");
  tool(root, "copy-link", say("compare.copy_link"), say("compare.copy_link.title"), actions.copyLink);
  const examples = createMenu(root, "compare-examples", say("compare.examples"), say("compare.examples.title"));
  examplesOf(store.view.config.rules).forEach(([title, form], n) => tool(examples.list, `example-${n}`, title, say("compare.example.title"), () => { examples.close(); actions.openExample(form); }));
  const files = createMenu(root, "compare-export", say("compare.export"), say("compare.export.title"));
  const entry = (id, label, title, action) => tool(files.list, id, label, title, () => { files.close(); action(); });
  entry("export-json", "JSON", say("compare.export.json"), actions.exportJson);
  entry("export-csv", "CSV", say("compare.export.csv"), actions.exportCsv);
  entry("export-svg", say("compare.export.svg"), say("compare.export.picture"), () => actions.exportPicture("svg"));
  entry("export-png", say("compare.export.png"), say("compare.export.picture"), () => actions.exportPicture("png"));
  tool(root, "help", "?", say("compare.help.title"), actions.help);
  store.subscribe((view) => {
    set(run, { class: `sd-button primary${view.changed.length || view.missing.length ? " wanted" : ""}` });
    show(examples.root, (Boolean(view.trace) || view.status !== "empty") && examples.list.childElementCount > 0); // an empty page has them in a row
  });
}
