/** What it comes to: E[τ], cost and gap of the two rules and of the optimum, as fractions and decimals, and a sentence. */

import { number } from "../format.js";
import { lossyWords, ruleWords } from "../rule_gallery.js";
import { html, pool, present, set, text, value } from "../svg.js";
import { say as sayTeacher } from "../words/parts/teacher.js";
import { say } from "../words/parts/sandbox.js";
import { kindWords, minus, titled } from "./sandbox_words.js";
import { fraction, words } from "./typed.js";

const REST = 400; // ms until a change is read out
const EQUAL = 1e-9; // laws and numbers that are equal up to rounding
const ROUNDING = 1e-12; // a gap of 0
const SHORT = 7; // characters of a fraction that reads well in a sentence

/** @param {Element} container @param {(place: Element) => void} beside fills the place at the sentence's side */
export function createHeadline(container, beside) {
  const root = html("section", { class: "sb-headline", "aria-label": say("sandbox.headline") }, container);
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
      if (view.predicting) return void text(sentence, problems.length ? say("sandbox.no_laws_bet") : sayTeacher("bet.covered"));
      if (!picture) return void text(sentence, say(problems.length ? "sandbox.no_laws" : view.status === "error" ? "sandbox.no_picture" : "sandbox.asking"));
      const [left, right] = rules.map((name) => picture.rules[name]);
      sides.forEach((card, i) => card.rule(rules[i], picture.rules[rules[i]]));
      best.optimum(picture.optimum, exactOf(picture.gamma, picture.optimum));
      const now = sentenceOf(rules, left, right, picture), count = problems.length;
      text(sentence, count ? say(count === 1 ? "sandbox.lead.problem" : "sandbox.lead.problems", { count, sentence: now }) : old && !pending.picture ? say("sandbox.lead.old", { sentence: now }) : now);
      const means = [left, right].map((rule, i) => say("sandbox.spoken.rule", { rule: ruleWords(rules[i]), mean: spokenOf(rule) }));
      const news = say("sandbox.spoken", { first: means[0], second: means[1], best: number(picture.optimum.common) });
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

function spokenOf(rule) {
  const decimal = number(rule.expected), [above, below] = (rule.expected_fraction || "").split("/");
  return below ? say("sandbox.spoken.fraction", { above, below, decimal }) : decimal;
}

/** Numbers of one sentence, with as many digits as tell those apart that differ. @param {number[]} numbers */
export function apartTexts(numbers) {
  const alike = (texts) => texts.some((one, i) => texts.some((other, j) => one === other && Math.abs(numbers[i] - numbers[j]) >= EQUAL));
  for (let digits = 4; digits <= 10; digits++) {
    const texts = numbers.map((x) => (digits === 4 ? number(x) : x.toPrecision(digits)));
    if (!alike(texts)) return texts;
  }
  return numbers.map((x) => x.toPrecision(11));
}

/** "block keeps 11/9 of 2 drafted tokens on average, token 10/9." */
function sentenceOf([a, b], left, right, { gamma, optimum }) {
  // Fractions where all of them read well, else decimals.
  const exact = [left.expected_fraction, right.expected_fraction, exactOf(gamma, optimum)].every((one) => one && one.length <= SHORT);
  const decimals = apartTexts([left.expected, right.expected, optimum.common]);
  const kept = (rule) => (exact ? rule.expected_fraction : decimals[rule === left ? 0 : 1]);
  const apart = left.expected - right.expected, [more, less] = apart >= 0 ? [[a, left], [b, right]] : [[b, right], [a, left]];
  const [first, second] = [more, less].map(([name]) => ruleWords(name)), alike = Math.abs(apart) < EQUAL;
  const keeps = say(`sandbox.keeps.${alike ? "same" : "more"}${gamma === 1 ? "_one" : ""}`, { first, second, more: first, less: second, mean: kept(alike ? left : more[1]), other: kept(less[1]), gamma });
  const best = exact ? exactOf(gamma, optimum) : decimals[2];
  const astray = (is) => [more, less].filter(([, rule]) => is(rule)).map(([name]) => ruleWords(name));
  const wrong = astray((rule) => rule.tv > EQUAL), bonus = astray((rule) => rule.tv <= EQUAL && rule.bonus_tv > EQUAL);
  const buts = [
    ...(wrong.length ? [wrong.length === 1 ? say("sandbox.but.wrong", { rule: wrong[0] }) : say("sandbox.but.wrong_both", { first: wrong[0], second: wrong[1] })] : []),
    ...(bonus.length ? [bonus.length === 1 ? say("sandbox.but.bonus", { rule: bonus[0] }) : say("sandbox.but.bonus_both", { first: bonus[0], second: bonus[1] })] : []),
  ];
  const capital = keeps.charAt(0).toUpperCase() + keeps.slice(1);
  return (buts.length ? buts : [say("sandbox.but.best", { best: best || "" })]).reduce((one, other) => say("sandbox.sentences", { first: one, second: other }), capital);
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
      set(fact.exact, { "data-path": exact ? from : null, "data-value": exact || null, title: exact ? say("sandbox.card.exactly", { fraction: minus(exact) }) : null });
    });
  }

  return {
    rule(rule, record) {
      const base = `picture:/rules/${rule}`, wrong = record.tv > EQUAL, said = kindWords(record);
      text(name, ruleWords(rule));
      set(name, { title: titled(rule, record) });
      text(kind, said.text);
      set(kind, { class: `sb-kind ${said.kind}`, title: record.unseen ? say("sandbox.kind.unseen") : lossyWords(rule, record.goes_wrong) || null });
      text(note, wrong ? say("sandbox.card.incomparable") : "");
      present(note, wrong);
      put([
        { label: "E[τ]", x: record.expected, path: `${base}/expected`, fraction: record.expected_fraction, title: say("sandbox.card.expected.title") },
        { label: say("sandbox.card.cost"), x: record.cost, path: `${base}/cost`, fraction: record.cost_fraction, title: say("sandbox.card.cost.title") },
        // The optimum is that of couplings with the target's law: with another law a cost may lie on either side of it.
        ...(wrong ? [] : [{ label: say("sandbox.card.gap"), x: record.gap, path: `${base}/gap`, fraction: record.gap_fraction, title: say("sandbox.card.gap.title") }]),
        ...(wrong || record.lossless !== "always" ? [{ label: "TV", x: record.tv, path: `${base}/tv`, title: say("sandbox.card.tv.title") }] : []),
        ...(record.bonus_tv > EQUAL ? [{ label: say("sandbox.card.bonus_tv"), x: record.bonus_tv, path: `${base}/bonus_tv`, title: say("sandbox.card.bonus_tv.title") }] : []),
      ]);
    },
    optimum(record, common) {
      text(name, say("sandbox.card.optimum"));
      set(name, { title: say("sandbox.card.optimum.title") });
      text(kind, say("sandbox.card.optimum.kind"));
      present(note, false);
      put([
        { label: "E", x: record.common, path: "picture:/optimum/common", fraction: common, from: "derived:optimum_common", title: say("sandbox.card.common.title") },
        { label: say("sandbox.card.cost"), x: record.cost, path: "picture:/optimum/cost", fraction: record.cost_fraction, title: say("sandbox.card.optimum_cost.title") },
      ]);
    },
  };
}
