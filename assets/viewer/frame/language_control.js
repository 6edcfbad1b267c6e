/** The choice of a language, at the end of the tabs' row: a button for each, with its own name for itself; on a phone they are in a menu. */

import { createMenu } from "../menu.js";
import { html, set, text } from "../svg.js";
import { choose } from "../words/choice.js";
import { LANGUAGES } from "../words/languages.js";
import { say } from "../words/parts/frame.js";
import { language } from "../words/words.js";

/** Where there is room for all of them; frame.css leaves the tabs the rest. */
const WIDE = "(min-width: 760px)";

/** Puts it before everything else in the document. */
export function createLanguageControl() {
  const root = html("nav", { class: "sd frame-language", id: "language", "aria-label": say("frame.language") });
  const short = language().toUpperCase(), menu = createMenu(root, "language-menu", short, say("frame.language"));
  set(/** @type {Element} */ (menu.root.firstElementChild), { "aria-label": `${say("frame.language")}: ${short}` });
  const buttons = Object.entries(LANGUAGES).map(([name, own]) => {
    const here = name === language();
    const button = html("button", { type: "button", class: "sd-link", lang: name, "data-language": name, "aria-current": here ? "true" : null }, menu.list, own);
    button.addEventListener("click", () => (here ? menu.close() : change(name)));
    return button;
  });
  const note = html("p", { class: "sd-notice error frame-language-note", role: "alert", hidden: true }, root);
  const change = async (name) => {
    if (await choose(name)) return;
    menu.close(); // it would cover the words
    text(note, say(navigator.onLine ? "frame.language_unanswered" : "frame.language_offline"));
    set(note, { hidden: false });
  };
  for (const news of ["online", "pointerdown"]) window.addEventListener(news, () => set(note, { hidden: true }));
  const wide = window.matchMedia(WIDE);
  const arrange = () => {
    set(menu.root, { hidden: wide.matches });
    (wide.matches ? root : menu.list).append(...buttons);
    root.append(note);
  };
  wide.addEventListener("change", arrange);
  arrange();
  document.body.prepend(root);
  return { root };
}
