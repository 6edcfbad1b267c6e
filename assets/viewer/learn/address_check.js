/** What of the tour's address makes no sense, in words. No document. */

import { either, leftOut, readLink, wrongValue } from "../link_values.js";
import { say } from "../words/parts/link.js";
import { CHAPTERS } from "./chapters.js";
import { TERMS } from "./terms.js";

/** What the page calls what its parameters set. @type {Record<string, () => string>} */
const FIELDS = {
  page: () => say("link.field.page"), view: () => say("link.field.view"), chapter: () => say("link.field.chapter"), term: () => say("link.field.term"),
};

/** @param {string} hash of the tour @returns {string} "" where all of it makes sense */
export function addressWords(hash) {
  const { given, wrong: damaged, strange } = readLink(hash, FIELDS), wrong = [...damaged, ...strange];
  /** @type {Record<string, string[]>} */
  const known = { view: ["contents", "chapter", "end", "glossary"], chapter: CHAPTERS.map(({ id }) => id), term: TERMS.map(({ id }) => id) };
  for (const [name, values] of Object.entries(known)) {
    const text = given.get(name);
    if (text === null || values.includes(text)) continue;
    wrong.push(name === "term" ? wrongValue(FIELDS[name](), say("link.term"), text) : wrongValue(FIELDS[name](), either(values), text));
  }
  return leftOut(wrong);
}
