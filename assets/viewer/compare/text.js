/** The text of the whole run, for `../text.js`: prompt and committed tokens, each with its block; the block at hand is filled. */

import { promptTokens } from "../text.js";
import { say } from "../words/parts/compare.js";

/** @param {any} view @returns {import("../text.js").Token[]} */
export function textTokens(view) {
  const { trace } = view;
  const out = promptTokens(trace);
  trace.blocks.slice(0, view.end ?? Infinity).forEach((block, k) => { // what is still to be predicted is not told
    const { next_kind: kind } = block.verdicts[block.verifier];
    block.committed.forEach((id, i) => out.push({ id, kind: i < block.kept ? "kept" : kind, block: k, row: Math.min(i, Math.max(block.gamma - 1, 0)) }));
  });
  return out;
}

export const emptyWords = () => say("compare.empty");
