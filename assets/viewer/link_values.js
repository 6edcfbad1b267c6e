/**
 * The parameters of a link, read so that nothing of them is changed silently: each once, as text that its percent signs spell, and in
 * words what is wrong with a value, by the name that its control has on the page. No document.
 */

import { isolated } from "./format.js";
import { LANGUAGES } from "./words/languages.js";
import { say } from "./words/parts/link.js";
import { say as sayViewer } from "./words/parts/viewer.js";

const LONGEST = 40, LISTED = 5; // characters of a wrong value, and values, that are said again
const MOST = Number.MAX_SAFE_INTEGER - 1;
const DIGEST = /^sha256:[0-9a-f]+$/;

/** A value that somebody else has written, in quotation marks. @param {any} given */
export function quoted(given) {
  const letters = Array.from(String(given).replace(/\p{C}/gu, "\uFFFD"));
  return sayViewer("viewer.quoted", { words: isolated(letters.length > LONGEST ? letters.slice(0, LONGEST).join("") + "…" : letters.join("")) });
}

/** "a, b or c". @param {string[]} words */
export const either = (words) => (words.length < 2 ? words.join("") : say("link.or", { list: words.slice(0, -1).join(sayViewer("viewer.comma")), last: words[words.length - 1] }));

/** A value as links have it, and what the page calls it where that is another word. @param {string} value @param {string} words */
export const named = (value, words) => (value === words ? value : say("link.named", { value, words }));

/** What a control wants, and what stands in the link instead. @param {string} field the control's name on the page @param {string} wanted @param {any} given */
export const wrongValue = (field, wanted, given) => (String(given) === "" ? say("link.empty", { field, wanted }) : say("link.value", { field, wanted, given: quoted(given) }));

/** The sentence about all values that were left out; "" where none was. @param {string[]} wrong */
export const leftOut = (wrong) => (wrong.length ? say("link.wrong", { wrong: wrong.join(sayViewer("viewer.between")) }) : "");

/** One sentence after the other, without those that are empty. @param {string[]} said */
export const sentences = (said) => said.filter(Boolean).reduce((first, second) => (first ? say("link.sentences", { first, second }) : second), "");

/** Bytes that are no text become this sign, which may also be written. */
const lost = (text) => (text.match(/\uFFFD/g) || []).length;
const written = (raw) => lost(raw.replace(/%EF%BF%BD/gi, "\uFFFD"));

/**
 * @param {string} hash
 * @param {Record<string, () => string>} fields the parameters that the page reads, and what it calls them; each page reads `lang` besides
 * @returns {{given: URLSearchParams, wrong: string[], strange: string[], has: (name: string) => boolean}} `given` without those that cannot be
 *   taken as they are, of which `wrong` tells; `strange` tells of those that no page or another one reads; `has`: whether the link names one at all
 */
export function readLink(hash, fields) {
  fields = { ...fields, lang: () => say("link.field.language") };
  const text = hash.replace(/^#/, ""), all = new URLSearchParams(text), given = new URLSearchParams(text), wrong = [];
  const damaged = new Set(), parts = text.split("&");
  for (const part of parts) {
    const [[name = "", value = ""] = []] = [...new URLSearchParams(part)], raw = part.slice(part.indexOf("=") + 1);
    if (!Object.hasOwn(fields, name) || lost(value) <= written(raw) || damaged.has(name)) continue;
    damaged.add(name);
    wrong.push(say("link.bytes", { field: fields[name](), given: quoted(raw) }));
  }
  for (const name of Object.keys(fields)) {
    const values = [...new Set(all.getAll(name))];
    if (damaged.has(name)) given.delete(name);
    else if (values.length > 1) {
      given.delete(name);
      const shown = values.slice(0, LISTED).map(quoted);
      wrong.push(say("link.twice", { field: fields[name](), values: shown.join(sayViewer("viewer.comma")) + (values.length > LISTED ? " …" : "") }));
    }
  }
  const others = [...new Set(all.keys())].filter((name) => !Object.hasOwn(fields, name)), language = given.get("lang"), strange = [];
  if (language !== null && !Object.hasOwn(LANGUAGES, language.toLowerCase().split(/[-_]/)[0])) strange.push(wrongValue(fields.lang(), either(Object.keys(LANGUAGES)), language));
  if (others.length) strange.push(say("link.strange", { names: either(others.slice(0, LISTED).map(quoted)) + (others.length > LISTED ? " …" : "") }));
  return { given, wrong, strange, has: (name) => all.has(name) };
}

/** The number that a text of digits says, however many they are; null for any other text. @param {string} text */
export const countIn = (text) => (/^\d+$/.test(text) ? Math.min(Number(text), MOST) : null);

/** Reads the numbers and names of a place in a run. @param {URLSearchParams} given @param {string[]} wrong what is wrong is added to */
export const placeReader = (given, wrong) => ({
  /** @param {string} name @param {string} field @returns {number|null} */
  count(name, field) {
    const text = given.get(name), found = text === null ? null : countIn(text);
    if (text !== null && found === null) wrong.push(wrongValue(field, say("link.whole"), text));
    return found;
  },
  /** @returns {string|null} */
  digest() {
    const text = given.get("digest");
    if (text === null || DIGEST.test(text)) return text;
    wrong.push(wrongValue(say("link.field.digest"), say("link.hex"), text));
    return null;
  },
  /** Whether a switch is on, which a link says by one word alone. @param {string} name @param {string} field @param {string} [value] */
  on(name, field, value = "1") {
    const text = given.get(name);
    if (text !== null && text !== value) wrong.push(wrongValue(field, say("link.only", { value }), text));
    return text === value;
  },
});
