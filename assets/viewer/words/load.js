/** Brings the words of the language chosen, from this server: those of the parts that modules have asked for, before a page is mounted. */

import { canBegin, choose, linked, wantedLanguage } from "./choice.js";
import { ENGLISH_ONLY, FALLBACK } from "./languages.js";
import { language, partNames, speak, take } from "./words.js";

export { choose };

/** By part, what is on its way or has come. @type {Map<string, Promise<void>>} */
const coming = new Map();
let begun = false;

function begin() {
  begun = true;
  speak(wantedLanguage());
  document.documentElement.lang = language();
  // A link to this same document in another language.
  window.addEventListener("hashchange", async () => {
    const wanted = linked(location.hash);
    if (wanted && wanted !== language() && (await canBegin())) location.reload();
  });
}

/** @param {string} name of a part */
async function bring(name) {
  try {
    take(name, (await import(`./${language()}/${name}.js`)).words);
  } catch (error) {
    console.warn(`specdemo: no words of "${name}" in ${language()}, so they are English:`, error);
  }
}

/** Resolves once every part that has been asked for speaks the language chosen; to be called after the modules are there and before they draw. */
export async function load() {
  if (!begun) begin();
  if (language() === FALLBACK) return;
  for (const name of partNames()) if (!coming.has(name) && !ENGLISH_ONLY.includes(name)) coming.set(name, bring(name));
  await Promise.all(coming.values());
}
