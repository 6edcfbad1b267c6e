/** The head of a saved page: what it is in a line, everything about the file on demand and on paper, and how to open it in the app. */

import { copy } from "../link.js";
import { FOREIGN_TEXT, html, set, text } from "../svg.js";
import { say } from "../words/parts/saved.js";

/**
 * @param {Element} container
 * @param {{title: string, line: string, facts: [string, string, boolean?][], link: (view: any) => string|null, unlinked: string}} words `facts`: a term and its
 *   words each, and whether somebody else wrote them; `link`: the hash that opens a view in the app, null where there is none, and then `unlinked` says why
 */
export function createHead(container, { title, line, facts, link, unlinked }) {
  const root = html("div", { class: "sd-controls sa-head" }, container);
  const first = html("p", { class: "sa-line" }, root);
  html("b", null, first, title);
  html("span", null, first, ` ${line}`);
  const buttons = html("div", { class: "sa-buttons" }, root);
  const about = html("div", { class: "sa-about", id: "about-file", hidden: true }, root);
  const more = html("button", { type: "button", id: "about", class: "sd-button", "aria-expanded": "false", "aria-controls": about.id }, buttons, say("saved.about"));
  more.addEventListener("click", () => {
    const open = more.getAttribute("aria-expanded") !== "true";
    set(more, { "aria-expanded": String(open) });
    set(about, { hidden: !open });
  });
  const print = html("button", { type: "button", id: "print", class: "sd-button", title: say("saved.print.title") }, buttons, say("saved.print"));
  print.addEventListener("click", () => window.print());

  const list = html("dl", null, about);
  const add = (term, words, foreign) => {
    html("dt", null, list, term);
    return html("dd", foreign ? FOREIGN_TEXT : null, list, words);
  };
  for (const [term, words, foreign] of facts) add(term, words, foreign);
  const again = add(say("saved.in_app"), ""), says = html("span", null, again), parameters = html("code", { id: "link-parameters" }, again);
  const take = html("button", { type: "button", id: "copy-parameters", class: "sd-button small" }, again, say("saved.copy"));
  let said = "";
  take.addEventListener("click", async () => {
    text(take, (await copy(said)) ? say("saved.copied") : say("saved.not_copied"));
    setTimeout(() => text(take, say("saved.copy")), 3000);
  });

  return {
    root, buttons,
    /** @param {any} view */
    show(view) {
      const hash = link(view);
      said = hash || "";
      text(says, hash ? say("saved.in_app.words") : unlinked);
      text(parameters, said);
      set(parameters, { hidden: !hash });
      set(take, { hidden: !hash });
    },
  };
}

/** "2025-11-30 01:02 UTC". @param {string} iso */
export const dateWords = (iso) => `${String(iso).slice(0, 16).replace("T", " ")} UTC`;
