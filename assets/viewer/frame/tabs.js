/**
 * The names of the pages on Gradio's tabs, in the language chosen. Gradio knows them in English, in the bar, in the copy by which it measures
 * what fits, and in the menu of those that do not; wherever it writes one, its text alone is changed.
 */

import { set } from "../svg.js";
import { say } from "../words/parts/frame.js";
import { language } from "../words/words.js";

/** The pages by the titles that the server gives them. */
const NAMES = { Step: "frame.step", Compare: "frame.compare", Lab: "frame.lab", Sandbox: "frame.sandbox", Audit: "frame.audit", Learn: "frame.learn" };

/** What a page is called. @param {string} page its name in the address */
export const titleOf = (page) => say(NAMES[page.charAt(0).toUpperCase() + page.slice(1)]);

/** @param {Element} bar */
function rename(bar) {
  for (const button of bar.querySelectorAll("button")) {
    const node = button.firstChild, title = button.textContent?.trim() || "";
    if (node instanceof Text && Object.hasOwn(NAMES, title)) {
      set(button, { "data-page-title": title.toLowerCase() });
      const name = say(NAMES[title]);
      if (node.data !== name) node.data = name; // what watches the bar would be called for ever
    }
  }
  const more = bar.querySelector(".overflow-menu > button");
  if (more) set(more, { "aria-label": say("frame.more") });
}

export function renameTabs() {
  const bar = document.querySelector(".tab-wrapper");
  if (!bar) return;
  rename(bar);
  if (language() === "en") return;
  new MutationObserver(() => rename(bar)).observe(bar, { childList: true, characterData: true, subtree: true });
  window.dispatchEvent(new Event("resize")); // Gradio measures anew what fits
}
