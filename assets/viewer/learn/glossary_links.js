/**
 * Leads from the pages' own help to the glossary: from the definition behind a picture's "?", and from the symbols in the help of a page.
 * The pages know nothing of it; what each picture and symbol is about, terms.js says.
 */

import { html } from "../svg.js";
import { say } from "../words/parts/glossary.js";
import { encode } from "./address.js";
import { keysOf, PICTURES, SYMBOLS, TERMS } from "./terms.js";
import { follow, termLink } from "./terms_links.js";

const MARK = "linked";

/** @param {{language: string|null}} context */
export function createGlossaryLinks({ language }) {
  const nameOf = (id) => say(keysOf(TERMS.find((one) => one.id === id)).name);

  /** @param {HTMLElement} definition of a picture */
  function definition(definition) {
    const picture = definition.closest(".pic"), name = picture ? Array.from(picture.classList, (one) => one.replace(/^pic-/, "")).find((one) => Object.hasOwn(PICTURES, one)) : null;
    if (!name || definition.dataset[MARK]) return;
    definition.dataset[MARK] = "1";
    const line = html("span", { class: "learn-see" }, definition, say("links.about"));
    PICTURES[name].forEach((id, k) => {
      if (k) line.append(" · ");
      termLink(line, id, nameOf(id), { language });
    });
  }

  /** @param {HTMLDialogElement} dialog a page's help */
  function help(dialog) {
    if (dialog.dataset[MARK]) return;
    dialog.dataset[MARK] = "1";
    const close = () => dialog.close();
    for (const sign of dialog.querySelectorAll(".sd-help-symbols dt")) {
      const shown = sign.textContent || "", id = Object.hasOwn(SYMBOLS, shown) ? SYMBOLS[shown] : null;
      if (!id) continue;
      sign.textContent = "";
      termLink(sign, id, shown, { language, before: close });
    }
    const link = html("a", { class: "learn-term" }, html("p", null, dialog), say("links.all"));
    follow(link, encode({ view: "glossary", language }), close);
  }

  /** @param {Element} node that has been opened */
  function opened(node) {
    if (node instanceof HTMLDialogElement && node.open && node.matches(".sd-help:not(.sd-teacher)")) help(node);
    else if (node.matches(".pic-help[aria-expanded=true]")) {
      const text = document.getElementById(node.getAttribute("aria-controls") || "");
      if (text) definition(text);
    }
  }
  new MutationObserver((changes) => changes.forEach(({ target }) => target instanceof Element && opened(target))).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["open", "aria-expanded"] });
}
