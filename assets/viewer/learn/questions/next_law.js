/** How often a lossless rule lets a token through at a position, over all drafts and coins: as often as the target would. */

import { part } from "../../derive.js";
import { otherBlock, pick } from "./asking.js";

/** What reaches a token at a row: kept as drafted, or as a correction. @param {any} view @param {number} i row @param {number} v place in the row */
export function emitted(view, i, v) {
  const { overlap, corrected } = part(view.block, view.verdict, i);
  return overlap[v] + corrected[v];
}

export const nextLaw = {
  id: "next_law",
  draw: (live, random) => otherBlock(live, random, (block) => block.gamma > 0),
  /** @param {import("./asking.js").Live} live @param {() => number} random @returns {import("./asking.js").Asked|null} */
  ask({ view }, random) {
    const { block } = view;
    if (!block || !block.gamma || view.rule !== "token") return null;
    const p = part(block, view.verdict, 0), apart = p.ids.map((_, v) => v).filter((v) => Math.min(p.draft[v], p.target[v]) > 0.01 && Math.abs(p.draft[v] - p.target[v]) > 0.02);
    const v = pick(random, apart);
    if (v === null) return null;
    const base = `/blocks/${view.blockIndex}/paths/0/rows/0/shown`, id = p.ids[v];
    const draft = { value: p.draft[v], path: `${base}/draft/${v}` }, target = { value: p.target[v], path: `${base}/target/${v}` };
    return {
      words: "question.next_law.ask", values: { token: { piece: view.pieces(id), id }, draft, target, kept: { value: p.overlap[v], path: "derived:overlap" }, corrected: { value: p.corrected[v], path: "derived:corrected" } },
      given: { row: 0, token: id }, answer: emitted(view, 0, v), tolerance: 0.005, right: "question.next_law.right", wrong: "question.next_law.wrong",
      slips: [{ value: p.draft[v], words: "question.next_law.draft" }, { value: p.overlap[v], words: "question.next_law.overlap" }].filter(({ value }) => Math.abs(value - p.target[v]) > 0.01),
    };
  },
};
