/** How many tokens block verification keeps, from its thresholds and coins: the last success wins. */

import { decide } from "../../derive.js";
import { numeric } from "../../format.js";
import { otherBlock, pick, positions } from "./asking.js";

const long = (block) => block.gamma > 2 && Boolean(block.verdicts.block);
const keptIn = (block) => decide(block.verdicts.block, block.uniforms.verify).accepted;

export const kept = {
  id: "kept",
  /** Another answer first, then a block of it: most blocks of a good draft are kept whole, and would be asked about again and again. */
  draw(live, random) {
    const { trace, block } = live.view, answers = [...new Set(trace.blocks.filter(long).map(keptIn))];
    const others = answers.filter((count) => !block || !long(block) || count !== keptIn(block)), wanted = pick(random, others.length ? others : answers);
    return otherBlock(live, random, (one) => long(one) && keptIn(one) === wanted);
  },
  /** @param {import("./asking.js").Live} live @returns {import("./asking.js").Asked|null} */
  ask({ view }) {
    const { block, verdict, rule, blockIndex, uniforms } = view;
    if (!block || !block.gamma || rule !== "block") return null;
    const h = verdict.accept_prob.map(numeric), { accepted } = decide(verdict, uniforms), passed = h.map((x, i) => uniforms[i] < x), first = passed.indexOf(false);
    const count = passed.filter(Boolean).length, base = `/blocks/${blockIndex}`;
    const eta = (i) => ({ value: uniforms[i], path: view.whatIf ? "derived:what_if_uniform" : `${base}/uniforms/verify/${i}` });
    return {
      words: "question.kept.ask",
      values: { gamma: { value: block.gamma, path: `${base}/gamma`, whole: true }, accepted: { value: accepted, path: "derived:accepted", whole: true }, coin: eta(h.length - 1), threshold: { value: h[h.length - 1], path: `${base}/verdicts/${rule}/accept_prob/${h.length - 1}` },
        successes: passed.flatMap((yes, i) => (yes ? [i + 1] : [])).join(", ") || "–" },
      given: { block: blockIndex }, answer: accepted, tolerance: 0, right: accepted ? "question.kept.right" : "question.kept.nothing", wrong: accepted ? "question.kept.wrong" : "question.kept.nothing_wrong",
      slips: [{ value: first < 0 ? block.gamma : first, words: "question.kept.first_failure" }, { value: count, words: "question.kept.count" }].filter(({ value }) => value !== accepted),
      table: { heads: ["learn.position", "learn.token", "learn.threshold", "learn.coin"], rows: positions(view, (i) => [{ value: h[i], path: `${base}/verdicts/${rule}/accept_prob/${i}` }, eta(i)]) },
    };
  },
};
