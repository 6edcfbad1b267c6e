/**
 * What a link or this tab's storage gives, made into settings that make sense. What does not is left out and said, never
 * guessed: a number is one that its field would take. No document.
 */

import { boundsOf, labelOf, problemOf } from "../controls.js";
import { many as grouped } from "../format.js";
import { either, leftOut, named, quoted, sentences, wrongValue } from "../link_values.js";
import { checkedPair } from "../pair_choice.js";
import { modeProblem } from "../prompt_modes.js";
import { ruleWords } from "../rule_gallery.js";
import { numberOf, wholeOf } from "../typed_numbers.js";
import { say as sayColumn } from "../words/parts/column.js";
import { say } from "../words/parts/compare.js";
import { say as sayLink } from "../words/parts/link.js";
import { say as sayMeasure } from "../words/parts/measure.js";
import { say as sayViewer } from "../words/parts/viewer.js";
import { limitOf } from "./measure_rules.js";
import { AXES, axisWords, optionWords } from "./option_words.js";
import { COST_BOUNDS } from "./race_model.js";
import { FEWEST, MOST } from "./rule_words.js";
import { columnsOf, OPTIONS } from "./store.js";

const MOST_RUNS = 80, MOST_SAMPLES = 5000; // where the server names no limits
const LISTED = 5; // names that are said again

const listed = (words) => {
  const list = words.slice(0, LISTED).join(sayViewer("viewer.comma"));
  return words.length > LISTED ? sayColumn("column.and_more", { list, count: words.length - LISTED }) : list;
};
const both = (words) => words.reduce((list, last) => sayColumn("column.and", { list, last }));

/** Columns that make sense, and in words what of the given ones does not. */
function checkedColumns(given, form, config) {
  const names = config.rules.map((rule) => rule.name), wanted = Array.isArray(given.rules) ? given.rules.map(String) : form.rules, wrong = [], field = optionWords("rules");
  const known = [...new Set(wanted)].filter((rule) => names.includes(rule));
  const unknown = [...new Set(wanted)].filter((rule) => !names.includes(rule)), twice = known.filter((rule) => wanted.indexOf(rule) !== wanted.lastIndexOf(rule));
  const columns = columnsOf(wanted, given.follow ?? form.follow, names), added = columns.rules.filter((rule) => !known.includes(rule));
  if (unknown.length) wrong.push(say("compare.link.unknown", { field, names: listed(unknown.map(quoted)) }));
  if (twice.length) wrong.push(say("compare.link.twice", { field, names: listed(twice.map(ruleWords)) }));
  if (known.length > MOST) wrong.push(say("compare.link.at_most", { field, most: MOST, names: listed(known.slice(MOST).map(ruleWords)) }));
  if (added.length) wrong.push(say("compare.link.at_least", { field, fewest: FEWEST, names: both(added.map(ruleWords)) }));
  if (given.follow !== undefined && columns.follow !== given.follow) {
    const own = ruleWords(columns.follow), follows = say("compare.head.follow");
    wrong.push(names.includes(given.follow) ? say("compare.link.follow_column", { field: follows, rule: ruleWords(given.follow), own }) : say("compare.link.follow_unknown", { field: follows, rule: quoted(given.follow), own }));
  }
  return { columns, wrong };
}

/** The values of `given` that make sense, over `form`; the others in words. @param {any} given @param {any} form @param {any} config */
export function checkedForm(given, form, config) {
  const bounds = boundsOf(config.limits), out = { ...form }, wrong = [];
  for (const [name, value] of Object.entries(given)) {
    if (name in bounds) {
      const problem = problemOf(name, value, bounds);
      if (problem) wrong.push(wrongValue(labelOf(name), problem, value));
      else out[name] = numberOf(value);
    } else if (["prompt", "prompt_mode"].includes(name)) out[name] = String(value);
  }
  const { pair, draft, wrong: unknown } = checkedPair(given, form, config.pairs || [], config.hub_ids);
  Object.assign(out, { pair, draft });
  wrong.push(...unknown);
  const problem = modeProblem(out.prompt_mode, out.pair, config.pairs || []);
  if (problem) {
    wrong.push(wrongValue(labelOf("prompt_mode"), problem, out.prompt_mode));
    out.prompt_mode = "text";
  }
  const found = checkedColumns(given, form, config);
  return { form: { ...out, ...found.columns }, wrong: [...wrong, ...found.wrong] };
}

/**
 * The options of a race or a law check that make sense, without those not given; `exact`: whether what is measured is what is asked for.
 * @param {"race"|"law"} kind @param {any} given @param {any} config @returns {{options: any, wrong: string[], exact: boolean}}
 */
export function checkedOptions(kind, given, config) {
  const options = {}, wrong = [], sets = (config.prompt_sets || []).map((entry) => entry.name);
  const bounds = { seeds: limitOf(config, "race_runs", MOST_RUNS), samples: limitOf(config, "law_samples", MOST_SAMPLES), ...COST_BOUNDS };
  let exact = true;
  for (const name of Object.keys(OPTIONS[kind])) {
    const raw = (given || {})[name];
    if (raw === null || raw === undefined) continue;
    const measured = ["seeds", "samples", "prompt_set"].includes(name);
    let problem = null;
    if (name === "prompt_set") problem = sets.includes(raw) ? null : say("compare.link.set", { field: optionWords(name), name: quoted(raw) });
    else if (name === "axis") problem = AXES.includes(raw) ? null : wrongValue(optionWords(name), either(AXES.map((value) => named(value, axisWords(value)))), raw);
    else {
      const [low, high] = bounds[name], value = measured ? wholeOf(raw) : numberOf(raw);
      if (value === null || value < low || value > high) problem = wrongValue(optionWords(name), sayMeasure(measured ? "measure.whole_number" : "measure.number", { low, high }), raw);
    }
    if (!problem) options[name] = name in bounds ? numberOf(raw) : raw;
    else {
      wrong.push(problem);
      if (measured) exact = false;
    }
  }
  return { options, wrong, exact };
}

/** "The link's race and law check were not started." @param {string[]} kinds */
export const notStarted = (kinds) => say(kinds.length > 1 ? "compare.link.no_both" : kinds[0] === "race" ? "compare.link.no_race" : "compare.link.no_law");

/**
 * A whole link. A measurement starts only where all that it is made of makes sense, else it would be another than the link's.
 * @param {any} want what link.js reads @param {any} first the form of a new page @param {any} config
 * @returns {{form: any, options: {race: any, law: any}, starts: ("race"|"law")[], said: string|null}}
 */
export function checkedLink(want, first, config) {
  const { form, wrong: odd } = checkedForm(want.form, first, config), wrong = [...want.damaged, ...odd];
  const race = checkedOptions("race", want.options.race, config), law = checkedOptions("law", want.options.law, config);
  const all = [...wrong, ...race.wrong, ...law.wrong, ...want.wrong];
  const starts = want.measures.filter((kind) => !wrong.length && { race, law }[kind].exact), left = want.measures.filter((kind) => !starts.includes(kind));
  const said = all.length ? sentences([leftOut(all), left.length ? notStarted(left) : ""]) : null;
  return { form, options: { race: { ...OPTIONS.race, ...race.options }, law: { ...OPTIONS.law, ...law.options } }, starts, said };
}

/** What of a link's place the decoded text does not have, in sentences. @param {{blockIndex: number, position: number|null}} place @param {any} trace */
export function placeWords({ blockIndex, position }, trace) {
  const many = trace.blocks.length, block = trace.blocks[blockIndex];
  if (!block) return [sayLink("link.block", { number: grouped(blockIndex + 1), count: many })];
  return position !== null && position > Math.max(block.gamma - 1, 0) ? [sayLink("link.position", { position: grouped(position + 1), gamma: block.gamma })] : [];
}
