/** What a class needs, in little room: one button of the tools that opens a list of buttons. */

import { createMenu } from "../menu.js";
import { html } from "../svg.js";
import { say } from "../words/parts/teacher.js";

/** @param {Element} tools @param {string} id of the button */
export function createTeacherMenu(tools, id) {
  const { root, list, close } = createMenu(tools, id, say("teacher.button"), say("teacher.button_title"));
  root.classList.add("sd-teacher-menu");
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
