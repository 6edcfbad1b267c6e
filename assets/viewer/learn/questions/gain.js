/** How many tokens one target call gains: those kept, and the one that the target adds. */

import { otherBlock } from "./asking.js";

/** @type {{id: string, draw: Function, ask: (live: import("./asking.js").Live) => import("./asking.js").Asked|null}} */
export const gain = {
  id: "gain",
  draw: (live, random) => otherBlock(live, random, (block) => block.gamma > 1, { phase: "correct" }),
  ask({ view }) {
    const { block, accepted, blockIndex, rule } = view;
    if (!block) return null;
    const kept = { value: accepted, path: view.whatIf ? "derived:what_if_accepted" : `/blocks/${blockIndex}/verdicts/${rule}/accepted`, whole: true };
    return {
      words: "question.gain.ask", values: { gamma: { value: block.gamma, path: `/blocks/${blockIndex}/gamma`, whole: true }, kept }, given: { block: blockIndex },
      answer: accepted + 1, tolerance: 0, right: "question.gain.right", wrong: "question.gain.wrong",
      slips: [{ value: block.gamma, words: "question.gain.all" }, { value: accepted, words: "question.gain.kept" }].filter(({ value }) => value !== accepted + 1),
    };
  },
};
