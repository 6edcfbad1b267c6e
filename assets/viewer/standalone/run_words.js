/** What a saved run says about itself. No document. */

import { plural } from "../format.js";
import { ruleWords } from "../lengths.js";
import { modeOf, MODES } from "../prompt_modes.js";
import { dateWords } from "./head.js";

const WHAT = "One run of speculative decoding, as specdemo recorded it. Everything here is drawn from that record: nothing is decoded or fetched any more. "
  + "Step through it, switch the verifier, drag a coin, click a number for its formula.";
const ENDED = { eos: "ended by the end of the text", length: "ended by the limit on new tokens", context: "ended by the context limit" };
const OFF = { top_k: 0, top_p: 1 };

/** @param {any} trace */
export function settingsWords({ settings }) {
  const { verifier, gamma, temperature, top_k, top_p, seed, stream, max_new_tokens } = settings;
  return [
    `verifier ${ruleWords(verifier)}`, `γ = ${gamma}`, `temperature ${temperature}`, top_k === OFF.top_k ? "top-k off" : `top-k ${top_k}`, top_p === OFF.top_p ? "top-p off" : `top-p ${top_p}`,
    `seed ${seed}`, ...(stream ? [`stream ${stream}`] : []), ...(modeOf(settings) === "text" ? [] : [`prompt: ${MODES[modeOf(settings)] || modeOf(settings)}`]), `at most ${plural(max_new_tokens, "new token")}`,
  ].join(", ");
}

/** The run in a line. @param {any} trace @param {string} saved */
export const runLine = ({ pair, settings, blocks }, saved) => (
  `${pair.title}, draft ${pair.draft} · γ = ${settings.gamma}, temperature ${settings.temperature}, seed ${settings.seed} · ${plural(blocks.length, "block")} · saved ${saved.slice(0, 10)}`
);

/** Terms and their words. @param {any} trace @param {string} saved @param {string} madeBy */
export function runFacts(trace, saved, madeBy) {
  const { pair, blocks, prompt, versions, created, finish, digest } = trace;
  const tokens = blocks.reduce((sum, block) => sum + block.committed.length, 0);
  return [
    ["This file", WHAT],
    ["Prompt", prompt.text || "(empty: from the beginning of a text)"],
    ["Pair", `${pair.title} (${pair.name}), draft ${pair.draft}; ${pair.vocab_size} symbols; ${pair.device}, ${pair.dtype}`],
    ["Weights", `target ${pair.target_revision}, draft ${pair.draft_revision}`],
    ["Settings", settingsWords(trace)],
    ["Run", `${plural(tokens, "token")} in ${plural(blocks.length, "block")}, ${ENDED[finish] || "not decoded to its end"}; ${digest}`],
    ["Decoded", `${dateWords(created)}, with ${Object.entries(versions || {}).map(([name, version]) => `${name} ${version}`).join(", ")}`],
    ["Saved", `${dateWords(saved)}, by ${madeBy}`],
  ];
}
