/** A pair and a draft that a link or this tab's storage names, as far as the page has them. No document. */

import { isHubId } from "./hub_choice.js";
import { either, quoted } from "./link_values.js";
import { pairTitle } from "./pair_words.js";
import { say } from "./words/parts/viewer.js";

/**
 * The pair and the draft to go on with: the given ones where the page has them, else those of `form`, and the pair's first draft.
 * @param {any} given may hold `pair` and `draft` @param {{pair: string, draft: string}} form @param {any[]} pairs config.pairs
 * @param {boolean} [hubIds] config.hub_ids: whether any two models of the hub are a pair
 * @returns {{pair: string, draft: string, wrong: string[]}} `wrong`: in words what was left out
 */
export function checkedPair(given, form, pairs, hubIds = false) {
  const pair = String(given.pair ?? form.pair), draft = given.draft === undefined || given.draft === null ? null : String(given.draft);
  if (!pairs.length) return { pair, draft: draft ?? form.draft, wrong: [] };
  const entry = pairs.find((one) => one.name === pair);
  if (!entry && hubIds && isHubId(pair) && isHubId(draft)) return { pair, draft: String(draft), wrong: [] };
  if (!entry) return { pair: form.pair, draft: form.draft, wrong: [say("viewer.no_pair", { name: quoted(pair), names: either(pairs.map((one) => one.name)) })] };
  const names = entry.drafts.map((/** @type {any} */ one) => one.name);
  if (!names.length) return { pair, draft: draft ?? "", wrong: [] };
  if (draft !== null && names.includes(draft)) return { pair, draft, wrong: [] };
  const first = pair === form.pair && names.includes(form.draft) ? form.draft : names[0];
  return { pair, draft: first, wrong: draft !== null ? [say("viewer.no_draft", { pair: pairTitle(entry), name: quoted(draft), first })] : [] };
}
