/** What is on the handout of Step and of Compare: the run's settings, its block in numbers, and what the rules make of it. */

import { roles, rulesOf, tokensOf } from "../derive.js";
import { modeOf, MODES } from "../prompt_modes.js";
import { listed } from "./listed.js";
import { heads, number, outcome, shared } from "./block_numbers.js";
import { putAnswers, putFacts, putFormulas, putTable } from "./paper.js";
import { blockQuestions } from "./questions.js";
import { pairTitle } from "../pair_words.js";
import { ruleWords } from "../rule_gallery.js";
import { say } from "../words/parts/teacher.js";

const OWN = { token: ["token_keeps", "residual"], block: ["weight", "block_mass", "block_coin"], greedy_block: ["modified"] };
const FIGURES = ["E[τ│block]", "P(τ = 0 … γ│block)"];
const NUMBERS = { gamma: "gamma", temperature: "temperature", top_k: "top_k", top_p: "top_p", seed: "seed", max: "max_new_tokens" };

/** @param {string} name of a control @param {string|number} value */
const setting = (name, value) => say("handout.setting", { name: say(`control.${name}`), value });

/** Pairs of a term and its words; what the link hides is left out. */
function facts(view, hidden, more = []) {
  const { trace, form } = view, settings = trace ? trace.settings : form, pair = trace ? trace.pair : { title: form.pair, draft: form.draft };
  const seen = (name) => !hidden.includes(name), prompt = trace ? trace.prompt.text : form.prompt;
  const numbers = Object.entries(NUMBERS).filter(([name]) => seen(name)).map(([name, key]) => (name === "gamma" ? `γ = ${settings[key]}` : setting(name, settings[key])));
  const mode = modeOf(settings);
  return [
    [say("handout.prompt"), seen("prompt") ? prompt || say("handout.no_prompt") : null, Boolean(prompt)],
    [say("handout.pair"), listed([seen("pair") && pairTitle(pair), seen("draft") && say("handout.draft", { draft: pair.draft })].filter(Boolean)) || null],
    [say("handout.settings"), listed([...numbers, ...(mode === "text" || !seen("mode") ? [] : [MODES[mode] || mode]), ...more])],
  ];
}

/** τ, Y, E[τ] and the law of τ, a rule a line. */
function putVerdicts(root, view, rules) {
  const { block, pieces } = view;
  putTable(root, say("handout.verdicts"), [...["rule", "kept", "next"].map((key) => say(`handout.${key}`)), ...FIGURES], rules.map((rule) => {
    const verdict = block.verdicts[rule], base = `/blocks/${view.blockIndex}/verdicts/${rule}`;
    const law = verdict.length_law.flatMap((p, i) => [`${i ? ", \u2002" : ""}${i}: `, number(p, `${base}/length_law/${i}`)]);
    return [ruleWords(rule), { value: verdict.accepted, path: `${base}/accepted`, whole: true }, { id: verdict.next_token, kind: verdict.next_kind }, number(verdict.expected_accepted, `${base}/expected_accepted`), law];
  }), pieces);
}

const formulas = (rules) => /** @type {[string, string[]][]} */ ([["", ["ratio", "efficiency"]], ...rules.filter((rule) => OWN[rule]).map((rule) => [ruleWords(rule), OWN[rule]])]);

/** @param {Element} root @param {any} view @param {{hidden: string[], kinds: string[]}} limits @returns {string} its title */
export function stepHandout(root, view, { hidden, kinds }) {
  const { block, trace, verdict, rule, pieces } = view;
  putFacts(root, facts(view, hidden, hidden.includes("rule") ? [] : [setting("rule", ruleWords(rule))]));
  if (!block) return say("handout.empty");
  const open = view.predicting || !view.revealed.cut, dims = roles(block, verdict, view.uniforms), own = `/blocks/${view.blockIndex}/verdicts/${rule}`;
  const scored = view.revealed.scores || view.predicting;
  const rows = tokensOf(block).map((_, i) => [
    ...shared(view, i).map((cell, n) => (n > 2 && !scored ? "–" : cell)),
    ...(verdict.prefix_weight ? [scored ? number(verdict.prefix_weight[i + 1], `${own}/prefix_weight/${i + 1}`) : "–"] : []), ...(verdict.accept_prob ? [scored ? number(verdict.accept_prob[i], `${own}/accept_prob/${i}`) : "–"] : []),
    open ? null : number(view.uniforms[i], view.whatIf ? "derived:what_if_uniform" : `/blocks/${view.blockIndex}/uniforms/verify/${i}`), open ? null : say(`handout.${dims[i].role}`),
  ]);
  const more = [...(verdict.prefix_weight ? ["w"] : []), ...(verdict.accept_prob ? ["h"] : []), "η", say("handout.fate")];
  putTable(root, say("handout.block", { rule: ruleWords(rule) }), heads(more), rows, pieces);
  const rules = rulesOf(trace, block);
  if (view.predicting) putAnswers(root, blockQuestions(view, kinds, [rule]), pieces);
  else if (view.revealed.next && !view.whatIf) putVerdicts(root, view, rules);
  putFormulas(root, formulas([...new Set([rule, ...rules.filter((name) => ["token", "block"].includes(name))])]));
  return say("handout.step", { block: view.blockIndex + 1, count: trace.blocks.length });
}

/** @param {Element} root @param {any} view @param {{hidden: string[], kinds: string[]}} limits @returns {string} its title */
export function compareHandout(root, view, { hidden, kinds }) {
  const { block, trace, rules, pieces } = view, known = !view.predicting;
  putFacts(root, facts(view, hidden, trace && !hidden.includes("follow") ? [say("handout.follows", { rule: ruleWords(view.follow) })] : []));
  if (!block) return say("handout.empty");
  const rows = tokensOf(block).map((_, i) => [
    ...shared(view, i), known ? number(block.uniforms.verify[i], `/blocks/${view.blockIndex}/uniforms/verify/${i}`) : null, ...rules.map((rule) => outcome(view, rule, i, known)),
  ]);
  putTable(root, say("handout.blocks", { rules: listed(rules.map(ruleWords)) }), heads(["η", ...rules.map(ruleWords)]), rows, pieces);
  if (known) putVerdicts(root, view, rules.filter((rule) => block.verdicts[rule]));
  else putAnswers(root, blockQuestions(view, kinds, rules), pieces);
  putFormulas(root, formulas(rules));
  return say("handout.compare", { block: view.blockIndex + 1, count: trace.blocks.length, rules: listed(rules.map(ruleWords)) });
}

