/**
 * Which tokens a picture lists and in what order; which token leaves a position. Pure, no document.
 */

import { tokensOf } from "./derive.js";

/**
 * The token emitted at the chosen position, as far as the phase may show it.
 * @returns {{id: number|null, kind: "kept"|"correction"|"bonus"|"dropped"|"unknown"|"hidden"}}
 *   unknown: a dragged η moved the cut, and the new next token would need the whole law
 */
export function emittedAt(view) {
  const { block, verdict, position: i, accepted, revealed } = view;
  if (!revealed.cut || view.predicting) return { id: null, kind: "hidden" };
  if (i < accepted) return { id: tokensOf(block)[i], kind: "kept" };
  if (i > accepted) return { id: null, kind: "dropped" };
  if (!revealed.next) return { id: null, kind: "hidden" };
  if (accepted !== verdict.accepted) return { id: null, kind: "unknown" };
  return { id: verdict.next_token, kind: verdict.next_kind };
}

/** Near enough to call demand and offer equal: within a tenth of the larger. */
const EVEN = 0.1;

/**
 * Rows of the butterfly: the emitted token first, then over-offered, still wanted, kept as offered; each by size.
 * @param {import("./derive.js").Part} part
 * @param {number|null} emitted
 * @param {boolean} [scored] false: the target has not spoken, and its groups would give it away
 * @returns {{group: string, place: number}[]} group: emitted, over, wanted, kept, target or offered; place: index in part.ids
 */
export function butterfly(part, emitted, scored = true) {
  const size = (v) => (scored ? Math.max(part.draft[v], part.coupled ? part.scaled[v] : part.target[v]) : part.draft[v]);
  const groupOf = (v) => {
    if (part.ids[v] === emitted) return "emitted";
    if (!scored && !part.bonus) return "offered";
    if (part.bonus || !part.coupled) return "target";
    if (Math.abs(part.draft[v] - part.scaled[v]) <= EVEN * size(v)) return "kept";
    return part.draft[v] > part.scaled[v] ? "over" : "wanted";
  };
  // Within a group the mass that names it decides; the corrections then fall from top to bottom.
  const weight = ({ group, place }) => (group === "over" ? part.excess[place] : group === "wanted" ? part.residual[place] : size(place));
  const rank = { emitted: 0, over: 1, wanted: 2, kept: 3, target: 4, offered: 5 };
  return part.ids
    .map((_, place) => ({ group: groupOf(place), place }))
    .sort((a, b) => rank[a.group] - rank[b.group] || weight(b) - weight(a) || a.place - b.place);
}

/**
 * The few tokens that say most about a coupling: in turn the next-largest by draft mass, by correction and by what is kept.
 * @param {import("./derive.js").Part} part @param {(number|null)[]} must ids that have to be among them @param {number} limit
 * @returns {number[]} ids in the butterfly's order
 */
export function leading(part, must, limit) {
  const chosen = new Set(must.filter((id) => id !== null && part.ids.includes(id)));
  const by = (values) => part.ids.map((_, v) => v).sort((a, b) => values[b] - values[a] || a - b);
  const queues = [by(part.draft), by(part.law), by(part.overlap)];
  const size = Math.min(limit, part.ids.length);
  for (let turn = 0; chosen.size < size; turn++) {
    const queue = queues[turn % queues.length];
    while (queue.length && chosen.has(part.ids[queue[0]])) queue.shift();
    if (queue.length) chosen.add(part.ids[queue.shift()]);
  }
  return butterfly(part, null).map((row) => part.ids[row.place]).filter((id) => chosen.has(id));
}
