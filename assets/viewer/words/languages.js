/**
 * The languages there are. A language is a folder here, with a file for every part that English has, and a line below.
 * English comes first: it is what an entry falls back to.
 */

/** By tag (BCP 47), the language's own name. @type {Record<string, string>} */
export const LANGUAGES = {
  en: "English",
  da: "Dansk",
  ja: "日本語",
};

export const FALLBACK = "en";

/** Parts whose other languages are still to be written: nothing is asked for, and they are English. */
export const ENGLISH_ONLY = /** @type {string[]} */ ([]);

/** The first of the wanted languages that there is: "da-DK" is "da". @param {(string|null|undefined)[]} wanted */
export const languageOf = (wanted) => wanted.map((one) => (one || "").toLowerCase().split(/[-_]/)[0]).find((one) => Object.hasOwn(LANGUAGES, one)) || FALLBACK;
