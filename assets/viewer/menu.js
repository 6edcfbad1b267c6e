/** A button that opens a list of buttons; Escape and going elsewhere close it. */

import { html } from "./svg.js";

/** @param {Element} parent @param {string} id of the button @param {string} words @param {string} title */
export function createMenu(parent, id, words, title) {
  const root = /** @type {HTMLDetailsElement} */ (html("details", { class: "sd-menu" }, parent));
  const head = html("summary", { class: "sd-button", id, title }, root, words);
  const list = html("div", { class: "sd-menu-list" }, root);
  const close = () => {
    if (root.open && root.contains(document.activeElement)) head.focus();
    root.open = false;
  };
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !root.open) return;
    event.stopPropagation();
    close();
  });
  root.addEventListener("focusout", (event) => { if (!root.contains(/** @type {Node|null} */ (event.relatedTarget))) root.open = false; });
  return { root, list, close };
}
