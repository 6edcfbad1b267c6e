/**
 * Asks the server: `POST specdemo-api/NAME`, JSON text both ways. While one question of a kind is in flight only the newest
 * further one waits, so that dragging never queues up what nobody will look at.
 */

const PATIENCE = 60_000; // ms

/** The server did not answer, so the same question may succeed later; `said` is what it said of that, if anything. */
export class NoAnswer extends Error {
  /** @param {string} reason @param {string} [said] */
  constructor(reason, said = "") {
    super(reason);
    this.said = said;
  }
}

/** The server answered, and the answer is no. */
export class Refused extends Error {}

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
    if (response.ok && !answer.error) return answer;
    const said = typeof answer.error === "string" ? answer.error : "";
    if (response.status >= 500) throw new NoAnswer(String(response.status), said);
    throw new Refused(said || "The server did not accept this.");
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
