/** What is typed in this tab and stands in no link yet, kept for a reload of it. Two tabs have two storages. */

import { recentAddresses } from "./pages.js";

/**
 * @template T
 * @param {string} key in sessionStorage, a page's own
 * @param {(view: any) => T} partOf what of a view is to be kept
 */
export function createTyped(key, partOf) {
  let latest = null, timer = 0;
  function save() {
    timer = 0;
    try {
      if (latest) sessionStorage.setItem(key, JSON.stringify({ part: partOf(latest), hashes: recentAddresses() }));
    } catch {
      // A browser that stores nothing loses nothing else.
    }
  }
  if (typeof window !== "undefined") window.addEventListener("pagehide", save);
  return {
    save,
    /** @param {any} view */
    remember(view) {
      latest = view;
      if (!timer) timer = setTimeout(save, 300);
    },
    /** What was kept last, and whether it was beside the address the document has now; null where there is nothing. @returns {{part: T, here: boolean}|null} */
    kept() {
      try {
        const { part, hashes } = JSON.parse(sessionStorage.getItem(key) || "null");
        return part ? { part, here: hashes.includes(location.hash) } : null;
      } catch {
        return null;
      }
    },
  };
}
