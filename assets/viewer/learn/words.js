/**
 * The words of the tour and the glossary: one catalogue a language (words/NAME.js), English where an entry is missing in another.
 * A second language is one more file there and its name here.
 */

import english from "./words/en.js";

/** The languages there are; the first is the one that is complete. */
export const LANGUAGES = ["en"];

/** The first of the wanted languages that there is: "da-DK" is "da". @param {(string|null|undefined)[]} wanted */
export const languageOf = (wanted) => wanted.map((one) => (one || "").toLowerCase().split("-")[0]).find((one) => LANGUAGES.includes(one)) || LANGUAGES[0];

/**
 * A look-up in a catalogue; a key that neither it nor English has is a mistake of the program.
 * @param {Record<string, string>} catalogue
 * @returns {(key: string) => string}
 */
export const lookup = (catalogue) => (key) => {
  const found = catalogue[key] ?? english[key];
  if (found === undefined) throw new Error(`there are no words called "${key}"`);
  return found;
};

/** Text with its {names} filled in, for attributes and titles; rich.js makes nodes. @param {string} text @param {Record<string, string|number>} values */
export const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));

/** @typedef {(key: string) => string} Words */

/** The words in the first wanted language that there is. @param {(string|null|undefined)[]} wanted @returns {Promise<{language: string, words: Words}>} */
export async function loadWords(wanted) {
  const language = languageOf(wanted);
  if (language === LANGUAGES[0]) return { language, words: lookup(english) };
  try {
    return { language, words: lookup((await import(`./words/${language}.js`)).default) };
  } catch {
    return { language: LANGUAGES[0], words: lookup(english) }; // the file did not come: better English than nothing
  }
}
