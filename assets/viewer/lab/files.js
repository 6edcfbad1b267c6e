/**
 * A sweep as files: the table as CSV and Markdown, all that is shown as one HTML page, the rows as the file that `python -m specdemo lab --out`
 * goes on from; and such a file opened.
 */

import { save } from "../compare/save.js";
import { savedWords, saveHtml, sweepRecord } from "../save_html.js";
import { say } from "../words/parts/lab.js";

const SCHEMA = "specdemo.lab/1";

/** Of all sweeps' rows the lines to send. @param {any} state */
export const linesOf = (state) => [...state.heads, ...state.rows.values()];

/** "specdemo-lab-stories.csv". @param {any} state @param {string} ending */
function nameOf(state, ending) {
  const pair = state.answer ? state.answer.summary.pair.name : JSON.parse(state.heads[state.heads.length - 1]).pair.name;
  return `specdemo-lab-${String(pair).replace(/[^\w-]+/g, "-")}.${ending}`;
}

/** @param {any} state @param {"csv"|"md"|"jsonl"} kind */
export function saveSweep(state, kind) {
  const write = (content, type) => save(nameOf(state, kind), new Blob([content], { type: `${type};charset=utf-8` }));
  if (kind === "csv") write(state.answer.csv, "text/csv");
  else if (kind === "md") write(state.answer.markdown, "text/markdown");
  else write(linesOf(state).join("\n") + "\n", "application/x-ndjson");
}

/**
 * Offers what is shown as a page that opens from disk. While a sweep goes on it holds what there is a summary of.
 * @param {any} state @param {string} base address of the app's static files @returns {Promise<string>} words
 */
export async function savePage(state, base) {
  const size = await saveHtml(sweepRecord(state), base, nameOf(state, "html"));
  const own = state.answer.summary.texts.some(({ setting, worst }) => setting.task.startsWith("own-") && worst.length);
  return own ? say("lab.save_own", { saved: savedWords(size) }) : savedWords(size);
}

/**
 * The heads and rows of a file's text; what they hold is checked by the server. A last line that was cut off when it was written is
 * left out, as the command does.
 * @param {string} content @param {string} name
 * @returns {{heads: string[], rows: Map<string, string>, lines: string[], notice: string}}
 * @throws {Error} in words, with the line
 */
export function readSweep(content, name) {
  const lines = content.replace(/^\ufeff/, "").split("\n"), rest = lines.pop();
  let notice = "";
  if (rest) {
    try {
      JSON.parse(rest);
      lines.push(rest);
    } catch {
      notice = say("lab.file.cut", { name });
    }
  }
  const heads = [], rows = new Map();
  lines.forEach((line, n) => {
    let record;
    try {
      record = JSON.parse(line);
    } catch {
      throw new Error(heads.length ? say("lab.file.no_row", { line: n + 1, name }) : say("lab.file.no_sweep", { name }));
    }
    if (record && typeof record === "object" && "schema" in record) {
      if (record.schema !== SCHEMA) throw new Error(say("lab.file.schema", { line: n + 1, name, said: String(record.schema).slice(0, 60), schema: SCHEMA }));
      heads.push(line);
    } else if (!heads.length || !record || typeof record.key !== "string") throw new Error(heads.length ? say("lab.file.no_row", { line: n + 1, name }) : say("lab.file.begins", { name }));
    else if (!rows.has(record.key)) rows.set(record.key, line);
  });
  if (!heads.length) throw new Error(say("lab.file.no_head", { name }));
  return { heads, rows, lines, notice };
}

/** Opens a file, if it may be so large. @param {File} file @param {number} most bytes */
export async function openSweep(file, most) {
  if (file.size > most) throw new Error(say("lab.file.large", { name: file.name, size: (file.size / 1e6).toFixed(1), most: most / 1e6 }));
  return readSweep(await file.text(), file.name);
}
