/**
 * When the server is asked for what: the picture at every change, the linear programme and the long run once the hand rests,
 * because they may take a second.
 */

import { NoAnswer, Refused } from "./ask.js";
import { SIDES } from "./laws.js";

const LONGEST_SENT = 1000; // characters of a text
const REST = 200; // ms without a change
const GONE = "The server does not answer. What is drawn is the last picture it gave.";

/** Texts too long to be sent, as problems of their fields. @param {import("./laws.js").State} state */
export function tooLong(state) {
  return SIDES.flatMap((side) => state[side].flatMap((rows, level) => rows.flatMap((row, at) => row.flatMap((typed, symbol) => (
    typed.length > LONGEST_SENT ? [{ side, level, row: at, symbol, text: typed.slice(0, 100), message: `this has ${typed.length} characters: at most 40 are read` }] : []
  )))));
}

/** @param {any} store @param {any} ask from ask.js @param {() => boolean} isVisible */
export function createAsking(store, ask, isVisible) {
  const kinds = { sandbox: ask.newest("sandbox"), optimum: ask.newest("optimum"), longrun: ask.newest("longrun") };
  let asked = null, timer = 0;
  const going = { optimum: null, longrun: null };

  /** @param {any} error @param {object} change what of the state settles, so that nothing is asked again and again */
  function failed(error, change) {
    if (!(error instanceof NoAnswer) && !(error instanceof Refused)) throw error;
    const retry = error instanceof NoAnswer;
    store.set({ ...change, message: { kind: "error", text: retry ? error.said || GONE : error.message, retry } });
  }

  async function picture(doc) {
    asked = doc;
    const long = tooLong(doc);
    if (long.length) {
      await null; // the view at hand is drawn first
      return store.set({ problems: long, answered: doc, status: store.state.picture ? "ready" : store.state.status });
    }
    try {
      const answer = await kinds.sandbox(doc);
      if (answer === null) return;
      const { message } = store.state, recovered = message && message.retry ? { message: null } : {};
      if (answer.problems) {
        // The problems of a state that has been corrected meanwhile are nobody's.
        if (store.state.doc === doc) store.set({ problems: answer.problems, answered: doc, status: "ready", ...recovered });
      } else store.set({ picture: answer, pictured: doc, answered: doc, problems: store.state.doc === doc ? [] : store.state.problems, status: "ready", ...recovered });
    } catch (error) {
      failed(error, { answered: doc, status: store.state.picture ? "ready" : "error" });
    }
  }

  /** @param {"optimum"|"longrun"} kind @param {any} of what identifies the question */
  async function slow(kind, of, question) {
    if (going[kind] === of) return;
    going[kind] = of;
    const settled = kind === "optimum" ? { optimumOf: of } : { longrunOf: of };
    try {
      const answer = await kinds[kind](question);
      if (answer !== null) store.set({ [kind]: answer, ...settled });
    } catch (error) {
      failed(error, { [kind]: null, ...settled });
    }
    if (going[kind] === of) going[kind] = null;
  }

  function rested() {
    timer = 0;
    const { pictured, answered, doc, moving, optimumOf, longrunOf, wantsLongrun } = store.state;
    if (!pictured || pictured !== doc || answered !== doc || moving || !isVisible()) return;
    const key = store.lawsKey(pictured);
    if (optimumOf !== key) slow("optimum", key, pictured);
    if (wantsLongrun && longrunOf !== pictured && pictured.context === "free") slow("longrun", pictured, { ...pictured, blocks: wantsLongrun });
  }

  return {
    /** Called for every change of the store. */
    update() {
      const { doc, answered } = store.state;
      if (!isVisible()) return;
      if (doc !== answered && doc !== asked) picture(doc);
      clearTimeout(timer);
      timer = setTimeout(rested, REST);
    },
    /** Asks again for what could not be had. */
    retry() {
      asked = null;
      store.set({ answered: null, message: null, optimumOf: null, longrunOf: null });
    },
  };
}
