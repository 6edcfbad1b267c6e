/** When a picture and its numbers may leave the page as files: only as what they are, the answer for the laws typed. */

import { set } from "../svg.js";
import { say } from "../words/parts/sandbox.js";

/** Why a picture cannot be saved now, null where it can. @param {any} view */
export const unsaved = (view) => (!view.picture ? say("sandbox.save_nothing") : view.old ? say("sandbox.save_old") : null);

/** A caption that says so while the picture is of other laws, and not for a moment only. @param {any} view @param {string} caption */
export const captioned = (view, caption) => (view.old && !view.pending.picture ? say("sandbox.caption_old", { caption }) : caption);

/** Lets the files of a picture be saved, or says on the buttons why not. @param {Element} tools @param {string|null} reason */
export function allowSaves(tools, reason) {
  for (const button of tools.querySelectorAll("[data-export]")) {
    /** @type {HTMLButtonElement} */ (button).disabled = reason !== null;
    set(button, { title: reason || button.getAttribute("aria-label") });
  }
}
