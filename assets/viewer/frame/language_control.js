/** The choice of a language: a button for each, with its own name for itself. */

import { html } from "../svg.js";
import { choose } from "../words/choice.js";
import { LANGUAGES } from "../words/languages.js";
import { say } from "../words/parts/frame.js";
import { language } from "../words/words.js";

/** Puts it before everything else in the document. */
export function createLanguageControl() {
  const root = html("nav", { class: "sd frame-language", id: "language", "aria-label": say("frame.language") });
  for (const [name, own] of Object.entries(LANGUAGES)) {
    const here = name === language();
    const button = html("button", { type: "button", class: "sd-link", lang: name, "data-language": name, "aria-current": here ? "true" : null }, root, own);
    button.addEventListener("click", () => here || choose(name));
  }
  document.body.prepend(root);
  return { root };
}
