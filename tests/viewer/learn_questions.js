/** The tour's questions without a page: asks each of what a record shows, for the tests that compare the answers with the library. */

import { createStore } from "../../assets/viewer/store.js";
import { CHAPTERS, keysOf } from "../../assets/viewer/learn/chapters.js";
import { FORMULAS } from "../../assets/viewer/learn/formulas.js";
import { parse } from "../../assets/viewer/learn/math.js";
import { PAPERS } from "../../assets/viewer/learn/papers.js";
import { createProgress, readProgress } from "../../assets/viewer/learn/progress.js";
import { judge, readNumber } from "../../assets/viewer/learn/question_form.js";
import { randomOf } from "../../assets/viewer/learn/questions/asking.js";
import { partsOf } from "../../assets/viewer/learn/rich.js";
import { keysOf as termKeysOf, PICTURES, SYMBOLS, TERMS } from "../../assets/viewer/learn/terms.js";
import { words as glossary } from "../../assets/viewer/words/en/glossary.js";
import { words as guide } from "../../assets/viewer/words/en/guide.js";
import { words as learn } from "../../assets/viewer/words/en/learn.js";
import { words as questions } from "../../assets/viewer/words/en/questions.js";

const english = { ...learn, ...questions, ...glossary, ...guide };
const QUESTIONS = Object.fromEntries(CHAPTERS.map(({ question }) => [question.id, question]));

const told = (asked) => asked && { given: asked.given, answer: asked.answer, tolerance: asked.tolerance, slips: asked.slips, words: asked.words, values: Object.keys(asked.values), right: asked.right, wrong: asked.wrong };

/** @param {{name: string, trace: any, rule: string, seeds: number[]}} payload */
export function askOfTrace({ name, trace, rule, seeds }) {
  const store = createStore({ saved: true }), question = QUESTIONS[name], live = () => ({ kind: "trace", view: store.view });
  return seeds.map((seed) => {
    store.open(trace, { blockIndex: seed % trace.blocks.length, pinned: rule, phase: "score" });
    const { place } = question.draw(live(), randomOf(seed));
    store.open(trace, { pinned: rule, phase: "score", ...place });
    return { block: store.view.blockIndex, asked: told(question.ask(live(), randomOf(seed))) };
  });
}

/** The states that a question draws, each in place of the one before. @param {{name: string, seeds: number[], state: any}} payload */
export const drawStates = ({ name, seeds, state }) => seeds.map((seed) => (state = QUESTIONS[name].draw({ kind: "sandbox", state }, randomOf(seed)).state));

/** @param {{name: string, seed: number, picture: any, longrun: any}[]} payloads */
export const askOfSandboxes = (payloads) => payloads.map(({ name, seed, ...live }) => told(QUESTIONS[name].ask({ kind: "sandbox", ...live }, randomOf(seed))));

/** What the catalogue is checked against. */
export const catalogue = () => ({
  english, formulas: Object.keys(FORMULAS), chapterFormulas: CHAPTERS.flatMap(({ formulas }) => formulas), terms: TERMS, papers: Object.keys(PAPERS), pictures: PICTURES, symbols: SYMBOLS,
  keys: [...CHAPTERS.flatMap((chapter) => Object.values(keysOf(chapter)).flat()), ...TERMS.flatMap((term) => Object.values(termKeysOf(term)))],
  chapters: CHAPTERS.map(({ id }) => id), parts: Object.fromEntries(Object.entries(english).map(([key, text]) => [key, partsOf(text)])),
  parsed: Object.values(FORMULAS).map(parse).length,
});

export const numbersOf = (texts) => texts.map(readNumber);
export const judged = (pairs) => pairs.map(([asked, typed]) => judge(asked, typed));
export const progressOf = (texts) => texts.map(readProgress);

/** What is left of a tour in a storage that may be full. @param {boolean} full */
export function progressIn(full) {
  const kept = {}, storage = /** @type {any} */ ({ getItem: (name) => kept[name] ?? null, setItem(name, text) { if (full) throw new Error("full"); kept[name] = text; } });
  const progress = createProgress(storage);
  progress.add("seen", "why");
  progress.add("answered", "why");
  progress.add("answered", "why");
  progress.change({ at: "law", dismissed: true });
  const before = progress.now;
  const again = createProgress(storage).now;
  progress.forget();
  return { before, again, after: progress.now };
}
