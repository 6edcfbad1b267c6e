/** What is on the handout of the Sandbox: the laws as they were typed, and what the two rules come to. */

import { letters, placeWords, SIDES } from "../sandbox/laws.js";
import { putAnswers, putFacts, putFormulas, putTable } from "./paper.js";
import { stateQuestions } from "./questions.js";
import { ruleWords } from "../compare/rule_words.js";
import { say } from "./say.js";

const EQUAL = 1e-9;

/** Every law of a state in words: "draft after A: A 2/3, B 1/3". @param {any} state */
function laws(state) {
  return SIDES.flatMap((side) => state[side].flatMap((rows, level) => rows.map((row, n) => say("handout.law_of", {
    side, place: state.context === "free" ? "" : placeWords(state, level, n), law: row.map((typed, i) => `${letters(state.symbols)[i]} ${typed}`).join(", "),
  }).replace(/ +:/, ":"))));
}

/** @param {Element} root @param {any} view @param {{hidden: string[]}} limits @returns {string} its title */
export function sandboxHandout(root, view, { hidden }) {
  const { state, picture, current, predicting } = view, rules = state.rules, seen = (name) => !hidden.includes(name);
  const settings = [[seen("symbols"), `${say("control.symbols")} ${letters(state.symbols).join(" ")}`], [seen("gamma"), `γ = ${state.gamma}`], [seen("context"), say("handout.context", { context: state.context })]];
  putFacts(root, [[say("handout.settings"), settings.filter(([shown]) => shown).map(([, words]) => words).join(", ")], [say("handout.laws"), seen("laws") ? laws(state).join("\n") : null]]);
  if (predicting) putAnswers(root, stateQuestions(state));
  else if (picture && current) {
    const figure = (rule, name) => {
      const record = picture.rules[rule], path = `picture:/rules/${rule}/${name}`, exact = record[`${name}_fraction`];
      return [{ value: Math.abs(record[name]) < EQUAL ? 0 : record[name], path }, ...(exact ? [` = ${exact.replace("-", "−")}`] : [])];
    };
    const best = { common: { value: picture.optimum.common, path: "picture:/optimum/common" }, cost: { value: picture.optimum.cost, path: "picture:/optimum/cost" } };
    const rows = rules.map((rule) => [ruleWords(rule), figure(rule, "expected"), figure(rule, "cost"), picture.rules[rule].tv > EQUAL ? "–" : figure(rule, "gap"), figure(rule, "tv")]);
    putTable(root, say("handout.rules"), ["rule", "mean", "cost", "gap", "tv"].map((key) => say(`handout.${key}`)), [...rows, [say("handout.optimum"), best.common, best.cost, "–", "–"]]);
  }
  const own = { token: ["token_keeps", "residual"], block: ["weight", "block_mass", "block_coin"], greedy_block: ["modified"] };
  putFormulas(root, [["", ["cost", "optimum"]], ...rules.filter((rule) => own[rule]).map((rule) => /** @type {[string, string[]]} */ ([ruleWords(rule), own[rule]]))]);
  return say("handout.sandbox", { symbols: state.symbols, rules: rules.map(ruleWords).join(", ") });
}
