/** The bets of each page: what is asked at a view, and what is told. Of the ledger's keys, too: a block by its digest, a state by its text. No document. */

import { stateText } from "../sandbox/state_text.js";
import { scored } from "./block_numbers.js";
import { askable, blockQuestions, blockTold, stateQuestions, stateTold } from "./questions.js";

const NONE = { key: "", questions: [], asking: false, told: null };

/** @param {string} page @param {any} block */
const blockKey = (page, block) => `${page}/${block.digest}`;
/** Which of the two rules stands on the left changes nothing. @param {any} doc */
const stateKey = (doc) => `sandbox/${stateText(doc)}/${[...doc.rules].sort().join()}`;

/** @param {string} page @param {any} ledger @param {string[]} kinds @returns {(block: any) => boolean} */
export const blockAsks = (page, ledger, kinds) => (block) => askable(block, kinds).length > 0 && !ledger.done(blockKey(page, block));

/** @param {any} ledger @returns {(doc: any) => boolean} */
export const stateAsks = (ledger) => (doc) => !ledger.done(stateKey(doc));

/** @param {string} page @param {any} ledger @param {string[]} kinds */
export function blockBets(page, ledger, kinds) {
  return (view) => {
    const { block, pieces } = view;
    if (!block) return NONE;
    const key = blockKey(page, block), step = page === "step", rules = step ? [view.rule] : view.rules;
    if (view.predicting) return { key, questions: blockQuestions(view, kinds, rules), asking: !step || view.phase === "score", told: null, pieces, numbers: step ? null : scored(view) };
    const shown = ledger.done(key) && (!step || (view.revealed.next && !view.whatIf));
    return { key, questions: [], asking: false, told: shown ? blockTold(view, ledger.bets(key)) : null, pieces };
  };
}

/** @param {any} ledger */
export function stateBets(ledger) {
  return (view) => {
    const key = stateKey(view.state);
    if (view.predicting) return { key, questions: stateQuestions(view.state), asking: view.problems.length === 0, told: null };
    return { key, questions: [], asking: false, told: view.picture && view.current ? stateTold(view, ledger.bets(key)) : null };
  };
}
