/** The frame of the Sandbox's pictures: the pictures' common one, known to their style sheet. */

import { frame } from "../marks.js";

/** @param {Element} container @param {{name: string, title: string, about: string}} words */
export function pictureFrame(container, words) {
  const made = frame(container, words);
  made.root.classList.add("sbx-pic");
  return made;
}
