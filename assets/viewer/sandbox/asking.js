/**
 * When the server is asked for what: the picture at every change, the optimum and the long run once the hand rests,
 * because they may take a second.
 */

import { NoAnswer, patiently, Refused } from "./ask.js";
import { hasFailed, lawsKey, retried } from "./failures.js";
import { say } from "../words/parts/sandbox.js";
import { SIDES } from "./laws.js";
import { LONGEST_TEXT } from "./typed.js";

const LONGEST_SENT = 1000; // characters of a text
const REST = 200; // ms without a change

/** Texts too long to be sent, as problems of their fields. @param {import("./laws.js").State} state */
export function tooLong(state) {
  return SIDES.flatMap((side) => state[side].flatMap((rows, level) => rows.flatMap((row, at) => row.flatMap((typed, symbol) => (
    typed.length > LONGEST_SENT ? [{ side, level, row: at, symbol, text: typed.slice(0, 100), message: say("sandbox.text_long", { count: typed.length, most: LONGEST_TEXT }) }] : []
  )))));
}

/** @param {any} store @param {any} ask from ask.js @param {() => boolean} isVisible */
export function createAsking(store, ask, isVisible) {
  const kinds = { sandbox: ask.newest("sandbox"), optimum: ask.newest("optimum"), longrun: ask.newest("longrun") };
  let asked = null, timer = 0;
  const going = { optimum: null, longrun: null };
  const failuresBut = (kind) => ({ ...store.state.failures, [kind]: null });

  /** @param {"picture"|"optimum"|"longrun"|"presets"} kind @param {any} error @param {any} of what was asked @param {object} [change] */
  function failed(kind, error, of, change = {}) {
    if (!(error instanceof NoAnswer) && !(error instanceof Refused)) throw error;
    const again = error instanceof NoAnswer, text = again ? error.said || say("sandbox.gone") : error.message;
    store.set({ ...change, failures: { ...store.state.failures, [kind]: { of, text, again, going: false } } });
  }

  async function picture(doc) {
    asked = doc;
    const long = tooLong(doc);
    /** A state that is left and comes back is a question again. */
    const done = () => { if (asked === doc) asked = null; };
    try {
      // Either way the view at hand is drawn first.
      const answer = await (long.length ? { problems: long } : patiently(() => kinds.sandbox(doc), () => store.state.doc === doc));
      done();
      if (answer === null) return;
      const failures = failuresBut("picture");
      if (!answer.problems) store.set({ picture: answer, pictured: doc, answered: doc, failures });
      // The problems of a state that has been corrected meanwhile are nobody's.
      else if (store.state.doc === doc) store.set({ problems: answer.problems, problemsOf: doc, answered: doc, failures });
    } catch (error) {
      done();
      failed("picture", error, doc);
    }
  }

  /** @param {"optimum"|"longrun"} kind @param {any} of what identifies the question */
  async function slow(kind, of, question) {
    if (going[kind] === of) return;
    going[kind] = of;
    try {
      const answer = await patiently(() => kinds[kind](question), () => going[kind] === of);
      if (answer !== null) store.set({ [kind]: answer, [`${kind}Of`]: of, failures: failuresBut(kind) });
    } catch (error) {
      failed(kind, error, of, { [kind]: null, [`${kind}Of`]: null });
    }
    if (going[kind] === of) going[kind] = null;
  }

  function rested() {
    timer = 0;
    const { state } = store, { pictured, answered, doc, moving, optimumOf, longrunOf, wantsLongrun } = state;
    if (!pictured || pictured !== doc || answered !== doc || moving || !isVisible()) return;
    const key = lawsKey(pictured);
    if (optimumOf !== key && !hasFailed(state, "optimum")) slow("optimum", key, pictured);
    if (wantsLongrun && longrunOf !== pictured && pictured.context === "free" && !hasFailed(state, "longrun")) slow("longrun", pictured, { ...pictured, blocks: wantsLongrun });
  }

  return {
    /** Called for every change of the store. */
    update() {
      const { doc, answered } = store.state;
      if (!isVisible()) return;
      if (doc !== answered && doc !== asked && !hasFailed(store.state, "picture")) picture(doc);
      clearTimeout(timer);
      timer = setTimeout(rested, REST);
    },
    failed,
    /** Asks again for what could not be had. */
    retry: () => store.set({ failures: retried(store.state.failures) }),
  };
}
