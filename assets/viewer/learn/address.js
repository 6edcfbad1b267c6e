/**
 * The address of the tour: #page=learn (the contents), &chapter=ratio, &view=end, &view=glossary&term=residual; &lang=en keeps a language.
 */

import { pageOf } from "../pages.js";

/** @typedef {{view: "contents"|"chapter"|"end"|"glossary", chapter: string|null, term: string|null, language: string|null}} Place */

/** @type {Place} */
export const CONTENTS = { view: "contents", chapter: null, term: null, language: null };

/** The address that the document was loaded with: who comes to the tour later has gone there. */
export const LOADED = typeof location === "undefined" ? "" : location.hash;

const word = (text) => (text && /^[a-z_]{1,40}$/.test(text) ? text : null);

/** What a hash asks for, null where it is another page's. @param {string} hash @returns {Place|null} */
export function decode(hash) {
  if (pageOf(hash) !== "learn") return null;
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const chapter = word(given.get("chapter")), term = word(given.get("term")), view = given.get("view"), language = word(given.get("lang"));
  if (view === "glossary") return { view, chapter: null, term, language };
  if (view === "end") return { view, chapter: null, term: null, language };
  return { view: chapter ? "chapter" : "contents", chapter, term: null, language };
}

/** @param {Partial<Place>} place */
export function encode({ view = "contents", chapter = null, term = null, language = null }) {
  const out = new URLSearchParams({ page: "learn" });
  if (view === "chapter" && chapter) out.set("chapter", chapter);
  if (view === "end" || view === "glossary") out.set("view", view);
  if (view === "glossary" && term) out.set("term", term);
  if (language) out.set("lang", language);
  return "#" + out;
}
