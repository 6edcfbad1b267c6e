/** What a saved run says about itself. No document. */

import { pairTitle } from "../pair_words.js";
import { ruleWords } from "../rule_names.js";
import { modeOf, MODES } from "../prompt_modes.js";
import { say } from "../words/parts/saved.js";
import { say as common } from "../words/parts/viewer.js";
import { dateWords } from "./head.js";

const ENDS = ["eos", "length", "context"];
const OFF = { top_k: 0, top_p: 1 };

/** @param {any} trace */
export function settingsWords({ settings }) {
  const { verifier, gamma, temperature, top_k, top_p, seed, stream, max_new_tokens } = settings;
  return [
    say("saved.setting.verifier", { rule: ruleWords(verifier) }), `γ = ${gamma}`, say("saved.setting.temperature", { value: temperature }),
    top_k === OFF.top_k ? say("saved.setting.top_k_off") : `top-k ${top_k}`, top_p === OFF.top_p ? say("saved.setting.top_p_off") : `top-p ${top_p}`,
    say("saved.setting.seed", { value: seed }), ...(stream ? [say("saved.setting.stream", { value: stream })] : []),
    ...(modeOf(settings) === "text" ? [] : [say("saved.setting.prompt", { mode: MODES[modeOf(settings)] || modeOf(settings) })]), say("saved.setting.most", { count: max_new_tokens }),
  ].join(common("viewer.comma"));
}

/** The run in a line. @param {any} trace @param {string} saved */
export const runLine = ({ pair, settings, blocks }, saved) => (
  say("saved.run.line", { pair: pairTitle(pair), draft: pair.draft, gamma: settings.gamma, temperature: settings.temperature, seed: settings.seed, count: blocks.length, date: saved.slice(0, 10) })
);

/** What of the run went through CUDA graphs; nothing where none was wanted. @param {any[]} blocks */
function graphWords(blocks) {
  const count = blocks.filter((block) => block.passes === "graphed").length;
  return [
    ...(count ? [say("saved.run.graphed", { count, blocks: blocks.length })] : []), ...(blocks.some((block) => block.passes === "refused") ? [say("saved.run.refused")] : []),
  ];
}

/** Terms and their words. @param {any} trace @param {string} saved @param {string} madeBy */
export function runFacts(trace, saved, madeBy) {
  const { pair, blocks, prompt, versions, created, finish, digest } = trace;
  const tokens = blocks.reduce((sum, block) => sum + block.committed.length, 0);
  return [
    [say("saved.fact.file"), say("saved.run.what")],
    [say("saved.fact.prompt"), prompt.text || say("saved.run.no_prompt"), Boolean(prompt.text)],
    [say("saved.fact.pair"), [say("saved.run.pair", { title: pairTitle(pair), name: pair.name, draft: pair.draft, symbols: pair.vocab_size, device: pair.device, dtype: pair.dtype }), ...graphWords(blocks)].join(common("viewer.comma"))],
    [say("saved.fact.weights"), say("saved.run.weights", { target: pair.target_revision, draft: pair.draft_revision })],
    [say("saved.fact.settings"), settingsWords(trace)],
    [say("saved.fact.run"), say("saved.run.tokens", { tokens, blocks: blocks.length, end: say(`saved.run.end.${ENDS.includes(finish) ? finish : "open"}`), digest })],
    [say("saved.fact.decoded"), say("saved.with", { date: dateWords(created), versions: Object.entries(versions || {}).map(([name, version]) => `${name} ${version}`).join(common("viewer.comma")) })],
    [say("saved.fact.saved"), say("saved.by", { date: dateWords(saved), program: madeBy })],
  ];
}
