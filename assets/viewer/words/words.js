/**
 * Words by key, in the language chosen: `say(key, slots)`. English, entry by entry, where the language lacks one. No document, and nothing is
 * loaded here (load.js does), so that whoever imports a part (parts/) has at least its English at once. See docs/languages.md.
 *
 *     {name}                               a value
 *     {count|one:token|other:tokens}       what goes with a number, by the plural rules of the language; the number itself is written apart
 */

import { FALLBACK, LANGUAGES } from "./languages.js";

/** @typedef {Record<string, string>} Catalogue */

const PLURAL = /\{(\w+)\|([^{}]*)\}/g;
const SLOT = /\{(\w+)\}/g;

/** By key, in English and in the language chosen. @type {Map<string, string>} */
const english = new Map(), /** @type {Map<string, string>} */ chosen = new Map();
/** The parts there are by now, and those that are spoken in the language chosen. @type {Set<string>} */
const parts = new Set(), /** @type {Map<string, string[]>} */ spoken = new Map();
let current = FALLBACK;

/** The language chosen. */
export const language = () => current;

/** The names of the parts that modules have asked for so far. */
export const partNames = () => [...parts];

/** The language in which a part is to be read aloud: English until it is translated. @param {string} name of a part, which need not be one */
export const languageOfPart = (name) => (spoken.has(name) ? current : FALLBACK);

/**
 * Makes a part known by its English words; answers `say`.
 * @param {string} name @param {Catalogue} words @throws {Error} where another part has a key already
 */
export function part(name, words) {
  if (parts.has(name)) return say;
  parts.add(name);
  for (const [key, text] of Object.entries(words)) {
    if (english.has(key)) throw new Error(`two parts have words called "${key}"`);
    english.set(key, text);
  }
  return say;
}

/** From now on in this language; what was spoken in another is forgotten. @param {string} name */
export function speak(name) {
  if (!Object.hasOwn(LANGUAGES, name) || name === current) return;
  current = name;
  chosen.clear();
  spoken.clear();
}

/** Takes the words of a part in the language chosen. @param {string} name of the part @param {Catalogue} words */
export function take(name, words) {
  const pairs = Object.entries(words).filter(([, text]) => typeof text === "string");
  for (const [key, text] of pairs) chosen.set(key, text);
  spoken.set(name, pairs.map(([key]) => key));
}

/** The words of some parts in the language chosen, for a file that is to carry them; null where they are English. @param {string[]} names */
export function carried(names) {
  const found = names.filter((name) => spoken.has(name));
  const words = Object.fromEntries(found.map((name) => [name, Object.fromEntries(/** @type {string[]} */ (spoken.get(name)).map((key) => [key, chosen.get(key)]))]));
  return found.length ? { language: current, words } : null;
}

/** Whether there are words called so, for names that come from elsewhere. @param {string} key */
export const known = (key) => english.has(key);

/** The English words of a key, for terms that are known by them. @param {string} key */
export const inEnglish = (key) => english.get(key) ?? key;

/** The number in a slot, which may be a record with a `value`. @param {any} given */
const countOf = (given) => Number(given !== null && typeof given === "object" ? given.value : given);

/**
 * The text of a key with its plurals settled and its {slots} still open, for whoever makes nodes of them.
 * A key that there is not is a mistake of the program: it is complained of, and stands for its words.
 * @param {string} key @param {Record<string, any>} [slots]
 */
export function open(key, slots = {}) {
  const own = chosen.get(key), text = own ?? english.get(key);
  if (text === undefined) {
    console.error(`there are no words called "${key}"`);
    return key;
  }
  return text.replace(PLURAL, (_, name, forms) => {
    const texts = Object.fromEntries(forms.split("|").map((form) => [form.slice(0, form.indexOf(":")), form.slice(form.indexOf(":") + 1)]));
    return texts[new Intl.PluralRules(own === undefined ? FALLBACK : current).select(countOf(slots[name]))] ?? texts.other;
  });
}

/** The words of a key with its slots filled in, as they are: numbers are not made local. @param {string} key @param {Record<string, string|number>} [slots] @returns {string} */
export function say(key, slots = {}) {
  return open(key, slots).replace(SLOT, (whole, name) => {
    if (Object.hasOwn(slots, name)) return String(slots[name]);
    console.error(`"${key}" needs a value "${name}"`);
    return whole;
  });
}
