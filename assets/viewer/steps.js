/**
 * The walk through a block, as pure functions: phases, coins in the rule's own order, one step forward and back.
 * No document, no server: a place is {blockIndex, phase, tried}, and a step makes another place.
 *
 *     order "right_to_left", gamma 5, 3 kept  →  coins(…) = [5, 4, 3]       order "left_to_right"  →  [1, 2, 3, 4]
 */

export const PHASES = ["draft", "score", "verify", "correct", "commit"];

/** The place that a record names where it says at which one a run is to open. @param {any} start see docs/viewer.md */
export function placeOf(start) {
  const { block = 0, phase: wanted, position, token, rule, tried } = start || {};
  const phase = PHASES.includes(wanted) ? wanted : "draft";
  return { blockIndex: block, phase, tried: tried ?? (phase === "verify" ? 99 : 0), position: position ?? undefined, token, pinned: rule || null };
}

/**
 * The coins that are looked at, as prefix lengths, in the rule's own order.
 * Empty for a rule that shows no coins.
 * @param {any} block @param {any} verdict @param {number} accepted τ, of the verdict or of a what-if
 * @returns {number[]}
 */
export function coins(block, verdict, accepted) {
  const gamma = block.gamma;
  const list = [];
  if (!verdict.accept_prob) return list;
  if (verdict.order === "right_to_left") {
    for (let i = gamma; i >= Math.max(1, accepted); i--) list.push(i);
  } else {
    for (let i = 1; i <= Math.min(gamma, accepted + 1); i++) list.push(i);
  }
  return list;
}

/**
 * The next place, or null where the decoded blocks end.
 * @param {{blockIndex: number, phase: string, tried: number}} place
 * @param {number} looked number of coins of this block under the shown rule
 * @param {number} blocks number of decoded blocks
 */
export function forward(place, looked, blocks) {
  const { blockIndex, phase, tried } = place;
  if (phase === "draft") return { blockIndex, phase: "score", tried: 0 };
  if (phase === "score" && looked > 0) return { blockIndex, phase: "verify", tried: 1 };
  if (phase === "score") return { blockIndex, phase: "correct", tried: 0 };
  if (phase === "verify" && tried < looked) return { blockIndex, phase, tried: tried + 1 };
  if (phase === "verify") return { blockIndex, phase: "correct", tried: 0 };
  if (phase === "correct") return { blockIndex, phase: "commit", tried: 0 };
  if (blockIndex + 1 < blocks) return { blockIndex: blockIndex + 1, phase: "draft", tried: 0 };
  return null;
}

/**
 * The place before, or null at the very start.
 * @param {{blockIndex: number, phase: string, tried: number}} place
 * @param {number} looked
 */
export function backward(place, looked) {
  const { blockIndex, phase, tried } = place;
  if (phase === "commit") return { blockIndex, phase: "correct", tried: 0 };
  if (phase === "correct" && looked > 0) return { blockIndex, phase: "verify", tried: looked };
  if (phase === "correct") return { blockIndex, phase: "score", tried: 0 };
  if (phase === "verify" && tried > 1) return { blockIndex, phase, tried: tried - 1 };
  if (phase === "verify") return { blockIndex, phase: "score", tried: 0 };
  if (phase === "score") return { blockIndex, phase: "draft", tried: 0 };
  if (blockIndex > 0) return { blockIndex: blockIndex - 1, phase: "commit", tried: 0 };
  return null;
}

/**
 * The row that a place is about, when nothing else was chosen: the coin just looked at, afterwards the row of the next token.
 * @param {{phase: string, tried: number}} place @param {number[]} looked the coins @param {number} accepted
 */
export function rowOf(place, looked, accepted) {
  if (place.phase === "verify") return (looked[place.tried - 1] || 1) - 1;
  if (place.phase === "correct" || place.phase === "commit") return accepted;
  return 0;
}

/**
 * Blocks appended to a trace, as a new trace; a block that repeats an index replaces everything from there.
 * Returns null where blocks between would be missing.
 * @param {any} trace @param {number} first @param {any[]} blocks
 * @param {any} memory the rule's memory after the last of them
 */
export function append(trace, first, blocks, memory) {
  if (first > trace.blocks.length) return null;
  const all = trace.blocks.slice(0, first).concat(blocks);
  const last = all[all.length - 1];
  const margins = all.map((block) => block.margin).filter((margin) => typeof margin === "number");
  return {
    ...trace, blocks: all, finish: last ? last.finish : trace.finish, digest: last ? last.digest : trace.digest, memory: memory ?? null,
    smallest_margin: margins.length ? Math.min(...margins) : null,
  };
}

/**
 * What a server needs to carry on after the first `count` blocks of a trace.
 * @param {any} trace @param {number} count at least 1
 */
export function resumeAt(trace, count) {
  const ids = trace.prompt.ids.slice();
  for (const block of trace.blocks.slice(0, count)) ids.push(...block.committed);
  const memory = memoryBefore(trace, count), state = { ids, prompt_length: trace.prompt.ids.length, block: count, memory, digest: trace.blocks[count - 1].digest };
  return memory === null ? state : { ...state, made_with: madeWith(trace) };
}

/** Of which distributions a memory is: what the server asks for. @param {any} trace */
function madeWith({ pair, settings }) {
  const { name, draft, draft_revision, target_revision, vocab_size } = pair, { temperature, top_k, top_p } = settings;
  return { pair: name, draft, draft_revision, target_revision, vocab_size, temperature, top_k, top_p };
}

/** The rule's memory before block `count`; none where the text had ended, whatever older traces say. @param {any} trace @param {number} count */
export function memoryBefore(trace, count) {
  if (count > 0 && trace.blocks[count - 1].finish) return null;
  return (count < trace.blocks.length ? trace.blocks[count].memory : trace.memory) ?? null;
}

/** The first `count` blocks of a trace as a trace that can go on. @param {any} trace @param {number} count at least 1 */
export function cutAfter(trace, count) {
  const blocks = trace.blocks.slice(0, count);
  return { ...append({ ...trace, blocks: [] }, 0, blocks, memoryBefore(trace, count)), finish: null };
}
