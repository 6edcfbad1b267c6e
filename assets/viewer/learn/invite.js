/** One quiet line for who is new: the tour, or where it was left. It goes for good when it is told to, and when the tour has been finished. */

import { html, set, text } from "../svg.js";
import { encode } from "./address.js";
import { chapterOf, keysOf } from "./chapters.js";
import { filled } from "./words.js";

/** @param {Element} page before whose content the line stands @param {{words: import("./words.js").Words, language: string|null, progress: any}} context */
export function createInvite(page, { words, language, progress }) {
  const root = html("p", { class: "sd learn-invite", hidden: true });
  const lead = html("span", null, root), take = html("button", { type: "button", class: "sd-link", "data-do": "take" }, root);
  const dismiss = html("button", { type: "button", class: "sd-link learn-dismiss", "data-do": "dismiss", title: words("invite.dismiss"), "aria-label": words("invite.dismiss") }, root, "×");
  page.before(root);
  take.addEventListener("click", () => {
    const { at } = progress.now;
    location.hash = chapterOf(at) ? encode({ view: "chapter", chapter: at, language }) : encode({ language });
  });
  dismiss.addEventListener("click", () => progress.change({ dismissed: true }));

  function update() {
    const { at, dismissed, finished, following } = progress.now, chapter = chapterOf(at);
    set(root, { hidden: dismissed || finished || Boolean(following) });
    text(lead, chapter ? "" : words("invite.new"));
    text(take, chapter ? filled(words("invite.resume"), { title: words(keysOf(chapter).title) }) : words("invite.take"));
  }
  progress.onChange(update);
  update();
  return { root };
}
