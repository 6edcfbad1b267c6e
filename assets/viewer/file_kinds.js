/** Whose a file is: one that another page opens is told where. */

import { say } from "./words/parts/files.js";

const BEGINNING = 1024 * 1024; // bytes of a large file in which its first line is looked for
/** By the schema's name without its version. @type {Record<string, string>} */
const KINDS = { "specdemo.lab": "file.lab", "specdemo.trace": "file.run", "specdemo.sandbox-file": "file.state" };

/** The schema that a text names: the whole as JSON, else its first line, as a sweep's. @param {string} content */
function schemaOf(content) {
  for (const part of [content, content.trimStart().split("\n")[0]]) {
    try {
      const parsed = JSON.parse(part);
      return parsed && typeof parsed.schema === "string" ? parsed.schema : "";
    } catch {
      // Perhaps its first line is.
    }
  }
  return "";
}

/**
 * Where a file is opened, in words; null where it is this page's or nobody's.
 * @param {File} file @param {string} own schema of this page's files @returns {Promise<string|null>}
 */
export async function elsewhere(file, own) {
  const name = schemaOf((await file.slice(0, BEGINNING).text()).replace(/^\ufeff/, "")).split("/")[0];
  return name !== own.split("/")[0] && Object.hasOwn(KINDS, name) ? say(KINDS[name]) : null;
}
