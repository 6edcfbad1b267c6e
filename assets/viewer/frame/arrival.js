/** Until a page is there: that it is on its way, and where it does not come, why, and a way to bring it after all. */

import { addressIsSettled, frameOf, pageOf, writeAddress } from "../pages.js";
import { html, set } from "../svg.js";
import { say } from "../words/parts/frame.js";
import { say as common } from "../words/parts/viewer.js";
import { languageOfPart } from "../words/words.js";

const MOMENT = 400; // ms for which nothing need be said

/** @param {HTMLElement} root of a page, still empty @param {Promise<void>} words resolves once they are there */
export async function sayLoading(root, words) {
  await Promise.all([words, new Promise((resolve) => setTimeout(resolve, MOMENT))]);
  if (root.childNodes.length) return;
  root.classList.add("sd");
  html("p", { class: "sd-soft", role: "status", lang: languageOfPart("viewer") }, root, common("viewer.loading"));
}

/** How often a page has not come. @type {WeakMap<Element, number>} */
const failures = new WeakMap();

/**
 * The address becomes the page's: it was chosen, and a reload is to come back to it.
 * @param {HTMLElement} root @param {string} page @param {() => void} again brings the page; done as soon as the network is back, too
 */
export function sayFailure(root, page, again) {
  const count = (failures.get(root) || 0) + 1, listening = new AbortController();
  failures.set(root, count);
  root.textContent = "";
  root.classList.add("sd");
  set(root, { lang: languageOfPart("frame") });
  const notice = html("p", { class: "sd-notice error", role: "alert" }, root);
  html("span", null, notice, say(navigator.onLine ? "frame.not_loaded" : "frame.offline"));
  const retry = html("button", { type: "button", class: "sd-button small", "data-do": "retry" }, notice, common("viewer.retry"));
  const once = () => {
    listening.abort();
    root.textContent = "";
    set(root, { "data-state": "empty" });
    again();
  };
  // Some browsers keep a script that did not come as one that never will.
  retry.addEventListener("click", () => (count > 1 && navigator.onLine ? location.reload() : once()));
  window.addEventListener("online", once, { signal: listening.signal });
  const { isVisible, onVisible } = frameOf(root);
  const claim = () => {
    if (!listening.signal.aborted && isVisible() && addressIsSettled() && pageOf(location.hash) !== page) writeAddress(`#page=${page}`);
  };
  claim();
  onVisible(claim);
}
