/**
 * What a measurement's record says of its rules, and where a number stands in it. No document.
 *
 *     pointer("race:", "summary", "rules", "block")  →  "race:/summary/rules/block"
 */

import { isolated, shorten } from "../format.js";
import { taskTitle } from "../lab/task_words.js";
import { pairTitle } from "../pair_words.js";
import { modeOf, modeWords } from "../prompt_modes.js";
import { ruleWords } from "../rule_gallery.js";
import { say } from "../words/parts/measure.js";
import { say as sayViewer } from "../words/parts/viewer.js";
import { headWords, losslessAt, ruleOf } from "./rule_words.js";

export const PLAIN = "plain";

/** What stands beside a rule that is not lossless. */
export const tag = () => say("measure.tag");

/** A number's place in a record: a JSON pointer after the record's prefix. */
export const pointer = (prefix, ...keys) => prefix + keys.map((key) => "/" + String(key).replaceAll("~", "~0").replaceAll("/", "~1")).join("");

/** The name of a lane: a rule's, or that of plain decoding. @param {string} rule */
export const laneWords = (rule) => (rule === PLAIN ? say("measure.plain_lane") : ruleWords(rule));

/** The rule as the subject of a sentence. @param {string} rule */
export const theRule = (rule) => (rule === PLAIN ? say("measure.plain") : say("measure.the_rule", { rule: ruleWords(rule) }));

/** Does the rule's text follow the target's law at this record's temperature? */
export const losslessHere = (record, rule) => rule === PLAIN || losslessAt(/** @type {any} */ ({ lossless: record.lossless[rule] }), record.settings.temperature);

/**
 * A sentence on a rule whose text follows another law than the target's, else null.
 * @param {any} record @param {string} rule @param {any[]} [rules] config.rules
 */
export function warning(record, rule, rules) {
  if (losslessHere(record, rule)) return null;
  const name = theRule(rule);
  return say("measure.warning", { rule: name[0].toUpperCase() + name.slice(1), what: headWords({ ...ruleOf(rules || [], rule), lossless: record.lossless[rule] }, record.settings.temperature).text });
}

/** "40 prompts of Jane Austen". @param {any} record a race @param {any[]} [sets] config.prompt_sets */
export function promptsWords(record, sets) {
  const name = record.settings.prompt_set, known = (sets || []).find((entry) => entry.name === name);
  return say(name ? "measure.prompts_of" : "measure.prompts", { count: record.prompts.length, set: known ? taskTitle(known) : name });
}

/**
 * What was measured, in one line: for pictures that leave the page.
 * @param {any} record @param {any[]} [sets] config.prompt_sets @param {{text: string, words: string}|null} [run] where a picture shows one run alone
 */
export function factsOf(record, sets, run) {
  const { pair, settings } = record, prompts = record.prompts || [record.prompt];
  const cut = `${settings.top_k ? ` · top-k ${settings.top_k}` : ""}${settings.top_p < 1 ? ` · top-p ${settings.top_p}` : ""}`;
  const seeds = !run && settings.seeds > 1 ? say("measure.seeds", { count: settings.seeds, seed: settings.seed }) : run ? run.words : say("measure.seed", { seed: settings.seed });
  const quoted = (words) => sayViewer("viewer.quoted", { words: shorten(isolated(words.replace(/\s+/g, " ")), 60) }), all = promptsWords({ ...record, prompts }, sets);
  const of = prompts.length === 1 ? modeWords(settings) + quoted(prompts[0].text) : modeOf(settings) === "chat" ? say("measure.as_instructions", { prompts: all }) : all;
  return say("measure.facts", {
    pair: pairTitle(pair), draft: pair.draft, gamma: settings.gamma, temperature: settings.temperature, cut, seeds,
    prompts: run && prompts.length > 1 ? say("measure.one_of", { prompt: quoted(run.text), prompts: of }) : of,
  });
}

/** Labels that are the same in every language. @type {Record<string, string>} */
const SIGNS = { gamma: "γ", top_k: "top-k", top_p: "top-p" };

/**
 * Which settings of the page differ from those a record was made with, by name (`settingWords` says them); none while nothing is measured.
 * @param {any} record @param {any} form the page's settings @param {string[]} rules the page's columns
 */
export function changedSince(record, form, rules) {
  if (!record || !form) return [];
  const names = ["gamma", "temperature", "top_k", "top_p", "seed", "max_new_tokens"], out = names.filter((name) => name in record.settings && name in form && record.settings[name] !== form[name]);
  if (form.prompt_mode && modeOf(record.settings) !== form.prompt_mode) out.push("prompt_mode");
  if (form.pair && record.pair && record.pair.name !== form.pair) out.push("pair");
  else if (form.draft && record.pair && record.pair.draft !== form.draft) out.push("draft");
  const own = record.prompt || (record.settings.prompt_set ? null : record.prompts && record.prompts[0]);
  if (own && typeof form.prompt === "string" && own.text !== form.prompt) out.push("prompt");
  const raced = record.rules.filter((rule) => rule !== PLAIN);
  if (rules && (rules.length !== raced.length || rules.some((rule) => !raced.includes(rule)))) out.push("rules");
  return out;
}

/** Settings by the names of their fields. @param {string[]} names */
export const settingWords = (names) => names.map((name) => SIGNS[name] || (name === "rules" ? say("measure.setting.rules") : sayViewer(`viewer.setting.${name}`))).join(sayViewer("viewer.comma"));

/** The bounds of a limit that is a number or [low, high]. @returns {[number, number]} */
export function limitOf(config, name, fallback) {
  const given = config && config.limits ? config.limits[name] : undefined;
  const [low, high] = Array.isArray(given) ? given : [1, given];
  return [Number.isFinite(low) ? low : 1, Number.isFinite(high) ? high : fallback];
}
