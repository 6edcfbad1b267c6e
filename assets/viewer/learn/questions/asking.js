/**
 * What the questions have in common. A question is {id, draw(live, random), ask(live, random)}: `draw` says what the picture is to show
 * instead, `ask` makes the question of what the picture shows and computes its answer; null where this state has none. No document.
 */

/**
 * @typedef {object} Live what the chapter's picture shows
 * @property {"trace"|"sandbox"} kind
 * @property {any} [view] trace: the view of docs/viewer.md
 * @property {any} [state] sandbox: the state as typed  @property {any} [picture] sandbox: the server's answer to it  @property {any} [longrun]
 */

/**
 * @typedef {object} Asked
 * @property {string} words key of the question
 * @property {Record<string, import("../rich.js").Value>} values
 * @property {Record<string, any>} given which part of the record is meant: indices, for whoever checks the answer
 * @property {number} [answer] of a question for a number
 * @property {number} [tolerance] how far from it a typed number may be; 0 for a count
 * @property {{id: string, value: import("../rich.js").Value, right: boolean, why: string}[]} [options] of a choice: `why` is the key of what to say to it
 * @property {string} right key of what is said to the right answer
 * @property {string} [wrong] key of what is said to any other number
 * @property {{value: number, words: string}[]} [slips] numbers that come of a known slip, and the key of what to say
 * @property {{heads: string[], rows: import("../rich.js").Value[][]}} [table] keys of the heads, cells
 */

/** Numbers in [0, 1) that depend on the seed alone. @param {number} seed */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** One of a list, null of an empty one. @template T @param {() => number} random @param {T[]} list @returns {T|null} */
export const pick = (random, list) => (list.length ? list[Math.floor(random() * list.length)] : null);

/** A law in tenths, every symbol at least 1/10, as texts. @param {() => number} random @param {number} symbols @returns {string[]} */
export function tenths(random, symbols) {
  const parts = new Array(symbols).fill(1);
  for (let left = 10 - symbols; left > 0; left--) parts[Math.floor(random() * symbols)] += 1;
  return parts.map((part) => (part / 10).toFixed(1));
}

/** The same laws for every context, drawn until `good(draft, target)`. @param {() => number} random @param {any} state @param {(draft: number[], target: number[]) => boolean} good */
export function otherLaws(random, state, good) {
  const { symbols } = state;
  for (let tries = 0; tries < 500; tries++) {
    const draft = tenths(random, symbols), target = tenths(random, symbols);
    const before = String([state.draft[0][0], state.target[0][0]]) === String([draft, target]);
    if (!before && good(draft.map(Number), target.map(Number))) return { state: { ...state, context: "free", draft: [[draft]], target: [[target]] } };
  }
  throw new Error("no laws fit the question");
}

/** The two laws of a picture whose context is free. @param {any} picture @returns {{draft: number[], target: number[]}} */
export const lawsOf = (picture) => ({ draft: picture.levels.draft[0][0], target: picture.levels.target[0][0] });

/** The numbers of a law as values for a text. @param {any} picture @param {"draft"|"target"} side @param {number} symbol */
export const lawValue = (picture, side, symbol) => ({ value: picture.levels[side][0][0][symbol], path: `picture:/levels/${side}/0/0/${symbol}` });

/** Another block of the run, at a phase; `good(block)` says whether it can be asked about. @param {Live} live @param {() => number} random @param {(block: any, index: number) => boolean} good */
export function otherBlock({ view }, random, good, more = {}) {
  const all = view.trace.blocks.map((block, index) => ({ block, index })).filter(({ block, index }) => good(block, index));
  const chosen = pick(random, all.length > 1 ? all.filter(({ index }) => index !== view.blockIndex) : all);
  return { place: { blockIndex: chosen ? chosen.index : view.blockIndex, ...more } };
}

/** Cells of a table that has a row for every drafted token. @param {any} view @param {(i: number) => import("../rich.js").Value[]} cells */
export const positions = (view, cells) => view.block.paths[0].tokens.map((id, i) => [String(i + 1), { piece: view.pieces(id), id }, ...cells(i)]);
