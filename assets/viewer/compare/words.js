/**
 * Where the columns differ on a block, one sentence a column, from the trace alone. A sentence is a list of parts: words,
 * a number with its source, a token, or a rule's name. No document.
 *
 *     [{rule: "block"}, " kept ", {value: 3, …}, " where token kept ", {value: 1, …}, ": position 3 rescued position 2."]
 */

import { inWindow, joining } from "../derive.js";
import { number, pieceText, sub } from "../format.js";
import { comparedAt, fates, parting, partingRules } from "./fates.js";
import { lawWords, losslessAt, ruleOf, ruleWords, sureWords } from "./rule_words.js";

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

/** "position 2", "positions 1–3", "positions 1 and 3". @param {number[]} list rising */
export function positions(list) {
  const runs = [];
  for (const i of list) {
    const last = runs[runs.length - 1];
    if (last && last[1] === i - 1) last[1] = i;
    else runs.push([i, i]);
  }
  const words = runs.map(([a, b]) => (a === b ? String(a) : `${a}–${b}`));
  return `position${list.length === 1 ? "" : "s"} ${words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}` : words[0]}`;
}

/** The words of parts alone, tokens between quotes: for pictures, which have no chips. @param {Part[]} parts @param {(id: number) => any} pieces */
export const plainWords = (parts, pieces) => parts.map((part) => {
  if (typeof part === "string") return part;
  if ("id" in part) return `“${pieceText(pieces(part.id))}”`;
  return "rule" in part ? ruleWords(part.rule) : part.whole ? String(part.value) : number(part.value);
}).join("");

/** The coin of position i as parts: "η₃ 0.31 < h 0.42", or in words where the rule tosses none. @param {Place} place @param {Side} side @returns {Part[]} */
function coin(place, side, i, sign) {
  const { verdict, base } = side;
  const sure = sureWords(side.rule, verdict.accept_prob ? verdict.accept_prob[i - 1] : null);
  if (sure) return [sure];
  const own = Boolean(verdict.compared);
  const eta = { value: comparedAt(place.block, verdict, i), path: own ? `${base}/compared/${i - 1}` : `/blocks/${place.blockIndex}/uniforms/verify/${i - 1}` };
  return [own ? "it compares " : `η${sub(i)} `, eta, ` ${sign} h `, { value: verdict.accept_prob[i - 1], path: `${base}/accept_prob/${i - 1}` }];
}

/** Why `more` kept more than `less`. @param {Place} place @param {Side} more @param {Side} less @returns {Part[]} */
function reason(place, more, less) {
  const i = more.verdict.accepted, k = less.verdict.accepted + 1;
  const stopped = ["position " + k + " failed under " + less.name + " (", ...coin(place, less, k, "≥"), ")"];
  if (!more.backwards) {
    if (!less.backwards) return [`position ${k} passed (`, ...coin(place, more, k, "<"), `), but failed under ${less.name} (`, ...coin(place, less, k, "≥"), ")"];
    const far = less.verdict.accepted ? `the longest prefix to pass under ${less.name} was ${less.verdict.accepted}` : `no prefix passed under ${less.name}`;
    return [`${i === 1 ? "the first token" : `each of the first ${i} tokens`} passed its own test, but ${far}`];
  }
  const rescued = fates(place.block, more.verdict).flatMap(({ fate }, index) => (fate === "rescued" ? [index + 1] : []));
  if (rescued.length) return [`position ${i} rescued ${positions(rescued)}`, ...(less.backwards ? [`; under ${less.name} its coin failed (`, ...coin(place, less, i, "≥"), ")"] : rescued.includes(k) ? [] : ["; ", ...stopped])];
  const passed = [`the prefix of ${i} passed (`, ...coin(place, more, i, "<"), ")"];
  return less.backwards ? [...passed, `, but failed under ${less.name} (`, ...coin(place, less, i, "≥"), ")"] : [...passed, ", ", ...stopped];
}

/** What a reader must not conclude from a difference in τ. @param {Place} place @param {Side} more @param {Side} less */
function caution(place, more, less) {
  if (!losslessAt(more.record, place.temperature)) return ` To keep more is no gain here: ${more.name} is not lossless.`;
  if (!losslessAt(less.record, place.temperature) || more.backwards || !less.backwards) return "";
  if (less.rule === "block") return " On this draw block verification kept fewer; it is better on average over drafts.";
  return less.rule === "greedy_block" && !inWindow(place.block) ? " On this draw greedy block verification kept fewer; in a first block it is better on average over drafts." : "";
}

/** @param {Place} place @param {Side} column @param {Side} follow @returns {Part[]} */
function otherNext(place, column, follow) {
  const { verdict } = column, tau = verdict.accepted;
  const out = ["same τ, another ", `${verdict.next_kind}: `, next(column), " instead of ", next(follow), ", because "];
  const law = (side) => side.verdict.effective_target && side.verdict.effective_target[tau];
  if (law(column) || law(follow)) return [...out, `${(law(column) ? column : follow).name} draws from its modified target T̃, ${(law(column) ? follow : column).name} from T.`];
  const scale = (side) => (side.verdict.residual_scale ? side.verdict.residual_scale[tau] : null);
  const wrong = [column, follow].flatMap((side) => (side.record.goes_wrong ? [` ${side.name}: ${side.record.goes_wrong}`] : []));
  if (verdict.next_kind === "correction" && scale(column) !== null && scale(follow) !== null && scale(column) !== scale(follow)) {
    const part = (side) => ({ value: scale(side), path: `${side.base}/residual_scale/${tau}` });
    return [...out, `its residual (s·T − D)₊ has s = `, part(column), `, that of ${follow.name} s = `, part(follow), ".", ...wrong];
  }
  if (wrong.length) return [...out, "a mistake draws from another law.", ...wrong];
  const struck = tau < place.block.gamma ? pieceText(place.pieces(place.block.paths[0].tokens[tau])) : "";
  return [...out, `${column.name} draws from ${lawWords(column.rule, verdict.next_kind, struck)}, ${follow.name} from ${lawWords(follow.rule, verdict.next_kind, struck)}.`];
}

/** The sentence about one column that differs from the followed one. @param {Place} place @returns {Part[]} */
export function differenceWords(place, rule) {
  const column = sideOf(place, rule), follow = sideOf(place, place.follow);
  const apart = parting(column.verdict, follow.verdict);
  if (!apart.kept) return [{ rule }, ": ", ...otherNext(place, column, follow)];
  const [more, less] = column.verdict.accepted > follow.verdict.accepted ? [column, follow] : [follow, column];
  return [{ rule }, " kept ", kept(column), ` where ${follow.name} kept `, kept(follow), ": ", ...reason(place, more, less), "." + caution(place, more, less)];
}

/** The large sentence of a block. @param {Place} place @param {number} blocks how many there are @returns {Part[]} */
export function headline(place, blocks) {
  const own = place.block.verdicts[place.follow];
  const out = [`Block ${place.blockIndex + 1} of ${blocks}`];
  if (!own) return [...out, `: ${ruleWords(place.follow)} has no verdict in this run yet.`];
  const follow = sideOf(place, place.follow), parted = partingRules(place.block, place.rules, place.follow);
  const result = [kept(follow), ` kept, ${own.next_kind} `, next(follow)], end = cutWords(place, follow);
  if (!parted.length) return [...out, ". All columns agree on this block: ", ...result, ".", ...end];
  return [...out, `: ${parted.map(ruleWords).join(", ")} ${parted.length === 1 ? "differs" : "differ"} from ${follow.name}, which the text follows: `, ...result, ".", ...end];
}

/** That the end of the text cuts what the block gained. @param {Place} place @param {Side} follow @returns {Part[]} */
function cutWords({ trace, block, blockIndex }, { rule, verdict }) {
  const gained = verdict.accepted + 1, count = joining(trace, block, verdict);
  if (count === gained) return [];
  const own = rule === block.verifier, limit = trace.settings.max_new_tokens, full = block.start - trace.prompt.ids.length + count >= limit;
  const ended = own && block.finish ? block.finish === "eos" : !full;
  const why = ended ? ["the text ends here."] : ["the limit of ", { value: limit, path: "/settings/max_new_tokens", whole: true }, " is reached."];
  const source = (name, derived) => (own ? `/blocks/${blockIndex}/${name}` : `derived:${derived}`);
  return [" ", { value: count, path: source("shown_tokens", "joining"), whole: true }, " of the ", { value: gained, path: source("gained", "gained"), whole: true },
    ` gained tokens ${count === 1 ? "joins" : "join"} the text: `, ...why];
}

/** One sentence a differing column, and what is owed to earlier blocks. @param {Place} place @returns {{rule: string, parts: Part[]}[]} */
export function sentences(place) {
  const { block } = place, out = [];
  if (inWindow(block)) {
    const owner = ruleWords(block.verifier);
    out.push({ rule: "", parts: [`${owner} pays for an earlier block here: it is judged against its modified target T̃ and may keep less, the other rules are judged against the plain target.`] });
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
  const one = names.length === 1;
  return `† ${names.join(", ")} ${one ? "is" : "are"} asked afresh at every block: what ${one ? "it pays in its" : "they pay in their"} later blocks is not in ${one ? "its" : "their"} mean. A race tells what ${one ? "it does on its" : "they do on their"} own.`;
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
  const always = "Single draws prove nothing: what a rule keeps on one draft is luck. Only expectations on the same draft are compared, and the means above are theirs.";
  const { token, block: own } = block.verdicts;
  const fewer = rules.includes("token") && rules.includes("block") && token && own && own.expected_accepted < token.expected_accepted - 1e-9;
  return fewer ? `Given this one drafted block, block expects fewer than token: that happens, it is better on average over drafts. ${always}` : always;
}

/** What every column did with one drafted token. @param {Place} place @param {number} position row, 0…γ−1 @returns {Part[]} */
export function positionWords(place, position) {
  const { block } = place, i = position + 1;
  if (block.gamma === 0) return ["Nothing was drafted for this block: the target takes one plain step."];
  const out = /** @type {Part[]} */ ([`Position ${i}, `, { id: block.paths[0].tokens[position], kind: "draft" }, ". "]);
  place.rules.filter((rule) => block.verdicts[rule]).forEach((rule, n) => {
    const side = sideOf(place, rule), { fate, coin: tossed } = fates(block, side.verdict)[position];
    out.push(`${n ? "; " : ""}${side.name}: `);
    if (tossed !== "not tossed") out.push(`${fate === "struck" ? "struck" : "kept"} (`, ...coin(place, side, i, fate === "struck" ? "≥" : "<"), ")");
    else if (fate === "unlooked") out.push("not looked at, a token before it failed");
    else out.push(fate === "rescued" ? "rescued, a longer prefix passed though the token rule’s own test (η < min(1, r)) fails" : "kept, a longer prefix passed");
  });
  return [...out, "."];
}
