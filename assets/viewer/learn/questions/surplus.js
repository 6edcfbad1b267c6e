/** How many of a thousand tokens come out too often where the correction is drawn from the target itself. */

import { letters } from "../../sandbox/laws.js";
import { pour } from "../../sandbox/pour.js";
import { lawsOf, lawValue, otherLaws, pick } from "./asking.js";

const TOKENS = 1000;
/** The entry of the gallery that this is about. */
export const MISTAKE = "correction_from_target_in_token";

export const surplus = {
  id: "surplus",
  draw: ({ state }, random) => otherLaws(random, state, (draft, target) => pour(draft, target, true).wrong > 0.05),
  /** @param {import("./asking.js").Live} live @param {() => number} random @returns {import("./asking.js").Asked|null} */
  ask({ picture }, random) {
    const rule = picture.rules[MISTAKE];
    if (!rule || picture.gamma !== 1) return null;
    const { draft, target } = lawsOf(picture), excess = rule.output.map((mass, v) => mass - target[v]), v = pick(random, excess.map((_, k) => k).filter((k) => excess[k] > 0.004));
    if (v === null) return null;
    const answer = TOKENS * excess[v], { overlap, tv } = pour(draft, target);
    return {
      words: "question.surplus.ask",
      values: {
        tokens: String(TOKENS), symbol: letters(draft.length)[v], draft: lawValue(picture, "draft", v), target: lawValue(picture, "target", v), kept: { value: overlap[v], path: "derived:overlap" },
        tv: { value: tv, path: "derived:variation" }, output: { value: rule.output[v], path: `picture:/rules/${MISTAKE}/output/${v}` }, answer: { value: answer, path: "derived:surplus" },
      },
      given: { symbol: v }, answer, tolerance: 5, right: "question.surplus.right", wrong: "question.surplus.wrong",
      slips: [{ value: TOKENS * rule.output[v], words: "question.surplus.all" }, { value: TOKENS * tv * target[v], words: "question.surplus.corrected" }].filter(({ value }) => Math.abs(value - answer) > 10),
    };
  },
};
