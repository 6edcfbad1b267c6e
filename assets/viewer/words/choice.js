/**
 * Which language: the link's (`lang=da` in the address, for this tab), else the person's own choice, else the browser's, else English.
 */

import { LANGUAGES, languageOf } from "./languages.js";

const NAME = "specdemo.language";

/** A storage of the window, null where it is forbidden. @param {"localStorage"|"sessionStorage"} kind */
function storage(kind) {
  try {
    return window[kind];
  } catch {
    return null;
  }
}

/** @param {"localStorage"|"sessionStorage"} kind */
function read(kind) {
  try {
    return storage(kind)?.getItem(NAME) ?? null;
  } catch {
    return null;
  }
}

/** @param {"localStorage"|"sessionStorage"} kind @param {string|null} name */
function write(kind, name) {
  try {
    if (name === null) storage(kind)?.removeItem(NAME);
    else storage(kind)?.setItem(NAME, name);
  } catch {
    // It is full or forbidden: the address still says it.
  }
}

/** The language that a hash or a query names, null where it names none that there is. @param {string} text */
export function linked(text) {
  const name = (new URLSearchParams(text.replace(/^[#?]/, "")).get("lang") || "").toLowerCase().split(/[-_]/)[0];
  return Object.hasOwn(LANGUAGES, name) ? name : null;
}

/** The first that says one: link, tab, own choice, browser. @param {{hash: string, search: string, tab: string|null, own: string|null, browser: readonly string[]}} signs */
export const decide = ({ hash, search, tab, own, browser }) => languageOf([linked(hash), linked(search), tab, own, ...browser]);

/** The language of this document. Pages write the address anew and drop what is not theirs, so the tab keeps a link's language. */
export function wantedLanguage() {
  const { hash, search } = location, link = linked(hash) || linked(search);
  if (link) write("sessionStorage", link);
  return decide({ hash, search, tab: read("sessionStorage"), own: read("localStorage"), browser: navigator.languages || [] });
}

/** An address without the language that a link asked for. @param {string} text a hash or a query, with its first sign */
function without(text) {
  const given = new URLSearchParams(text.slice(1));
  if (!given.has("lang")) return text;
  given.delete("lang");
  return given.size ? text[0] + given : "";
}

const PATIENCE = 10_000; // ms

/** Whether the document can be had anew: where it cannot, the browser would show a page of its own instead. */
export const canBegin = () => fetch(location.pathname + location.search, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) }).then(() => true, () => false);

/**
 * A person's own choice: kept in this browser, and the document begins anew with it, at the same state. Where the document cannot be had nothing
 * changes, and that is the answer: false.
 * @param {string} name
 */
export async function choose(name) {
  if (!Object.hasOwn(LANGUAGES, name)) return true;
  if (!(await canBegin())) return false;
  write("localStorage", name);
  write("sessionStorage", read("localStorage") === name ? null : name);
  const { pathname, search, hash } = location;
  history.replaceState(history.state, "", pathname + without(search) + without(hash));
  location.reload();
  return true;
}
