/** The law of the correction at one position: the residual, divided by its sum. */

import { letters } from "../../sandbox/laws.js";
import { pour } from "../../sandbox/pour.js";
import { lawsOf, lawValue, otherLaws, pick } from "./asking.js";

export const correction = {
  id: "correction",
  draw: ({ state }, random) => otherLaws(random, state, (draft, target) => pour(draft, target).residual.filter((mass) => mass > 0.05).length > 1),
  /** @param {import("./asking.js").Live} live @param {() => number} random @returns {import("./asking.js").Asked|null} */
  ask({ picture }, random) {
    const { draft, target } = lawsOf(picture), { residual, tv } = pour(draft, target), wanted = residual.map((mass, v) => v).filter((v) => residual[v] > 1e-9);
    const v = pick(random, wanted);
    if (v === null) return null;
    const answer = residual[v] / tv;
    return {
      words: "question.correction.ask",
      values: {
        symbol: letters(draft.length)[v], draft: lawValue(picture, "draft", v), target: lawValue(picture, "target", v),
        lack: { value: residual[v], path: "derived:residual" }, sum: { value: tv, path: "derived:residual_sum" }, answer: { value: answer, path: "derived:next_law" },
      },
      given: { symbol: v }, answer, tolerance: 0.005, right: "question.correction.right", wrong: "question.correction.wrong",
      slips: [{ value: target[v], words: "question.correction.target" }, { value: residual[v], words: "question.correction.unnormalised" }].filter(({ value }) => Math.abs(value - answer) > 0.01),
    };
  },
};
