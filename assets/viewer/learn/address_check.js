/** What of the tour's address makes no sense, in words. No document. */

import { either, leftOut, readLink, wrongValue } from "../link_values.js";
import { say as sayFrame } from "../words/parts/frame.js";
import { say } from "../words/parts/link.js";
import { LANGUAGES } from "../words/languages.js";
import { CHAPTERS } from "./chapters.js";
import { TERMS } from "./terms.js";

/** What the page calls what its parameters set. @type {Record<string, () => string>} */
const FIELDS = {
  page: () => say("link.field.page"), view: () => say("link.field.view"), chapter: () => say("link.field.chapter"), term: () => say("link.field.term"), lang: () => sayFrame("frame.language"),
};

/** @param {string} hash of the tour @returns {string} "" where all of it makes sense */
export function addressWords(hash) {
  const { given, wrong } = readLink(hash, FIELDS);
  /** @type {Record<string, string[]>} */
  const known = { view: ["contents", "chapter", "end", "glossary"], chapter: CHAPTERS.map(({ id }) => id), term: TERMS.map(({ id }) => id), lang: Object.keys(LANGUAGES) };
  for (const [name, values] of Object.entries(known)) {
    const text = given.get(name), meant = name === "lang" ? (text || "").toLowerCase().split(/[-_]/)[0] : text;
    if (text === null || values.includes(meant || "")) continue;
    wrong.push(name === "term" ? wrongValue(FIELDS[name](), say("link.term"), text) : wrongValue(FIELDS[name](), either(values), text));
  }
  return leftOut(wrong);
}
