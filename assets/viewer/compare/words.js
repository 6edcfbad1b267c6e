/**
 * Where the columns differ on a block, one sentence a column, from the trace alone. A sentence is a list of parts: words,
 * a number with its source, a token, or a rule's name. No document.
 *
 *     [{rule: "block"}, " kept ", {value: 3, …}, " where token kept ", {value: 1, …}, ": position 3 rescued position 2."]
 */

import { inWindow, joining } from "../derive.js";
import { number, pieceText, ROUNDING, sub } from "../format.js";
import { mistakeWords, ruleWords } from "../rule_gallery.js";
import { say } from "../words/parts/column.js";
import { say as sayViewer } from "../words/parts/viewer.js";
import { pieces as partsOf } from "../words/pieces.js";
import { comparedAt, fates, parting, partingRules } from "./fates.js";
import { lawWords, losslessAt, ruleOf, sureWords } from "./rule_words.js";

/**
 * @typedef {string|{value: number|string, path: string, whole?: boolean}|{id: number, kind: string}|{rule: string}} Part
 * @typedef {{trace: any, block: any, blockIndex: number, rules: string[], follow: string, known: any[], temperature: number, pieces: (id: number) => any}} Place
 *   `known`: the rules' records (config.rules)
 */

/** @param {Place} place @returns {Side} */
function sideOf(place, rule) {
  const verdict = place.block.verdicts[rule], base = `/blocks/${place.blockIndex}/verdicts/${rule}`;
  return { rule, name: ruleWords(rule), verdict, base, record: ruleOf(place.known, rule), backwards: verdict.order === "right_to_left" };
}
/** @typedef {{rule: string, name: string, verdict: any, base: string, record: any, backwards: boolean}} Side */

const kept = (side) => ({ value: side.verdict.accepted, path: `${side.base}/accepted`, whole: true });
const next = (side) => ({ id: side.verdict.next_token, kind: side.verdict.next_kind });

const listed = (/** @type {string[]} */ words) => words.join(sayViewer("viewer.comma"));

/** "position 2", "positions 1–3", "positions 1 and 3". @param {number[]} list rising */
export function positions(list) {
  const runs = [];
  for (const i of list) {
    const last = runs[runs.length - 1];
    if (last && last[1] === i - 1) last[1] = i;
    else runs.push([i, i]);
  }
  const words = runs.map(([a, b]) => (a === b ? String(a) : `${a}–${b}`)), last = words[words.length - 1];
  return say("column.positions", { count: list.length, list: words.length > 1 ? say("column.and", { list: listed(words.slice(0, -1)), last }) : last });
}

/** The words of parts alone, tokens between quotes: for pictures, which have no chips. @param {Part[]} parts @param {(id: number) => any} pieces */
export const plainWords = (parts, pieces) => parts.map((part) => {
  if (typeof part === "string") return part;
  if ("id" in part) return sayViewer("viewer.quoted", { words: pieceText(pieces(part.id)) });
  return "rule" in part ? ruleWords(part.rule) : part.whole ? String(part.value) : number(part.value);
}).join("");

/** The coin of position i as parts: "η₃ 0.31 < h 0.42", or in words where the rule tosses none. @param {Place} place @param {Side} side @returns {Part[]} */
function coin(place, side, i, sign) {
  const { verdict, base } = side;
  const sure = sureWords(side.rule, verdict.accept_prob ? verdict.accept_prob[i - 1] : null);
  if (sure) return [sure];
  const own = Boolean(verdict.compared);
  const eta = { value: comparedAt(place.block, verdict, i), path: own ? `${base}/compared/${i - 1}` : `/blocks/${place.blockIndex}/uniforms/verify/${i - 1}` };
  const threshold = { value: verdict.accept_prob[i - 1], path: `${base}/accept_prob/${i - 1}` };
  return own ? partsOf("column.compares", { number: eta, sign, threshold }) : [`η${sub(i)} `, eta, ` ${sign} h `, threshold];
}

/** Why `more` kept more than `less`. @param {Place} place @param {Side} more @param {Side} less @returns {Part[]} */
function reason(place, more, less) {
  const i = more.verdict.accepted, k = less.verdict.accepted + 1;
  const rule = less.name, stopped = () => partsOf("column.failed_under", { position: k, rule, coin: coin(place, less, k, "≥") });
  if (!more.backwards) {
    if (!less.backwards) return partsOf("column.reason.passed_failed", { position: k, own: coin(place, more, k, "<"), rule, coin: coin(place, less, k, "≥") });
    const longest = less.verdict.accepted;
    if (i === 1) return partsOf(longest ? "column.reason.first_longest" : "column.reason.first_none", { rule, longest });
    return partsOf(longest ? "column.reason.each_longest" : "column.reason.each_none", { count: i, rule, longest });
  }
  const rescued = fates(place.block, more.verdict).flatMap(({ fate }, index) => (fate === "rescued" ? [index + 1] : []));
  if (rescued.length) {
    const slots = { position: i, positions: positions(rescued), rule };
    if (less.backwards) return partsOf("column.reason.rescued_coin", { ...slots, coin: coin(place, less, i, "≥") });
    return rescued.includes(k) ? partsOf("column.reason.rescued", slots) : partsOf("column.reason.rescued_failed", { ...slots, failed: stopped() });
  }
  const own = coin(place, more, i, "<");
  return less.backwards ? partsOf("column.reason.prefix_coin", { length: i, own, rule, coin: coin(place, less, i, "≥") }) : partsOf("column.reason.prefix_failed", { length: i, own, failed: stopped() });
}

/** What a reader must not conclude from a difference in τ. @param {Place} place @param {Side} more @param {Side} less */
function caution(place, more, less) {
  if (!losslessAt(more.record, place.temperature)) return say("column.caution.lossy", { rule: more.name });
  if (!losslessAt(less.record, place.temperature) || more.backwards || !less.backwards) return "";
  if (less.rule === "block") return say("column.caution.block");
  return less.rule === "greedy_block" && !inWindow(place.block) ? say("column.caution.greedy_block") : "";
}

/** @param {Place} place @param {Side} column @param {Side} follow @returns {Part[]} */
function otherNext(place, column, follow) {
  const { verdict } = column, tau = verdict.accepted;
  const because = (/** @type {string} */ key, /** @type {any} */ slots) => partsOf(`column.other.${verdict.next_kind}`, { rule: { rule: column.rule }, next: next(column), other: next(follow), reason: partsOf(key, slots) });
  const law = (side) => side.verdict.effective_target && side.verdict.effective_target[tau];
  if (law(column) || law(follow)) return because("column.because.modified", { rule: (law(column) ? column : follow).name, other: (law(column) ? follow : column).name });
  const scale = (side) => (side.verdict.residual_scale ? side.verdict.residual_scale[tau] : null);
  const wrong = [column, follow].flatMap((side) => (side.record.goes_wrong ? [say("column.wrong", { rule: side.name, why: mistakeWords(side.rule, side.record.goes_wrong) })] : [])).join("");
  if (verdict.next_kind === "correction" && scale(column) !== null && scale(follow) !== null && scale(column) !== scale(follow)) {
    const part = (side) => ({ value: scale(side), path: `${side.base}/residual_scale/${tau}` });
    return because("column.because.residual", { own: part(column), other: follow.name, theirs: part(follow), wrong });
  }
  if (wrong) return because("column.because.mistake", { wrong });
  const struck = tau < place.block.gamma ? { id: place.block.paths[0].tokens[tau], kind: "rejected" } : "";
  return because("column.because.laws", { rule: column.name, own: lawWords(column.rule, verdict.next_kind, struck), other: follow.name, theirs: lawWords(follow.rule, verdict.next_kind, struck) });
}

/** The sentence about one column that differs from the followed one. @param {Place} place @returns {Part[]} */
export function differenceWords(place, rule) {
  const column = sideOf(place, rule), follow = sideOf(place, place.follow);
  const apart = parting(column.verdict, follow.verdict);
  if (!apart.kept) return otherNext(place, column, follow);
  const [more, less] = column.verdict.accepted > follow.verdict.accepted ? [column, follow] : [follow, column];
  return partsOf("column.kept_where", { rule: { rule }, kept: kept(column), other: follow.name, less: kept(follow), reason: reason(place, more, less), caution: caution(place, more, less) });
}

/** The large sentence of a block. @param {Place} place @param {number} blocks how many there are @returns {Part[]} */
export function headline(place, blocks) {
  const own = place.block.verdicts[place.follow];
  const slots = { number: place.blockIndex + 1, count: blocks };
  if (!own) return partsOf("column.headline.missing", { ...slots, rule: ruleWords(place.follow) });
  const follow = sideOf(place, place.follow), parted = partingRules(place.block, place.rules, place.follow);
  const result = { ...slots, kept: kept(follow), kind: say(`column.kind.${own.next_kind}`), next: next(follow), cut: cutWords(place, follow) };
  if (!parted.length) return partsOf("column.headline.agree", result);
  return partsOf("column.headline.differ", { ...result, rules: listed(parted.map(ruleWords)), many: parted.length, follow: follow.name });
}

/** That the end of the text cuts what the block gained. @param {Place} place @param {Side} follow @returns {Part[]} */
function cutWords({ trace, block, blockIndex }, { rule, verdict }) {
  const gained = verdict.accepted + 1, count = joining(trace, block, verdict);
  if (count === gained) return [];
  const own = rule === block.verifier, limit = trace.settings.max_new_tokens, full = block.start - trace.prompt.ids.length + count >= limit;
  const ended = own && block.finish ? block.finish === "eos" : !full;
  const source = (name, derived) => (own ? `/blocks/${blockIndex}/${name}` : `derived:${derived}`);
  return partsOf(ended ? "column.cut.ends" : "column.cut.limit", {
    count: { value: count, path: source("shown_tokens", "joining"), whole: true }, gained: { value: gained, path: source("gained", "gained"), whole: true },
    limit: { value: limit, path: "/settings/max_new_tokens", whole: true },
  });
}

/** One sentence a differing column, and what is owed to earlier blocks. @param {Place} place @returns {{rule: string, parts: Part[]}[]} */
export function sentences(place) {
  const { block } = place, out = [];
  if (inWindow(block)) {
    out.push({ rule: "", parts: [say("column.pays", { rule: ruleWords(block.verifier) })] });
  }
  for (const rule of partingRules(block, place.rules, place.follow)) out.push({ rule, parts: differenceWords(place, rule) });
  return out;
}

/** Whether a rule that remembers is asked afresh at each block, because the text follows another. @param {any[]} known @param {string} rule @param {string} decides */
export const asksAfresh = (known, rule, decides) => rule !== decides && ruleOf(known, rule).remembers;

/** What the means marked with † leave out; "" where there are none. @param {Place} place */
export function afreshWords({ trace, block, rules, known }) {
  const names = rules.filter((rule) => block.verdicts[rule] && asksAfresh(known, rule, trace.settings.verifier)).map(ruleWords);
  if (!names.length) return "";
  return say(names.length === 1 ? "column.afresh" : "column.afresh_many", { rules: listed(names) });
}

/** D, T, r and η of one drafted token. @param {Place} place @param {number} position row, 0…γ−1 @returns {Part[]} */
export function sharedWords({ block, blockIndex }, position) {
  if (block.gamma === 0) return [];
  const row = block.paths[0].rows[position], base = `/blocks/${blockIndex}`;
  const part = (name) => ({ value: row[name], path: `${base}/paths/0/rows/${position}/${name}` });
  return ["D ", part("draft"), ", T ", part("target"), ", r ", part("ratio"), `, η${sub(position + 1)} `, { value: block.uniforms.verify[position], path: `${base}/uniforms/verify/${position}` }];
}

/** What the means may be read for, and what not. @param {Place} place */
export function cautionWords({ block, rules }) {
  const means = say("column.means");
  const { token, block: own } = block.verdicts;
  const fewer = rules.includes("token") && rules.includes("block") && token && own && own.expected_accepted < token.expected_accepted - ROUNDING;
  return fewer ? say("column.means_fewer", { means }) : means;
}

/** What every column did with one drafted token. @param {Place} place @param {number} position row, 0…γ−1 @returns {Part[]} */
export function positionWords(place, position) {
  const { block } = place, i = position + 1;
  if (block.gamma === 0) return [say("column.plain")];
  const rules = place.rules.filter((rule) => block.verdicts[rule]).flatMap((rule, n) => {
    const side = sideOf(place, rule), { fate, coin: tossed } = fates(block, side.verdict)[position], struck = fate === "struck";
    const did = tossed !== "not tossed" ? (struck ? "struck" : "kept") : fate === "unlooked" || fate === "rescued" ? fate : "carried";
    return [n ? "; " : "", ...partsOf(`column.did.${did}`, { rule: side.name, coin: tossed !== "not tossed" ? coin(place, side, i, struck ? "≥" : "<") : "" })];
  });
  return partsOf("column.at", { position: i, token: { id: block.paths[0].tokens[position], kind: "draft" }, rules });
}
