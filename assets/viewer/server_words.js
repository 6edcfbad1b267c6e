/** What the server says, in the language chosen: by the code that it sends beside its English, which stands where there is none. No document. */

import { many } from "./format.js";
import { say } from "./words/parts/server.js";
import { say as sayViewer } from "./words/parts/viewer.js";
import { inEnglish, known } from "./words/words.js";

/** Labels that are the same in every language. @type {Record<string, string>} */
const SIGNS = { gamma: "γ", top_k: "top-k", top_p: "top-p" };

/** The name that a setting has on the page. @param {string} place "settings.gamma" */
function placeWords(place) {
  const name = place.replace(/^settings\./, "");
  return SIGNS[name] || (known(`viewer.setting.${name}`) ? sayViewer(`viewer.setting.${name}`) : place);
}

/**
 * @param {any} text the server's English @param {{code?: any, values?: any}|null} [told] what it sends beside it
 * @returns {string}
 */
export function serverWords(text, told = null) {
  const { code = null, values = {} } = told || {}, key = `server.${code}`, own = values && typeof values === "object" ? values : {};
  if (typeof code !== "string" || !known(key)) return String(text ?? "");
  const slots = [...inEnglish(key).matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  if (!slots.every((name) => ["string", "number"].includes(typeof own[name]))) return String(text ?? "");
  return say(`server.${code}`, Object.fromEntries(slots.map((name) => [name, typeof own[name] === "number" ? (Number.isInteger(own[name]) ? many(own[name]) : String(own[name])) : name === "place" ? placeWords(own[name]) : own[name]])));
}
