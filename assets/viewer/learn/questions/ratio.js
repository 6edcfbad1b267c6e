/** With which probability the token rule keeps a drafted token. */

import { ownProbabilities } from "../../derive.js";
import { numeric, sub } from "../../format.js";
import { otherBlock } from "./asking.js";

export const ratio = {
  id: "ratio",
  draw: (live, random) => otherBlock(live, random, (block) => block.gamma > 0),
  /** @param {import("./asking.js").Live} live @param {() => number} random @returns {import("./asking.js").Asked|null} */
  ask({ view }, random) {
    const { block, blockIndex } = view;
    if (!block || !block.gamma) return null;
    const i = Math.floor(random() * block.gamma), row = block.paths[0].rows[i], base = `/blocks/${blockIndex}/paths/0/rows/${i}`, draft = numeric(row.draft), target = numeric(row.target), r = numeric(row.ratio);
    const answer = ownProbabilities(block)[i];
    return {
      words: "question.ratio.ask",
      values: {
        x: `x${sub(i + 1)}`, token: { piece: view.pieces(row.token), id: row.token }, draft: { value: draft, path: `${base}/draft` }, target: { value: target, path: `${base}/target` },
        ratio: { value: r, path: `${base}/ratio` }, answer: { value: answer, path: "derived:own_test" },
      },
      given: { row: i }, answer, tolerance: 0.005, right: r >= 1 ? "question.ratio.sure" : "question.ratio.right", wrong: r >= 1 ? "question.ratio.capped" : "question.ratio.wrong",
      slips: [{ value: Math.min(1, 1 / r), words: "question.ratio.upside_down" }, { value: target, words: "question.ratio.target" }].filter(({ value }) => Math.abs(value - answer) > 0.01),
    };
  },
};
