/**
 * What the server did not answer. A failure stands for as long as the page needs just that answer, and with it the way to ask
 * again: whatever else is said, numbers of other laws never stand there as if they were those typed. No document.
 */

import { say } from "../words/parts/sandbox.js";

/** @typedef {{of: any, text: string, again: boolean, going: boolean}} Failure `of`: what was asked; `again`: it may succeed later; `going`: it is being asked again */

export const NONE = { picture: null, optimum: null, longrun: null, presets: null };

/** What decides the optimum: the laws, not the rules. @param {import("./laws.js").State} state */
export const lawsKey = ({ symbols, gamma, context, draft, target }) => JSON.stringify([symbols, gamma, context, draft, target]);

const WANTED = {
  picture: ({ doc }) => doc, optimum: ({ pictured }) => pictured && lawsKey(pictured), longrun: ({ pictured }) => pictured, presets: () => "presets",
};

/** The failure of what is needed now, null where there is none. @param {any} state of the store @param {keyof typeof NONE} kind @returns {Failure|null} */
export function standing(state, kind) {
  const failure = state.failures[kind];
  return failure && failure.of === WANTED[kind](state) ? failure : null;
}

/** Whether what is needed now has failed and is not on its way again. */
export function hasFailed(state, kind) {
  const failure = standing(state, kind);
  return Boolean(failure) && !failure.going;
}

/** What is said of the failures that stand. @param {any} state of the store @returns {{text: string, retry: boolean, going: boolean}|null} */
export function failureOf(state) {
  const all = Object.keys(NONE).filter((kind) => standing(state, /** @type {any} */ (kind)));
  if (!all.length) return null;
  const [first] = all;
  return {
    text: say(`sandbox.failure.${first !== "picture" ? first : state.picture ? "old" : "nothing"}`, { reason: state.failures[first].text }),
    retry: all.some((kind) => state.failures[kind].again), going: all.every((kind) => state.failures[kind].going),
  };
}

/** Those that may succeed later, being asked again. */
export const retried = (failures) => Object.fromEntries(Object.entries(failures).map(([kind, failure]) => [kind, failure && failure.again ? { ...failure, going: true } : failure]));
