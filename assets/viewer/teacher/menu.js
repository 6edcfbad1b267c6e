/** One button of the tools that opens a list of buttons: what a class needs, in little room. */

import { html } from "../svg.js";
import { say } from "../words/parts/teacher.js";

/** @param {Element} tools @param {string} id of the button */
export function createMenu(tools, id) {
  const root = /** @type {HTMLDetailsElement} */ (html("details", { class: "sd-teacher-menu" }, tools));
  const head = html("summary", { class: "sd-button", id, title: say("teacher.button_title") }, root, say("teacher.button")), list = html("div", { class: "sd-teacher-menu-list" }, root);
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
  return {
    /** @param {string} name of the entry @param {string} words @param {string} title @param {() => void} act */
    add(name, words, title, act) {
      const button = html("button", { type: "button", class: "sd-button", "data-do": name, title }, list, words);
      button.addEventListener("click", () => {
        close();
        act();
      });
      return button;
    },
  };
}
