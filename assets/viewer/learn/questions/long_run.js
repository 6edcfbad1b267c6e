/** By how many tokens block verification is ahead of greedy block verification after a hundred target calls. */

import { pick } from "./asking.js";

const CALLS = 100;

export const longRun = {
  id: "long_run",
  draw({ state }, random) {
    const shares = [[1, 4], [1, 3], [2, 5], [3, 10], [1, 5]].map(([a, b]) => [`${b - a}/${b}`, `${a}/${b}`]).filter(([first]) => first !== state.draft[0][0][0]);
    const draft = /** @type {string[]} */ (pick(random, shares));
    return { state: { ...state, context: "free", draft: [[draft]], target: [[draft.slice().reverse()]] } };
  },
  /** @param {import("./asking.js").Live} live @returns {import("./asking.js").Asked|null} */
  ask({ longrun }) {
    const block = longrun && longrun.rules.block, greedy = longrun && longrun.rules.greedy_block;
    if (!block || !greedy) return null;
    const answer = CALLS * (block.long_run - greedy.long_run), first = CALLS * (block.expected[0] - greedy.expected[0]);
    const end = (rule) => ({ value: longrun.rules[rule].long_run, path: `longrun:/rules/${rule}/long_run` });
    const start = (rule) => ({ value: longrun.rules[rule].expected[0], path: `longrun:/rules/${rule}/expected/0` });
    return {
      words: "question.long_run.ask",
      values: {
        calls: String(CALLS), block: end("block"), greedy: end("greedy_block"), first_block: start("block"), first_greedy: start("greedy_block"),
        answer: { value: answer, path: "derived:lead" },
      },
      given: { calls: CALLS }, answer, tolerance: 1.5, right: "question.long_run.right", wrong: "question.long_run.wrong",
      slips: [{ value: first, words: "question.long_run.first" }, { value: -first, words: "question.long_run.first" }, { value: -answer, words: "question.long_run.sign" }].filter(({ value }) => Math.abs(value - answer) > 3),
    };
  },
};
