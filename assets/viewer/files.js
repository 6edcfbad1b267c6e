/** Traces as files: one out as it is, one in after a check. Nothing leaves the browser. */

import { save } from "./compare/save.js";
import { elsewhere } from "./file_kinds.js";
import { NotAnExport, SCHEMA, validTrace } from "./validate.js";
import { say } from "./words/parts/files.js";

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
  const other = await elsewhere(file, SCHEMA);
  if (other) throw new Error(other);
  if (file.size > LARGEST) throw new Error(say("file.too_large", { size: (file.size / 1048576).toFixed(1), most: LARGEST / 1048576 }));
  const content = await file.text();
  let parsed;
  try {
    parsed = JSON.parse(content);
  } catch (error) {
    throw new Error(say("file.no_json", { reason: String(error.message).slice(0, 120) }));
  }
  try {
    return validTrace(parsed);
  } catch (error) {
    if (error instanceof NotAnExport) throw new Error(say("file.no_export", { reason: error.message }));
    throw new Error(say("file.no_trace", { reason: error.message }));
  }
}
