/**
 * What is shown, as one HTML file with this same viewer: the template that the server makes of the viewer's files
 * (specdemo/standalone) and a record appended to it. `python -m specdemo export` writes the same bytes.
 */

import { save } from "./compare/save.js";
import { say } from "./words/parts/saved.js";
import { carried } from "./words/words.js";

export const SCHEMA = "specdemo.saved/1";
const CLOSING = "<\/script>\n";
/** The parts of the words that a saved page speaks, beside the one of its own name. @type {Record<string, string[]>} */
const PARTS = {
  step: ["step_sentence", "step_pictures", "step_formulas", "files", "teacher"], sandbox: ["sandbox_help", "sandbox_pictures", "sandbox_longrun", "mistakes", "files", "teacher"],
  lab: ["lab_pictures", "tasks", "mistakes", "measure"],
};
/** Those that every saved page speaks. */
const COMMON = ["saved", "viewer", "pairs"];
const ESCAPED = /[<>&\u2028\u2029]/g;

/** JSON that cannot end the script element it stands in. @param {any} value */
export const scriptJson = (value) => JSON.stringify(value).replace(ESCAPED, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** What a file says first of itself; `words` where it is saved in another language than English. @param {"step"|"sandbox"|"lab"} page */
const head = (page) => {
  const words = carried([page, ...COMMON, ...(PARTS[page] || [])]);
  return { schema: SCHEMA, page, saved: new Date().toISOString().replace(/\.\d+Z$/, "Z"), ...(words && { words }) };
};

/** The record of a run, to open at the place shown; a what-if is never in it. @param {any} view of the Step page */
export function runRecord({ trace, block, blockIndex, phase, tried, position, token, rule }) {
  const start = { block: blockIndex, phase, tried, position, token, rule: rule === block.verifier ? null : rule };
  return { ...head("step"), start, trace };
}

/** The record of a state of the Sandbox whose answers have come. @param {any} view of the Sandbox */
export function stateRecord({ state, picture, optimum, longrun, pending, selected, difference, fromTarget, preset }) {
  const about = preset ? { name: preset.name, title: preset.title, about: preset.about } : null;
  return { ...head("sandbox"), state, picture, optimum, longrun: pending.longrun ? null : longrun, shown: { ...selected, difference, fromTarget, preset: about } };
}

/** The record of what a sweep adds up to: what was asked for without anybody's own prompts, and no rows. @param {any} state of the Lab */
export function sweepRecord({ answer, shown, grid }) {
  return { ...head("lab"), asked: grid && { ...grid, own: Boolean(grid.own) }, places: null, shown, answer };
}

/**
 * Offers the file; answers its size in bytes.
 * @param {any} record @param {string} base address of the app's static files @param {string} name of the file
 * @returns {Promise<number>} @throws {Error} with words for the reader
 */
export async function saveHtml(record, base, name) {
  const address = new URL(`standalone/${record.page}.txt`, new URL(base, document.baseURI));
  let template;
  try {
    const response = await fetch(address);
    if (!response.ok) throw new Error(String(response.status));
    template = await response.text();
  } catch (error) {
    console.warn("specdemo:", error);
    throw new Error(say("saved.failed"));
  }
  const file = new Blob([template, scriptJson(record), CLOSING], { type: "text/html" });
  save(name, file);
  return file.size;
}

/** @param {number} bytes */
export const savedWords = (bytes) => say("saved.done", { size: bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB` });
