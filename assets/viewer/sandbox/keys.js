/** The Sandbox's keys: undo and redo everywhere on the page, in its fields too; "?" and Escape where nothing is being typed. */

import { createKeys } from "../keys.js";

/** @param {HTMLElement} root @param {any} actions */
export function createSandboxKeys(root, actions) {
  createKeys(root, actions, { "?": actions.help, Escape: actions.escape });
  const listen = (event) => {
    if (!root.isConnected) return document.removeEventListener("keydown", listen, true);
    if (!(event.ctrlKey || event.metaKey) || event.altKey || root.offsetParent === null || root.querySelector("dialog[open]")) return;
    // Another page's field keeps its own undo, and so does a field that holds no state.
    const target = /** @type {Element} */ (event.target), field = target.closest && target.closest("input, textarea");
    if (field && !(root.contains(field) && field.matches(".sb-field"))) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) actions.redo();
    else actions.undo();
  };
  document.addEventListener("keydown", listen, true);
}
