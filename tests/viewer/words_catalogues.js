/** All catalogues, and the machinery that looks words up in them, for the tests. */

import { readdirSync } from "node:fs";
import { decide, linked } from "../../assets/viewer/words/choice.js";
import { ENGLISH_ONLY, LANGUAGES } from "../../assets/viewer/words/languages.js";
import { carried, inEnglish, language, languageOfPart, open, part, say, speak, take } from "../../assets/viewer/words/words.js";

const FOLDER = new URL("../../assets/viewer/words/", import.meta.url);

/** By language and part, and the plural forms that each language has. */
export async function catalogues() {
  const words = {}, plurals = {};
  for (const language of Object.keys(LANGUAGES)) {
    words[language] = {};
    for (const file of readdirSync(new URL(`${language}/`, FOLDER))) words[language][file.replace(/\.js$/, "")] = (await import(new URL(`${language}/${file}`, FOLDER).href)).words;
    plurals[language] = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  }
  const parts = readdirSync(new URL("parts/", FOLDER)).map((file) => file.replace(/\.js$/, ""));
  return { words, plurals, parts, englishOnly: ENGLISH_ONLY };
}

/** What is said before and after another language is spoken, and what is complained of. */
export function spoken() {
  const complaints = [], { error } = console;
  console.error = (text) => complaints.push(text);
  try {
    part("test", { "test.here": "{count} {count|one:token|other:tokens} of {of}", "test.english": "{count|one:one|other:many: all}", "test.bare": "bare" });
    const english = [say("test.here", { count: 1, of: 0.5 }), say("test.here", { count: 2, of: "x" }), language()];
    speak("xx");
    speak("da");
    const untranslated = languageOfPart("test");
    take("test", { "test.here": "{count|one:ét|other:flere} af {of}", "test.bare": /** @type {any} */ (7) });
    const danish = [say("test.here", { count: 1, of: 0.5 }), open("test.here", { count: { value: 3 } }), open("test.here", { count: { value: 1 } }), say("test.english", { count: 1 }), say("test.here", { count: 0.5, of: 1 }), say("test.english", { count: 0.5 }), say("test.bare"), inEnglish("test.bare"), language(), languageOfPart("test")];
    const kept = carried(["test", "other"]);
    const lost = [say("test.nothing"), say("test.here", { count: 1 })];
    let twice = "";
    try {
      part("more", { "test.bare": "again" });
    } catch (problem) {
      twice = String(problem);
    }
    return { english, untranslated, danish, kept, lost, complaints, twice };
  } finally {
    console.error = error;
  }
}

export const decided = (signs) => signs.map((one) => decide({ hash: "", search: "", tab: null, own: null, browser: [], ...one }));
export const links = (texts) => texts.map(linked);
