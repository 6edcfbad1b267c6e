/** When a picture and its numbers may leave the page as files: only as what they are, the answer for the laws typed. */

import { set } from "../svg.js";

const OLD = "What is drawn belongs to the last valid laws, not to those typed: it can be saved as soon as they agree.";

/** Why a picture cannot be saved now, null where it can. @param {any} view */
export const unsaved = (view) => (!view.picture ? "There is no picture to save yet." : view.old ? OLD : null);

/** What a caption begins with while the picture is of other laws, and not for a moment only. @param {any} view */
export const captionLead = (view) => (view.old && !view.pending.picture ? "Of the last valid laws, not of those typed. " : "");

/** Lets the files of a picture be saved, or says on the buttons why not. @param {Element} tools @param {string|null} reason */
export function allowSaves(tools, reason) {
  for (const button of tools.querySelectorAll("[data-export]")) {
    /** @type {HTMLButtonElement} */ (button).disabled = reason !== null;
    set(button, { title: reason || button.getAttribute("aria-label") });
  }
}
