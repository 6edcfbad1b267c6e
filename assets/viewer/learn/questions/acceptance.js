/** The acceptance of one position: what the two laws have in common. */

import { pour } from "../../sandbox/pour.js";
import { lawsOf, otherLaws } from "./asking.js";

export const acceptance = {
  id: "acceptance",
  draw: ({ state }, random) => otherLaws(random, state, (draft, target) => pour(draft, target).tv > 0.15),
  /** @param {import("./asking.js").Live} live @returns {import("./asking.js").Asked|null} */
  ask({ picture }) {
    const { draft, target } = lawsOf(picture), { overlap, tv } = pour(draft, target), answer = overlap.reduce((a, b) => a + b, 0);
    const match = draft.reduce((sum, d, v) => sum + d * target[v], 0);
    return {
      words: "question.acceptance.ask", values: { answer: { value: answer, path: "derived:overlap" }, tv: { value: tv, path: "derived:variation" } }, given: {},
      answer, tolerance: 0.005, right: "question.acceptance.right", wrong: "question.acceptance.wrong",
      slips: [{ value: tv, words: "question.acceptance.variation" }, { value: match, words: "question.acceptance.match" }].filter(({ value }) => Math.abs(value - answer) > 0.01),
    };
  },
};
