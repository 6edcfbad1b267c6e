/** Opens the record that stands in this file: reads it, says where it is none, and keeps the page's colours those of the system. */

import { SCHEMA } from "../save_html.js";
import { say } from "../words/parts/saved.js";
import { language, speak, take } from "../words/words.js";

/** @param {string} page @returns {any} @throws {Error} with words for the reader */
function readRecord(page) {
  const element = document.getElementById("record");
  let record = null;
  try {
    record = JSON.parse(element ? element.textContent || "" : "");
  } catch {
    throw new Error(say("saved.damaged"));
  }
  if (!record || record.schema !== SCHEMA || record.page !== page || typeof record.saved !== "string") throw new Error(say("saved.other", { schema: SCHEMA }));
  return record;
}

/** In the language that the file was saved in. @param {any} words of the record */
function speakAsSaved(words) {
  if (!words || typeof words !== "object") return;
  speak(String(words.language));
  for (const [part, texts] of Object.entries(words.words || {})) take(part, texts || {});
  document.documentElement.lang = language();
}

/** Dark where the system is; on paper always light. */
function followColours() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = (printing = false) => document.body.classList.toggle("dark", dark.matches && !printing);
  dark.addEventListener("change", () => follow());
  window.addEventListener("beforeprint", () => follow(true));
  window.addEventListener("afterprint", () => follow());
  follow();
}

/**
 * Calls `draw` with the page's element and the record, once the document is there.
 * @param {"step"|"sandbox"|"lab"} page @param {(root: HTMLElement, record: any) => void} draw
 */
export function openRecord(page, draw) {
  const open = () => {
    const root = /** @type {HTMLElement} */ (document.getElementById("viewer"));
    followColours();
    try {
      const record = readRecord(page);
      speakAsSaved(record.words);
      draw(root, record);
    } catch (error) {
      root.dataset.state = "error";
      root.textContent = say("saved.cannot_be_shown", { reason: error.message });
      console.error(error);
    }
  };
  // The record is behind the script.
  document.addEventListener("DOMContentLoaded", open, { once: true });
}

/** Which program made the file: "specdemo 0.1.0, viewer 0123456789abcdef". */
export const madeBy = () => document.querySelector("meta[name=generator]")?.getAttribute("content") || "specdemo";
