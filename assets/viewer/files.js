/** Traces as files: one out as it is, one in after a check. Nothing leaves the browser. */

import { save } from "./compare/save.js";
import { NotAnExport, validTrace } from "./validate.js";

export const LARGEST = 8 * 1024 * 1024;

/** "specdemo-stories-0123abcd.json". @param {any} trace @param {string} ending */
export function fileName(trace, ending) {
  const tail = String(trace.digest || "").replace(/^sha256:/, "").slice(0, 8);
  return `specdemo-${String(trace.pair.name).replace(/[^\w-]+/g, "-")}${tail ? "-" + tail : ""}.${ending}`;
}

/** Offers the trace as a JSON file. A what-if is never in it. @param {any} trace */
export const exportTrace = (trace) => save(fileName(trace, "json"), new Blob([JSON.stringify(trace)], { type: "application/json" }));

/**
 * Reads a trace from a file.
 * @param {File} file
 * @returns {Promise<any>}
 * @throws {Error} with words for the reader
 */
export async function importTrace(file) {
  if (file.size > LARGEST) throw new Error(`The file has ${(file.size / 1048576).toFixed(1)} MB; at most ${LARGEST / 1048576} MB are read.`);
  const content = await file.text();
  let parsed;
  try {
    parsed = JSON.parse(content);
  } catch (error) {
    throw new Error(`The file is not JSON (${String(error.message).slice(0, 120)}).`);
  }
  try {
    return validTrace(parsed);
  } catch (error) {
    if (error instanceof NotAnExport) throw new Error(`This file is not a specdemo export (${error.message}).`);
    throw new Error(`The file is no trace that this page can show. ${error.message}.`);
  }
}
