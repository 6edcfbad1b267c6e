/** The Lab's two questions to the server outside the queue: what a grid amounts to, and what rows add up to. */

import { serverWords } from "../server_words.js";
import { say } from "../words/parts/lab.js";
import { linesOf } from "./files.js";

const PATIENCE = 120_000; // ms: a thousand rows take some seconds, more where the models are at work

/** @param {string} [root] address of the app's own root */
export function createAsk(root = document.baseURI) {
  const api = new URL("specdemo-api/", root).href;
  /** @param {string} name @param {string} body @returns {Promise<any>} the answer; an Error in words where there is none */
  async function ask(name, body) {
    let response, answer;
    try {
      response = await fetch(api + name, { method: "POST", headers: { "Content-Type": "application/json" }, body, signal: AbortSignal.timeout(PATIENCE) });
      answer = await response.json();
    } catch {
      throw new Error(say("lab.server.silent"));
    }
    if (!response.ok || !answer || answer.error) throw Object.assign(new Error((answer && answer.error && serverWords(answer.error, answer)) || say("lab.server.refused")), { refused: response.status < 500 && response.status !== 408 });
    return answer;
  }
  return {
    /** @param {any} grid */
    async plan(grid) {
      const answer = await ask("lab-plan", JSON.stringify(grid)), words = (name) => answer[name] && serverWords(answer[name], answer.told && answer.told[name]);
      return { ...answer, refused: words("refused"), no_command: words("no_command") };
    },
    /** @param {any} grid null: everything in the rows @param {string[]} lines heads and rows @param {string} [name] what errors call them */
    summary: (grid, lines, name = "the measurements") => ask("lab-summary", `${JSON.stringify({ grid, name })}\n${lines.join("\n")}\n`),
  };
}

const EVERY = 2500, SHARE = 0.1; // ms and rows: by the end of a sweep its rows have been sent some ten times over, in all
const RETRY_AFTER = [1000, 2000, 5000, 10_000, 20_000]; // ms, after an answer that was lost; what was refused would be refused again

/**
 * Asks for the summary as rows come, not more often than it is worth; `now()` asks in any case.
 * @param {any} store @param {any} ask @param {number[]} [waits] ms before each further try of a question that was lost
 */
export function createSummaries(store, ask, waits = RETRY_AFTER) {
  let busy = false, again = false, sent = -1, at = 0, tries = 0;
  /** @type {any} */
  let timer = 0;
  function now() {
    tries = 0;
    return attempt();
  }
  async function attempt() {
    clearTimeout(timer);
    const { grid, name, heads, rows } = store.state;
    if (!heads.length || !rows.size) return;
    if (busy) return void (again = true);
    busy = true;
    sent = rows.size;
    try {
      const answer = await ask.summary(grid, linesOf(store.state), name || undefined);
      tries = 0;
      if (store.state.heads.length) store.set({ answer, answered: grid, trouble: "" });
    } catch (error) {
      const more = !error.refused && tries < waits.length;
      const wait = waits[tries];
      if (more) {
        tries++;
        timer = setTimeout(attempt, wait);
      }
      if (store.state.heads.length) store.set({ trouble: more ? say("lab.trying_again", { problem: error.message, seconds: Math.ceil(wait / 1000) }) : error.message });
    }
    busy = false;
    at = performance.now();
    if (again) {
      again = false;
      await attempt();
    }
  }
  return {
    now,
    /** Rows have come. */
    more() {
      const { rows } = store.state;
      if (!busy && rows.size - sent >= Math.max(1, SHARE * rows.size) && performance.now() - at >= EVERY) attempt();
    },
    forget() {
      sent = -1;
      clearTimeout(timer);
    },
  };
}
