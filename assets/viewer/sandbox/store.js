/**
 * The Sandbox's store: the state that is edited (docs/sandbox.md) with its undo history, what the server answered, and what is
 * chosen. Every change goes through `set` or `edit`; the view is made anew for each and handed to all subscribers.
 *
 * The picture is the last one whose state was valid: it may belong to an older state than the one being typed, and
 * `pending.picture` says while a newer one is on its way.
 */

import { failureOf, hasFailed, lawsKey, NONE } from "./failures.js";
import { isPrefix, placeOf } from "./laws.js";

/** @typedef {import("./laws.js").State} State */
/** @typedef {{row: number|null, column: number|null, prefix: string|null}} Choice a cell of the matrix and a node of the tree */

/**
 * @typedef {object} View
 * @property {State} state as typed  @property {boolean} predicting
 * @property {any} picture the record drawn, null before the first  @property {any} optimum  @property {any} longrun
 * @property {any[]} problems of the state as typed; the picture then is an older one's
 * @property {boolean} old whether what is drawn belongs to other laws than those typed, and no hand is just moving them
 * @property {{text: string, retry: boolean, going: boolean}|null} failure what the server did not answer
 * @property {{picture: boolean, optimum: boolean, longrun: boolean}} pending
 * @property {"loading"|"ready"|"error"} status
 * @property {{kind: string, text: string}|null} message a note goes with the next change
 * @property {Choice} selected  @property {Choice} hovered
 * @property {string[]} rules left and right: those of the picture
 * @property {boolean} difference  @property {any} config
 * @property {{prefix: string, level: number, row: number}} place of the law that is edited and poured
 * @property {boolean} current whether the picture is that of the state as typed
 * @property {any} preset the one shown, null where the state is no preset's  @property {any[]|null} presets  @property {string} seed as typed
 * @property {boolean} fromTarget  @property {boolean} moving  @property {boolean} canUndo  @property {boolean} canRedo
 */

/** The paper's two-symbol example: something to look at before anything was asked. @type {State} */
export const FIRST = { symbols: 2, gamma: 2, context: "free", draft: [[["2/3", "1/3"]]], target: [[["1/3", "2/3"]]], rules: ["token", "block"] };

/** @type {Choice} */
export const NOTHING = { row: null, column: null, prefix: null };
const DEEPEST = 200; // states that can be undone

/**
 * The problems of the state as typed: its own, or while they are not known yet those of an earlier one whose texts still stand.
 * @param {any} state
 */
function problemsOf({ doc, answered, problems, problemsOf: of }) {
  if (of === doc || !problems.length) return problems;
  if (answered === doc || ["symbols", "gamma", "context"].some((name) => of[name] !== doc[name])) return [];
  return problems.filter(({ side, level, row }) => JSON.stringify(of[side][level][row]) === JSON.stringify(doc[side][level][row]));
}

/** The preset that a state happens to be, as the first one is. @param {any[]|null} presets @param {State} doc */
const presetOf = (presets, doc) => (presets || []).find(({ state }) => state.gamma === doc.gamma && state.symbols === doc.symbols && lawsKey(state) === lawsKey(doc) && String(state.rules) === String(doc.rules)) || null;

/**
 * @param {any} state @param {any} config
 * @param {((doc: State) => boolean)|null} [ask] whether a state is to be predicted before its numbers are shown
 * @returns {View}
 */
export function viewOf(state, config, ask = null) {
  const { doc, picture, pictured } = state, current = pictured === doc, failed = hasFailed(state, "picture");
  const pending = state.answered !== doc && !failed;
  const blocks = picture ? picture.blocks.length : 0;
  const within = (choice) => ({
    row: choice.row < blocks ? choice.row : null, column: choice.column < blocks ? choice.column : null,
    prefix: choice.prefix !== null && isPrefix(choice.prefix, doc.symbols, doc.gamma) ? choice.prefix : null,
  });
  const selected = within(state.selected), prefix = (selected.prefix || "").slice(0, doc.gamma - 1);
  return {
    state: doc, predicting: Boolean(ask && ask(doc)), picture, optimum: state.optimum, longrun: state.longrun, problems: problemsOf(state),
    pending: {
      picture: pending,
      optimum: Boolean(pictured) && state.optimumOf !== lawsKey(pictured) && !hasFailed(state, "optimum"),
      longrun: Boolean(pictured) && pictured.context === "free" && state.wantsLongrun > 0 && state.longrunOf !== pictured && !hasFailed(state, "longrun"),
    },
    old: Boolean(picture) && !current && !(pending && state.moving), failure: failureOf(state), failedPresets: hasFailed(state, "presets"),
    status: picture || state.answered === doc ? "ready" : failed ? "error" : "loading", message: state.message, selected, hovered: within(state.hovered),
    rules: pictured ? pictured.rules : doc.rules, difference: state.difference, config,
    place: { prefix, ...placeOf(doc, prefix) }, current,
    fromTarget: state.fromTarget, moving: state.moving, canUndo: state.past.length > 0, canRedo: state.future.length > 0,
    preset: state.preset || presetOf(state.presets, doc), presets: state.presets, seed: state.seed,
  };
}

/** @param {any} config @param {((doc: State) => boolean)|null} [ask] see viewOf */
export function createStore(config, ask = null) {
  let state = {
    doc: FIRST, past: [], future: [], gesture: null, moving: false, preset: null, presets: null, seed: "0",
    picture: null, pictured: null, answered: null, problems: [], problemsOf: null, failures: NONE, optimum: null, optimumOf: null, longrun: null, longrunOf: null, wantsLongrun: 0,
    message: null, selected: NOTHING, hovered: NOTHING, difference: false, fromTarget: false,
  };
  const subscribers = [];

  const store = {
    get state() { return state; },
    get view() { return viewOf(state, config, ask); },
    subscribe(callback) { subscribers.push(callback); },
    set(change) {
      state = { ...state, ...change };
      const view = store.view;
      for (const callback of subscribers) callback(view, state);
    },
    /**
     * Another state. Changes of one gesture (a drag, the typing in one field) are undone together.
     * @param {State} doc @param {string|null} [gesture] @param {object} [change] of the rest
     */
    edit(doc, gesture = null, change = {}) {
      if (JSON.stringify(doc) === JSON.stringify(state.doc)) return store.set({ gesture, ...change });
      const goesOn = gesture !== null && gesture === state.gesture;
      const past = goesOn ? state.past : [...state.past, state.doc].slice(-DEEPEST);
      store.set({ doc, past, future: [], gesture, preset: null, ...passed(), ...change });
    },
    /** The next change is a gesture of its own. */
    endGesture() { store.set({ gesture: null, moving: false }); },
    undo() { travel("past", "future"); },
    redo() { travel("future", "past"); },
  };

  /** A note is about what was just done. */
  const passed = () => (state.message && state.message.kind === "note" ? { message: null } : {});

  function travel(from, to) {
    if (!state[from].length) return;
    const doc = state[from][state[from].length - 1];
    store.set({ doc, [from]: state[from].slice(0, -1), [to]: [...state[to], state.doc], gesture: null, moving: false, preset: null, ...passed() });
  }
  return store;
}
