/**
 * What a rule did with each drafted token, and where two rules part on a block. Everything is read from the verdicts: τ is
 * `accepted`, whatever the coins would say, because a mistaken rule may compare them with other numbers. No document.
 *
 *     fates(block, {order: "right_to_left", accepted: 3, …})  →  kept or rescued, kept or rescued, decides, struck, …
 */

import { ownProbabilities } from "../derive.js";
import { say } from "../words/parts/column.js";

/** @typedef {"kept"|"rescued"|"decides"|"struck"|"unlooked"} Fate */

/** How a fate is written beside the colour: a sign and a word. @type {Record<Fate, string>} */
export const SIGNS = { kept: "✓", rescued: "⤴", decides: "✓", struck: "✗", unlooked: "–" };

/** @param {Fate} fate */
export const fateWord = (fate) => say(`column.fate.${fate}`);

/**
 * One entry a drafted token. `coin` says what became of its coin: a right-to-left rule tosses only those from τ on, a
 * left-to-right rule only those up to the first failure.
 * @param {any} block @param {any} verdict @returns {{fate: Fate, kept: boolean, coin: "passed"|"failed"|"not tossed"}[]}
 */
export function fates(block, verdict) {
  const tau = verdict.accepted, backwards = verdict.order === "right_to_left";
  return ownProbabilities(block).map((own, index) => {
    const i = index + 1, kept = i <= tau;
    if (!backwards) return { fate: kept ? "kept" : i === tau + 1 ? "struck" : "unlooked", kept, coin: kept ? "passed" : i === tau + 1 ? "failed" : "not tossed" };
    if (i > tau) return { fate: "struck", kept, coin: "failed" };
    if (i === tau) return { fate: "decides", kept, coin: "passed" };
    return { fate: block.uniforms.verify[index] < own ? "kept" : "rescued", kept, coin: "not tossed" };
  });
}

/** What the rule compares with h at position i (1…γ): its η, or a mistaken rule's own number. */
export function comparedAt(block, verdict, i) {
  return verdict.compared ? verdict.compared[i - 1] : block.uniforms.verify[i - 1];
}

/** In what two verdicts on the same block differ. */
export function parting(one, other) {
  const kept = one.accepted !== other.accepted;
  return { kept, next: one.next_token !== other.next_token, any: kept || one.next_token !== other.next_token };
}

const known = new WeakMap();

/** The rules among `rules` whose τ or next token is not that of `follow`. Cached: a block does not change. @returns {string[]} */
export function partingRules(block, rules, follow) {
  let table = known.get(block);
  if (!table) known.set(block, (table = new Map()));
  const key = `${follow}|${rules.join()}`;
  if (!table.has(key)) {
    const { verdicts } = block, own = verdicts[follow];
    table.set(key, own ? rules.filter((rule) => rule !== follow && verdicts[rule] && parting(verdicts[rule], own).any) : []);
  }
  return table.get(key);
}

/** The blocks where some column differs from the followed one: their indexes. @returns {number[]} */
export function differingBlocks(trace, rules, follow) {
  return trace.blocks.flatMap((block, k) => (partingRules(block, rules, follow).length ? [k] : []));
}

/**
 * The next of `places` after `from`, or the one before it, going round at the ends.
 * @param {number[]} places rising @param {number} from @param {1|-1} way
 * @returns {{to: number|null, wrapped: boolean}} null where there is none
 */
export function neighbour(places, from, way) {
  if (!places.length) return { to: null, wrapped: false };
  const ahead = way > 0 ? places.find((k) => k > from) : places.findLast((k) => k < from);
  return ahead === undefined ? { to: way > 0 ? places[0] : places[places.length - 1], wrapped: true } : { to: ahead, wrapped: false };
}
