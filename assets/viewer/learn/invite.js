/** One quiet line for who is new: the tour, or where it was left. It goes for good when it is told to, and when the tour has been finished. */

import { html, set, text } from "../svg.js";
import { say } from "../words/parts/guide.js";
import { encode } from "./address.js";
import { chapterOf, titleOf } from "./chapters.js";

/** @param {Element} page before whose content the line stands @param {{language: string|null, progress: any}} context */
export function createInvite(page, { language, progress }) {
  const root = html("p", { class: "sd learn-invite", hidden: true });
  const lead = html("span", null, root), take = html("button", { type: "button", class: "sd-link", "data-do": "take" }, root);
  const dismiss = html("button", { type: "button", class: "sd-link learn-dismiss", "data-do": "dismiss", title: say("invite.dismiss"), "aria-label": say("invite.dismiss") }, root, "×");
  page.before(root);
  take.addEventListener("click", () => {
    const { at } = progress.now;
    location.hash = chapterOf(at) ? encode({ view: "chapter", chapter: at, language }) : encode({ language });
  });
  dismiss.addEventListener("click", () => progress.change({ dismissed: true }));

  function update() {
    const { at, dismissed, finished, following } = progress.now, chapter = chapterOf(at);
    set(root, { hidden: dismissed || finished || Boolean(following) });
    text(lead, chapter ? "" : say("invite.new"));
    text(take, chapter ? say("invite.resume", { title: titleOf(chapter) }) : say("invite.take"));
  }
  progress.onChange(update);
  update();
  return { root };
}
