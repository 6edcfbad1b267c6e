/** The most that a coupling may put on one cell of its diagonal: the smaller of the two marginals. */

import { otherLaws, pick } from "./asking.js";

/** Blocks that draft and target want unequally often: the smaller of two equal numbers is no question. */
function unequal({ blocks, draft, target }) {
  const all = blocks.map((_, k) => k), apart = all.filter((k) => Math.abs(draft[k] - target[k]) > 0.01);
  return apart.length ? apart : all;
}

export const cell = {
  id: "cell",
  draw: ({ state }, random) => otherLaws(random, state, (draft, target) => Math.abs(draft[0] - target[0]) > 0.15),
  /** @param {import("./asking.js").Live} live @param {() => number} random @returns {import("./asking.js").Asked|null} */
  ask({ picture }, random) {
    const b = /** @type {number} */ (pick(random, unequal(picture))), draft = picture.draft[b], target = picture.target[b], answer = Math.min(draft, target);
    const reached = picture.rules.block ? picture.rules.block.coupling[b][b] : answer;
    return {
      words: "question.cell.ask",
      values: {
        block: picture.blocks[b], draft: { value: draft, path: `picture:/draft/${b}` }, target: { value: target, path: `picture:/target/${b}` },
        answer: { value: answer, path: "derived:smaller_marginal" }, reached: { value: reached, path: `picture:/rules/block/coupling/${b}/${b}` },
      },
      given: { block: b }, answer, tolerance: 0.005, right: "question.cell.right", wrong: "question.cell.wrong",
      slips: [{ value: draft * target, words: "question.cell.product" }, { value: Math.max(draft, target), words: "question.cell.larger" }].filter(({ value }) => Math.abs(value - answer) > 0.01),
    };
  },
};
