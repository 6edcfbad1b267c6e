/**
 * What a link or this tab's storage gives the Step page, made into settings and a place that make sense. What does not is left out and
 * said, never guessed. No document.
 */

import { boundsOf, labelOf, problemOf } from "./controls.js";
import { coins } from "./steps.js";
import { numberOf } from "./typed_numbers.js";
import { many } from "./format.js";
import { decode, encode, segmentsOf } from "./link.js";
import { either, quoted, wrongValue } from "./link_values.js";
import { checkedPair } from "./pair_choice.js";
import { modeProblem } from "./prompt_modes.js";
import { ruleWords } from "./rule_names.js";
import { formOf } from "./store.js";
import { say as sayLink } from "./words/parts/link.js";
import { say as sayMeasure } from "./words/parts/measure.js";
import { say } from "./words/parts/step.js";

/** An example of what a link says of a run's blocks. */
export const SEGMENT = "block*7";

/**
 * The values of `given` that make sense, over `form`; the others in words.
 * @param {any} given @param {any} form @param {any} config @returns {{form: any, wrong: string[]}}
 */
export function checkedForm(given, form, config) {
  const bounds = boundsOf(config.limits), out = { ...form }, wrong = [], rules = config.verifiers.map((entry) => entry.name);
  for (const [name, value] of Object.entries(given)) {
    const problem = name in bounds ? problemOf(name, value, bounds) : name === "verifier" && rules.length && !rules.includes(value) ? either(rules) : null;
    if (problem) wrong.push(wrongValue(labelOf(name), problem, value));
    else out[name] = name in bounds ? numberOf(value) : value;
  }
  const found = checkedPair(given, form, config.pairs, config.hub_ids);
  Object.assign(out, { pair: found.pair, draft: found.draft });
  wrong.push(...found.wrong);
  const problem = modeProblem(out.prompt_mode, out.pair, config.pairs);
  if (problem) {
    wrong.push(wrongValue(labelOf("prompt_mode"), problem, out.prompt_mode));
    out.prompt_mode = "text";
  }
  return { form: out, wrong };
}

/**
 * A whole link (link.js).
 * @param {any} want @param {any} form that of a new page @param {any} config
 * @returns {{form: any, segments: [string, number][], wrong: string[]}} no segments where what they are made of makes no sense
 */
export function checkedLink(want, form, config) {
  const rules = config.verifiers.map((entry) => entry.name), odd = want.segments === null || want.segments.some(([rule]) => rules.length && !rules.includes(rule));
  const { verifier, ...rest } = want.form, found = checkedForm(odd ? rest : want.form, form, config), wrong = [...want.damaged, ...found.wrong];
  if (odd) wrong.push(wrongValue(sayMeasure("measure.setting.rules"), sayLink("link.segments", { rules: either(rules.length ? rules : ["token", "block"]), example: SEGMENT }), want.written));
  return { form: found.form, segments: wrong.length ? [] : want.segments, wrong: [...wrong, ...want.misplaced] };
}

/**
 * What of the run shown its link cannot say, or says in a way that is not taken here: a link that leaves it out would be another run's.
 * @param {any} view @param {any} form that of a new page @param {any} config @returns {string[]} in words, empty where the link brings the run back
 */
export function missing(view, form, config) {
  const { trace, block, example } = view;
  if (!trace || example) return [];
  const own = formOf(trace), rules = config.verifiers.map((entry) => entry.name), found = checkedLink(decode(`#${encode(view)}`), form, config), field = sayMeasure("measure.setting.rules");
  const said = Object.entries(trace.settings).filter(([name, value]) => !(name in own) && value !== 0 && value !== null).map(([name, value]) => `${name} = ${JSON.stringify(value).slice(0, 40)}`);
  said.push(...found.wrong);
  if (!said.length) said.push(...Object.keys(own).filter((name) => (name !== "verifier" || !block) && found.form[name] !== own[name]).map(labelOf));
  if (!said.length && block && JSON.stringify(found.segments) !== JSON.stringify(segmentsOf(trace.blocks))) said.push(field);
  const lost = rules.length && !said.length ? trace.verifiers.filter((rule) => !rules.includes(rule)) : [];
  return lost.length ? [wrongValue(field, either(rules), lost.join())] : said;
}

/**
 * What of a link's place the run does not have, in sentences.
 * @param {any} want what link.js reads @param {any} view of the run, at the place @param {number} asked how many blocks the link names
 */
export function placeWords({ place, digest }, view, asked) {
  const { trace, block } = view, said = [], count = trace.blocks.length, { blockIndex = 0, phase, tried, position, token, pinned } = place;
  if (!block) return said;
  if (asked > count && trace.finish) said.push(sayLink("link.ended", { number: many(asked), count }));
  if (blockIndex >= count) said.push(sayLink("link.block", { number: many(blockIndex + 1), count }));
  else {
    if (pinned !== null && !Object.hasOwn(block.verdicts, pinned)) said.push(sayLink("link.verdict", { rule: quoted(pinned), own: ruleWords(view.rule) }));
    const looked = coins(block, block.verdicts[view.rule], view.accepted).length;
    if (phase === "verify" && !view.predicting && (tried > looked || tried === 0)) said.push(sayLink("link.tried", { tried: many(tried), count: looked }));
    if (position !== undefined && position > block.gamma) said.push(sayLink("link.position", { position: many(position + 1), gamma: block.gamma }));
    if (token !== null && !view.pieces(token)) said.push(sayLink("link.token", { id: many(token) }));
  }
  if (digest && digest !== trace.digest) said.push(say("step.digests_differ"));
  return said;
}
