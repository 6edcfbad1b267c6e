/** What stands around the pages: the tabs' names, the document's title and the choice of a language. Once a document. */

import { load } from "../words/load.js";
import { html } from "../svg.js";
import { say } from "../words/parts/frame.js";
import { language } from "../words/words.js";
import { sayFailure, sayLoading } from "./arrival.js";
import { createLanguageControl } from "./language_control.js";
import { renameTabs, titleOf } from "./tabs.js";

/** @type {Promise<void>|null} */
let started = null;

async function start() {
  await load();
  document.documentElement.lang = language(); // Gradio has set the browser's
  document.title = say("frame.title");
  renameTabs();
  createLanguageControl();
}

/** Resolves once the words are there and the frame stands. */
export const frame = () => (started = started || start());

/** Puts a page's name before it as its heading, for those who hear the page: its tab shows it to all others. @param {Element} root @param {string} page */
export async function entitle(root, page) {
  await frame();
  root.before(html("h1", { class: "frame-title" }, undefined, titleOf(page)));
}

/** Says that a page is on its way, if it takes longer than a moment. @param {HTMLElement} root */
export const waiting = (root) => sayLoading(root, frame());

/** Says that a page has not come, in English where the words have not come either. @param {HTMLElement} root @param {string} page @param {() => void} again */
export async function failed(root, page, again) {
  await frame();
  sayFailure(root, page, again);
}
