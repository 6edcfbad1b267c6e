/** What is on the handout of the Sandbox: the laws as they were typed, and what the two rules come to. */

import { lawAt, letters, SIDES } from "../sandbox/laws.js";
import { say as sandboxSay } from "../words/parts/sandbox.js";
import { listed } from "./listed.js";
import { putAnswers, putFacts, putFormulas, putTable } from "./paper.js";
import { stateQuestions } from "./questions.js";
import { ruleWords } from "../rule_gallery.js";
import { say } from "../words/parts/teacher.js";

const EQUAL = 1e-9;

/** Every law of a state in words: "draft after A: A 2/3, B 1/3". @param {any} state */
function laws(state) {
  return SIDES.flatMap((side) => state[side].flatMap((rows, level) => rows.map((row, n) => say("handout.law_of", {
    law: state.context === "free" ? sandboxSay(`sandbox.side.${side}`) : lawAt(side, state, level, n), row: listed(row.map((typed, i) => `${letters(state.symbols)[i]} ${typed}`)),
  }))));
}

/** @param {Element} root @param {any} view @param {{hidden: string[]}} limits @returns {string} its title */
export function sandboxHandout(root, view, { hidden }) {
  const { state, picture, current, predicting } = view, rules = state.rules, seen = (name) => !hidden.includes(name);
  const settings = [[seen("symbols"), say("handout.setting", { name: say("control.symbols"), value: letters(state.symbols).join(" ") })], [seen("gamma"), `γ = ${state.gamma}`], [seen("context"), say(`handout.context.${state.context}`)]];
  putFacts(root, [[say("handout.settings"), listed(settings.flatMap(([shown, words]) => (shown ? [String(words)] : [])))], [say("handout.laws"), seen("laws") ? laws(state).join("\n") : null]]);
  if (predicting) putAnswers(root, stateQuestions(state));
  else if (picture && current) {
    const figure = (rule, name) => {
      const record = picture.rules[rule], path = `picture:/rules/${rule}/${name}`, exact = record[`${name}_fraction`];
      return [{ value: Math.abs(record[name]) < EQUAL ? 0 : record[name], path }, ...(exact ? [` = ${exact.replace("-", "−")}`] : [])];
    };
    const best = { common: { value: picture.optimum.common, path: "picture:/optimum/common" }, cost: { value: picture.optimum.cost, path: "picture:/optimum/cost" } };
    const rows = rules.map((rule) => [ruleWords(rule), figure(rule, "expected"), figure(rule, "cost"), picture.rules[rule].tv > EQUAL ? "–" : figure(rule, "gap"), figure(rule, "tv")]);
    putTable(root, say("handout.rules"), [say("handout.rule"), "E[τ]", say("handout.cost"), say("handout.gap"), "TV"], [...rows, [say("handout.optimum"), best.common, best.cost, "–", "–"]]);
  }
  const own = { token: ["token_keeps", "residual"], block: ["weight", "block_mass", "block_coin"], greedy_block: ["modified"] };
  putFormulas(root, [["", ["cost", "optimum"]], ...rules.filter((rule) => own[rule]).map((rule) => /** @type {[string, string[]]} */ ([ruleWords(rule), own[rule]]))]);
  return say("handout.sandbox", { symbols: state.symbols, rules: listed(rules.map(ruleWords)) });
}
