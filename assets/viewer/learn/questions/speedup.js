/** The speed-up that a run's own costs and expectations promise: (E[τ] + 1) / (γc + v), with v = 1. */

import { runningMean } from "../../derive.js";
import { times } from "../../timestrip.js";
import { pick } from "./asking.js";

/** Examples whose drafts differ in cost and in agreement. */
const RUNS = ["rescue", "certain", "open", "same-law", "all-kept"];

/** What a draft step costs in target calls, over a run; null where it has no times. @param {any} trace */
export function draftCost(trace) {
  let draft = 0, steps = 0, target = 0, calls = 0;
  for (const block of trace.blocks) {
    const t = times(block);
    if (!t || !t.steps.length) return null;
    draft += t.draft;
    steps += t.steps.length;
    target += t.target;
    calls += 1;
  }
  return calls ? draft / steps / (target / calls) : null;
}

export const speedup = {
  id: "speedup",
  draw: ({ view }, random) => ({ example: pick(random, RUNS.filter((name) => name !== view.example)), place: { blockIndex: 0 } }),
  /** @param {import("./asking.js").Live} live @returns {import("./asking.js").Asked|null} */
  ask({ view }) {
    const { trace, rule } = view, c = trace && draftCost(trace), mean = trace && runningMean(trace, rule, trace.blocks.length - 1);
    if (!c || !mean) return null;
    const gamma = trace.settings.gamma, gain = mean.expected + 1, answer = gain / (gamma * c + 1);
    return {
      words: "question.speedup.ask",
      values: {
        gamma: { value: gamma, path: "/settings/gamma", whole: true }, gain: { value: gain, path: "derived:mean_gain" }, cost: { value: c, path: "derived:draft_cost" },
        spent: { value: gamma * c + 1, path: "derived:block_cost" }, answer: { value: answer, path: "derived:speedup" },
      },
      given: { gamma }, answer, tolerance: 0.05, right: answer > 1 ? "question.speedup.pays" : "question.speedup.loses", wrong: "question.speedup.wrong",
      slips: [{ value: gain / (c + 1), words: "question.speedup.one_step" }, { value: gain, words: "question.speedup.free" }, { value: (gain - 1) / (gamma * c + 1), words: "question.speedup.no_bonus" }].filter(({ value }) => Math.abs(value - answer) > 0.1),
    };
  },
};
