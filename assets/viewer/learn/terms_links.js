/** Links to the glossary: a dotted word that goes there by the page's own address. */

import { html, set } from "../svg.js";
import { encode } from "./address.js";

/** @param {Element} parent @param {string} id of the term @param {string} words @param {{language?: string|null, before?: () => void}} [options] `before`: what to do first, such as closing a dialog */
export function termLink(parent, id, words, { language = null, before } = {}) {
  const hash = encode({ view: "glossary", term: id, language });
  const link = html("a", { class: "learn-term", href: hash, "data-term": id }, parent, words);
  follow(link, hash, before);
  return link;
}

/** A link within this document, whatever its base address is. @param {Element} link @param {string} hash @param {() => void} [before] */
export function follow(link, hash, before) {
  set(link, { href: hash });
  link.addEventListener("click", (event) => {
    if (/** @type {MouseEvent} */ (event).ctrlKey || /** @type {MouseEvent} */ (event).metaKey) return;
    event.preventDefault();
    if (before) before();
    location.hash = hash;
  });
}
