/**
 * Asks the server: `POST specdemo-api/NAME`, JSON text both ways. While one question of a kind is in flight only the newest
 * further one waits, so that dragging never queues up what nobody will look at.
 */

import { serverWords } from "../server_words.js";
import { say } from "../words/parts/sandbox.js";

const PATIENCE = 60_000; // ms
const BUSY = 1000; // ms until one that was too busy is asked once more

/** What an answer is at the least: one that is JSON but something else is none. */
const SHAPES = {
  sandbox: (answer) => Array.isArray(answer.problems) || (answer.schema === "specdemo.sandbox/1" && Array.isArray(answer.blocks) && Boolean(answer.rules && answer.levels && answer.tree && answer.optimum)),
  optimum: (answer) => Array.isArray(answer.coupling), longrun: (answer) => Boolean(answer.rules), audit: (answer) => Boolean(answer.report), presets: (answer) => Array.isArray(answer),
};

/** The server did not answer, so the same question may succeed later; `said` is what it said of that, if anything. */
export class NoAnswer extends Error {
  /** @param {string} reason @param {string} [said] @param {boolean} [busy] it has too much to do right now */
  constructor(reason, said = "", busy = false) {
    super(reason);
    this.said = said;
    this.busy = busy;
  }
}

/** The server answered, and the answer is no. */
export class Refused extends Error {}

/**
 * A question that is put once more, by itself, to a server that was too busy; null where nobody wants that any more.
 * @template T @param {() => Promise<T>} question @param {() => boolean} [wanted] @returns {Promise<T|null>}
 */
export async function patiently(question, wanted = () => true) {
  try {
    return await question();
  } catch (error) {
    if (!(error instanceof NoAnswer) || !error.busy) throw error;
    await new Promise((done) => setTimeout(done, BUSY));
    return wanted() ? question() : null;
  }
}

/** @param {{root?: string}} [options] address of the app's own root */
export function createAsk({ root = document.baseURI } = {}) {
  const api = new URL("specdemo-api/", root).href;

  /** @param {string} name @param {any} question @returns {Promise<any>} */
  async function ask(name, question) {
    let response, answer;
    try {
      response = await fetch(api + name, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question), signal: AbortSignal.timeout(PATIENCE),
      });
      answer = await response.json();
    } catch (error) {
      throw new NoAnswer(String(error));
    }
    const some = answer && typeof answer === "object" ? answer : {}, said = typeof some.error === "string" ? serverWords(some.error, some) : "";
    if (response.ok && !said) {
      if (SHAPES[name](some)) return answer;
      throw new NoAnswer("no answer of this kind", say("sandbox.answer.other"));
    }
    if (response.status >= 500) throw new NoAnswer(String(response.status), said, response.status === 503);
    throw new Refused(said || say("sandbox.answer.refused"));
  }

  /**
   * Questions of one kind, the newest winning; one that a newer one has replaced answers null.
   * @param {string} name @returns {(question: any) => Promise<any>}
   */
  function newest(name) {
    let busy = false, waiting = null;
    async function go(question, settle) {
      busy = true;
      try {
        settle.resolve(await ask(name, question));
      } catch (error) {
        settle.reject(error);
      }
      busy = false;
      if (!waiting) return;
      const next = waiting;
      waiting = null;
      go(next.question, next.settle);
    }
    return (question) => new Promise((resolve, reject) => {
      const settle = { resolve, reject };
      if (!busy) return void go(question, settle);
      if (waiting) waiting.settle.resolve(null);
      waiting = { question, settle };
    });
  }

  return { ask, newest };
}
