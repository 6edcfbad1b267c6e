/** The probability of a bonus: that every drafted token passes. */

import { numeric } from "../../format.js";
import { otherBlock, positions } from "./asking.js";

export const bonus = {
  id: "bonus",
  draw: (live, random) => otherBlock(live, random, (block) => block.gamma > 1 && Math.abs(numeric(block.verdicts.token.length_law[block.gamma]) - 0.5) < 0.48),
  /** @param {import("./asking.js").Live} live @returns {import("./asking.js").Asked|null} */
  ask({ view }) {
    const { block, verdict, rule, blockIndex } = view;
    if (!block || block.gamma < 2 || rule !== "token") return null;
    const h = verdict.accept_prob.map(numeric), answer = numeric(verdict.length_law[block.gamma]), base = `/blocks/${blockIndex}/verdicts/${rule}`;
    const mean = h.reduce((a, b) => a + b, 0) / h.length, least = Math.min(...h);
    return {
      words: "question.bonus.ask", values: { gamma: { value: block.gamma, path: `/blocks/${blockIndex}/gamma`, whole: true }, answer: { value: answer, path: `${base}/length_law/${block.gamma}` }, least: { value: least, path: "derived:least_coin" }, mean: { value: mean, path: "derived:mean_coin" } },
      given: { block: blockIndex }, answer, tolerance: 0.005, right: "question.bonus.right", wrong: "question.bonus.wrong",
      slips: [{ value: least, words: "question.bonus.least" }, { value: mean, words: "question.bonus.mean" }].filter(({ value }) => Math.abs(value - answer) > 0.01),
      table: { heads: ["learn.position", "learn.token", "learn.threshold"], rows: positions(view, (i) => [{ value: h[i], path: `${base}/accept_prob/${i}` }]) },
    };
  },
};
