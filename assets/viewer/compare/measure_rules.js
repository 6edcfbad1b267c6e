/**
 * What a measurement's record says of its rules, and where a number stands in it. No document.
 *
 *     pointer("race:", "summary", "rules", "block")  →  "race:/summary/rules/block"
 */

import { plural, shorten } from "../format.js";
import { modeOf, modeWords } from "../prompt_modes.js";
import { headWords, losslessAt, ruleOf, ruleWords } from "./rule_words.js";

export const PLAIN = "plain";
export const TAG = "not lossless: pays with the text";

/** A number's place in a record: a JSON pointer after the record's prefix. */
export const pointer = (prefix, ...keys) => prefix + keys.map((key) => "/" + String(key).replaceAll("~", "~0").replaceAll("/", "~1")).join("");

/** The rule as the subject of a sentence. */
export const theRule = (rule) => (rule === PLAIN ? "plain decoding" : `the ${ruleWords(rule)} rule`);

/** Does the rule's text follow the target's law at this record's temperature? */
export const losslessHere = (record, rule) => rule === PLAIN || losslessAt(/** @type {any} */ ({ lossless: record.lossless[rule] }), record.settings.temperature);

/**
 * A sentence on a rule whose text follows another law than the target's, else null.
 * @param {any} record @param {string} rule @param {any[]} [rules] config.rules
 */
export function warning(record, rule, rules) {
  if (losslessHere(record, rule)) return null;
  return `${ruleWords(rule)}: ${headWords({ ...ruleOf(rules || [], rule), lossless: record.lossless[rule] }, record.settings.temperature).text}`;
}

/** "40 prompts of Jane Austen". @param {any} record a race @param {any[]} [sets] config.prompt_sets */
export function promptsWords(record, sets) {
  const name = record.settings.prompt_set, known = (sets || []).find((entry) => entry.name === name);
  return `${plural(record.prompts.length, "prompt")}${name ? ` of ${(known && known.title) || name}` : ""}`;
}

/**
 * What was measured, in one line: for pictures that leave the page.
 * @param {any} record @param {any[]} [sets] config.prompt_sets @param {{text: string, words: string}|null} [run] where a picture shows one run alone
 */
export function factsOf(record, sets, run) {
  const { pair, settings } = record, prompts = record.prompts || [record.prompt];
  const cut = `${settings.top_k ? ` · top-k ${settings.top_k}` : ""}${settings.top_p < 1 ? ` · top-p ${settings.top_p}` : ""}`;
  const seeds = !run && settings.seeds > 1 ? `${plural(settings.seeds, "seed")} from ${settings.seed}` : run ? run.words : `seed ${settings.seed}`;
  const quoted = (words) => `“${shorten(words.replace(/\s+/g, " "), 60)}”`;
  const of = prompts.length > 1 ? promptsWords(record, sets) + (modeOf(settings) === "chat" ? ", as instructions" : "") : modeWords(settings) + quoted(prompts[0].text);
  return `${pair.title || pair.name}, draft ${pair.draft} · γ = ${settings.gamma} · T = ${settings.temperature}${cut} · ${seeds} · ${run && prompts.length > 1 ? `${quoted(run.text)}, one of ${of}` : of}`;
}

/**
 * Which settings of the page differ from those a record was made with, by name; none while nothing is measured.
 * @param {any} record @param {any} form the page's settings @param {string[]} rules the page's columns
 */
export function changedSince(record, form, rules) {
  if (!record || !form) return [];
  const names = { gamma: "γ", temperature: "temperature", top_k: "top-k", top_p: "top-p", seed: "seed", max_new_tokens: "max" };
  const out = Object.keys(names).filter((name) => name in record.settings && name in form && record.settings[name] !== form[name]).map((name) => names[name]);
  if (form.prompt_mode && modeOf(record.settings) !== form.prompt_mode) out.push("prompt mode");
  if (form.pair && record.pair && record.pair.name !== form.pair) out.push("pair");
  else if (form.draft && record.pair && record.pair.draft !== form.draft) out.push("draft");
  const own = record.prompt || (record.settings.prompt_set ? null : record.prompts && record.prompts[0]);
  if (own && typeof form.prompt === "string" && own.text !== form.prompt) out.push("prompt");
  const raced = record.rules.filter((rule) => rule !== PLAIN);
  if (rules && (rules.length !== raced.length || rules.some((rule) => !raced.includes(rule)))) out.push("rules");
  return out;
}

/** The bounds of a limit that is a number or [low, high]. @returns {[number, number]} */
export function limitOf(config, name, fallback) {
  const given = config && config.limits ? config.limits[name] : undefined;
  const [low, high] = Array.isArray(given) ? given : [1, given];
  return [Number.isFinite(low) ? low : 1, Number.isFinite(high) ? high : fallback];
}
