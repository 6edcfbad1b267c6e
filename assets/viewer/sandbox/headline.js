/** What it comes to: E[τ], cost and gap of the two rules and of the optimum, as fractions and decimals, and a sentence. */

import { number } from "../format.js";
import { ruleWords } from "../compare/rule_words.js";
import { html, pool, present, set, text, value } from "../svg.js";
import { say } from "../teacher/say.js";
import { kindWords, minus, titled } from "./sandbox_words.js";
import { fraction, words } from "./typed.js";

const REST = 400; // ms until a change is read out
const EQUAL = 1e-9; // laws and numbers that are equal up to rounding
const ROUNDING = 1e-12; // a gap of 0
const SHORT = 7; // characters of a fraction that reads well in a sentence

/** @param {Element} container @param {(place: Element) => void} beside fills the place at the sentence's side */
export function createHeadline(container, beside) {
  const root = html("section", { class: "sb-headline", "aria-label": "What it comes to" }, container);
  const first = html("div", { class: "sb-first" }, root);
  const sentence = html("p", { class: "sd-sentence sb-sentence" }, first);
  beside(first);
  const strip = html("div", { class: "sb-strip" }, root);
  const sides = [0, 1].map(() => createCard(strip)), best = createCard(strip);
  const spoken = html("p", { class: "sb-spoken", role: "status", "aria-live": "polite" }, root);
  let timer = 0, said = "";

  return {
    root,
    update(view) {
      const { picture, rules, pending, problems, old } = view;
      set(root, { "data-pending": pending.picture, "data-old": old });
      present(strip, Boolean(picture) && !view.predicting);
      if (view.predicting || !picture) {
        clearTimeout(timer);
        text(spoken, (said = ""));
      }
      if (view.predicting) return void text(sentence, problems.length ? "What is typed are no laws yet." : say("bet.covered"));
      if (!picture) return void text(sentence, problems.length ? "What is typed are no laws yet: the picture comes as soon as they are." : view.status === "error" ? "There is no picture yet." : "Asking for the picture …");
      const [left, right] = rules.map((name) => picture.rules[name]);
      sides.forEach((card, i) => card.rule(rules[i], picture.rules[rules[i]]));
      best.optimum(picture.optimum, exactOf(picture.gamma, picture.optimum));
      const sentenceNow = sentenceOf(rules, left, right, picture);
      const lead = problems.length ? `${problems.length === 1 ? "Something is" : `${problems.length} things are`} wrong with the laws as typed: this is the last valid picture. `
        : old && !pending.picture ? "There is no answer for the laws as typed: these numbers belong to the last ones that were answered. " : "";
      text(sentence, lead + sentenceNow);
      const news = `E of tau: ${rules.map((name, i) => `${ruleWords(name)} ${spokenOf([left, right][i])}`).join(", ")}; at most ${number(picture.optimum.common)} in one block.`;
      if (news === said) return;
      clearTimeout(timer);
      timer = setTimeout(() => text(spoken, (said = news)), REST);
    },
  };
}

/** γ − cost, where the cost is a readable fraction: "4/3". */
function exactOf(gamma, { cost_fraction: cost }) {
  if (!cost) return null;
  const [n, d = "1"] = cost.split("/");
  return words(fraction(BigInt(gamma) * BigInt(d) - BigInt(n), BigInt(d)));
}

const spokenOf = (rule) => (rule.expected_fraction && rule.expected_fraction.includes("/") ? `${rule.expected_fraction.replace("/", " over ")}, ${number(rule.expected)}` : number(rule.expected));

/** "block keeps 11/9 of 2 drafted tokens on average, token 10/9." */
function sentenceOf([a, b], left, right, { gamma, optimum }) {
  // Fractions where all of them read well, else decimals.
  const exact = [left.expected_fraction, right.expected_fraction, exactOf(gamma, optimum)].every((one) => one && one.length <= SHORT);
  const kept = (rule) => (exact ? rule.expected_fraction : number(rule.expected));
  const apart = left.expected - right.expected, [more, less] = apart >= 0 ? [[a, left], [b, right]] : [[b, right], [a, left]];
  const tokens = gamma === 1 ? "the drafted token" : `${gamma} drafted tokens`;
  const names = [more, less].map(([name]) => ruleWords(name));
  const first = Math.abs(apart) < EQUAL ? `${names[0]} and ${names[1]} both keep ${kept(left)} of ${tokens} on average.` : `${names[0]} keeps ${kept(more[1])} of ${tokens} on average, ${names[1]} ${kept(less[1])}.`;
  const best = exact ? exactOf(gamma, optimum) : number(optimum.common);
  const astray = (is) => [more, less].filter(([, rule]) => is(rule)).map(([name]) => ruleWords(name));
  const wrong = astray((rule) => rule.tv > EQUAL), bonus = astray((rule) => rule.tv <= EQUAL && rule.bonus_tv > EQUAL);
  const price = `${wrong.length ? ` But ${wrong.join(" and ")} ${wrong.length === 1 ? "does" : "do"} not output the target's law.` : ""}${bonus.length ? ` But after a block kept whole the token by ${bonus.join(" and ")} does not follow the target.` : ""}`
    || ` No lossless rule can keep more than ${best} in one block.`;
  return first.charAt(0).toUpperCase() + first.slice(1) + price;
}

function createCard(container) {
  const root = html("div", { class: "sb-card" }, container);
  const head = html("div", { class: "sb-card-head" }, root), name = html("b", null, head), kind = html("span", { class: "sb-kind" }, head);
  const facts = html("div", { class: "sb-facts" }, root), note = html("p", { class: "sb-incomparable" }, root);
  const makeFact = pool(() => {
    const fact = html("div", { class: "sb-fact" }, facts), label = html("i", null, fact);
    return { root: fact, label, decimal: html("span", { class: "sb-decimal" }, fact), exact: html("span", { class: "sb-fraction" }, fact) };
  });

  /** @param {{label: string, x: number, path: string, fraction?: string|null, title: string, from?: string}[]} list `from`: where the fraction is from */
  function put(list) {
    makeFact.take(list.length).forEach((fact, i) => {
      const { label, x, path, fraction: exact, title, from = `${path}_fraction` } = list[i], clean = Math.abs(x) < ROUNDING ? 0 : x;
      text(fact.label, label);
      set(fact.label, { title });
      value(fact.decimal, clean, path, { name: title });
      set(fact.decimal, { "data-value": String(x) });
      // A number without a fraction keeps the line, so that nothing jumps while a bar is dragged.
      text(fact.exact, exact ? `= ${minus(exact)}` : "");
      set(fact.exact, { "data-path": exact ? from : null, "data-value": exact || null, title: exact ? `exactly ${minus(exact)}` : null });
    });
  }

  return {
    rule(rule, record) {
      const base = `picture:/rules/${rule}`, wrong = record.tv > EQUAL, said = kindWords(record);
      text(name, ruleWords(rule));
      set(name, { title: titled(rule, record) });
      text(kind, said.text);
      set(kind, { class: `sb-kind ${said.kind}`, title: record.unseen || record.goes_wrong || null });
      text(note, wrong ? "The cost is not comparable: it does not emit the target's law." : "");
      present(note, wrong);
      put([
        { label: "E[τ]", x: record.expected, path: `${base}/expected`, fraction: record.expected_fraction, title: "drafted tokens kept in one block, on average" },
        { label: "cost", x: record.cost, path: `${base}/cost`, fraction: record.cost_fraction, title: "γ minus the mean length of the common prefix of drafted and emitted block" },
        // The optimum is that of couplings with the target's law: with another law a cost may lie on either side of it.
        ...(wrong ? [] : [{ label: "gap", x: record.gap, path: `${base}/gap`, fraction: record.gap_fraction, title: "cost above the optimum's" }]),
        ...(wrong || record.lossless !== "always" ? [{ label: "TV", x: record.tv, path: `${base}/tv`, title: "total variation of its output from the target's law" }] : []),
        ...(record.bonus_tv > EQUAL ? [{ label: "bonus TV", x: record.bonus_tv, path: `${base}/bonus_tv`, title: "total variation of the bonus from the target's law, weighted with the mass that gets one" }] : []),
      ]);
    },
    optimum(record, common) {
      text(name, "optimum");
      set(name, { title: "of the block transport problem: what no rule can beat in one block" });
      text(kind, "one block's best");
      present(note, false);
      put([
        { label: "E", x: record.common, path: "picture:/optimum/common", fraction: common, from: "derived:optimum_common", title: "common prefix of drafted and emitted block at the optimum, on average" },
        { label: "cost", x: record.cost, path: "picture:/optimum/cost", fraction: record.cost_fraction, title: "γ minus that" },
      ]);
    },
  };
}
