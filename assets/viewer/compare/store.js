/**
 * The state of the Compare page, its subscribers, and the view that its parts are given. Every change goes through `set`;
 * the view is made anew for each. The columns are `form.rules`, and the text follows `form.follow`: a column may be
 * chosen before the run has been decoded with it, and then has no verdicts yet.
 */

import { changed, formOf as settingsOf, DEFAULTS as SETTINGS } from "../store.js";
import { horizon } from "../teacher/horizon.js";
import { differingBlocks, fates } from "./fates.js";
import { FEWEST, MOST } from "./rule_words.js";

/** @typedef {{prompt: string, pair: string, draft: string, gamma: number, temperature: number, top_k: number, top_p: number, seed: number, max_new_tokens: number, prompt_mode: string, rules: string[], follow: string}} Form */

/** The options of a new page's race and law check. */
export const OPTIONS = { race: { seeds: 10, prompt_set: null, axis: "calls", c: null, v: null }, law: { samples: 600 } };

/** `earlier`: while one runs, whether the record is still that of the one before. */
const NOTHING = { status: "empty", record: null, earlier: false, progress: null, message: null };
export const DEFAULTS = { ...SETTINGS, rules: ["token", "block"], follow: "block" };

/** The form that belongs to a trace and its columns. @param {any} trace @param {string[]} rules @returns {Form} */
export const formOf = (trace, rules) => ({ ...settingsOf(trace), rules, follow: trace.settings.verifier });

/**
 * Columns that make sense: known, each once, two to four, the followed one among them. Missing ones are filled up with the
 * first known ones. @param {string[]} wanted @param {string} follow @param {string[]} names all known @returns {{rules: string[], follow: string}}
 */
export function columnsOf(wanted, follow, names) {
  const known = [...new Set(wanted)].filter((rule) => names.includes(rule)).slice(0, MOST);
  const rules = [...known, ...[...DEFAULTS.rules, ...names].filter((rule) => names.includes(rule) && !known.includes(rule))].slice(0, Math.max(known.length, FEWEST));
  const unique = [...new Set(rules)];
  return { rules: unique, follow: unique.includes(follow) ? follow : unique.includes(DEFAULTS.follow) ? DEFAULTS.follow : unique[0] };
}

/** The row to look at first: where a column parts from the followed one, else the last kept token. */
function firstRow(block, rules, follow) {
  const own = block.verdicts[follow];
  if (!own || !block.gamma) return 0;
  const kept = fates(block, own).map((fate) => fate.kept);
  const others = rules.flatMap((rule) => (rule !== follow && block.verdicts[rule] ? [fates(block, block.verdicts[rule])] : []));
  const apart = kept.findIndex((mine, i) => others.some((list) => list[i].kept !== mine));
  return apart >= 0 ? apart : Math.min(Math.max(own.accepted - 1, 0), block.gamma - 1);
}

/**
 * @param {any} state @param {(id: number) => any} pieces @param {any} config
 * @param {((block: any) => boolean)|null} [ask] whether a block is to be predicted first: what is behind it is not shown, and of it no verdict
 */
export function viewOf(state, pieces, config, ask = null) {
  const { trace, form } = state, end = horizon(trace, state.from, ask), blockIndex = Math.min(state.blockIndex, end);
  const block = trace ? trace.blocks[blockIndex] || null : null, predicting = Boolean(block && blockIndex === end);
  const row = block && (state.position ?? (predicting ? 0 : firstRow(block, form.rules, form.follow)));
  return {
    trace, block, blockIndex, end, predicting, predict: Boolean(ask), position: block ? Math.min(Math.max(row, 0), Math.max(block.gamma - 1, 0)) : 0,
    rules: form.rules, follow: form.follow, form, config, pieces, status: state.status, message: state.message, progress: state.progress,
    changed: changed({ ...form, verifier: trace ? trace.settings.verifier : "" }, trace),
    missing: block ? form.rules.filter((rule) => !block.verdicts[rule]) : [],
    differing: trace ? differingBlocks(trace, form.rules, form.follow).filter((k) => k < end) : [],
    race: state.race, law: state.law,
  };
}

/** @param {any} config @param {((block: any) => boolean)|null} [ask] see viewOf */
export function createStore(config, ask = null) {
  let state = { status: "empty", trace: null, from: 0, blockIndex: 0, position: null, form: DEFAULTS, message: null, progress: null, race: { ...NOTHING, options: OPTIONS.race }, law: { ...NOTHING, options: OPTIONS.law } };
  let table = new Map(), learnt = null, counted = 0;
  const subscribers = [];
  const pieces = (id) => table.get(id);

  /** The pieces of the trace shown; of a grown one only the new blocks are read. */
  function learn() {
    const { trace } = state;
    if (trace === learnt) return;
    const grows = learnt && trace && counted && trace.pieces === learnt.pieces && trace.blocks[counted - 1] === learnt.blocks[counted - 1];
    if (!grows) {
      table = new Map(trace ? Object.entries(trace.pieces).map(([id, piece]) => [Number(id), piece]) : []);
      counted = 0;
    }
    for (const block of trace ? trace.blocks.slice(counted) : []) for (const [id, piece] of Object.entries(block.pieces)) table.set(Number(id), piece);
    counted = trace ? trace.blocks.length : 0;
    learnt = trace;
  }

  const store = {
    get state() { return state; },
    get view() { return viewOf(state, pieces, config, ask); },
    subscribe(callback) { subscribers.push(callback); },
    set(change) {
      state = { ...state, ...change };
      learn();
      const view = store.view;
      if (view.block) state.blockIndex = view.blockIndex;
      for (const callback of subscribers) callback(view, state);
    },
    /** Changes the race or the law check. @param {"race"|"law"} kind */
    measure(kind, change) { store.set({ [kind]: { ...state[kind], ...change } }); },
    goTo(blockIndex, position = null) {
      const { trace } = state;
      if (!trace || !trace.blocks.length) return;
      store.set({ blockIndex: Math.min(Math.max(0, blockIndex), trace.blocks.length - 1), position });
    },
  };
  return store;
}
