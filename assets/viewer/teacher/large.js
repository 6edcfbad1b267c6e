/** Large, for a projector: a link's `big=1`, the key L or the button. The address keeps it. */

import { createKeys } from "../keys.js";
import { set } from "../svg.js";
import { read, written } from "./query.js";
import { say } from "../words/parts/teacher.js";

/**
 * @param {HTMLElement} root of the page @param {any} menu for its button, null where there is none
 * @param {{isVisible: () => boolean, redraw: () => void}} context
 */
export function createLarge(root, menu, { isVisible, redraw }) {
  const button = menu && menu.add("large", say("large.button"), say("large.title"), toggle);
  function show(big) {
    set(root, { "data-big": big });
    if (button) set(button, { "aria-pressed": String(big) });
  }
  function toggle() {
    if (!isVisible()) return false;
    const settings = read(location.search), big = !root.hasAttribute("data-big");
    try {
      history.replaceState(history.state, "", (location.pathname + written(location.search, { ...settings, big })) + location.hash);
    } catch {
      // A page in somebody's preview frame has no address of its own.
    }
    // Other pages of this document follow.
    document.dispatchEvent(new CustomEvent("specdemo:large", { detail: big }));
  }
  document.addEventListener("specdemo:large", (event) => {
    if (!root.isConnected) return;
    show(/** @type {CustomEvent} */ (event).detail);
    redraw();
  });
  createKeys(root, {}, { l: toggle });
  show(read(location.search).big);
}
