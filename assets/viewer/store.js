/**
 * The state of the Step page, its subscribers, and the view that parts and pictures are given (docs/viewer.md).
 * Every change goes through `set`; the view is made anew for each and handed to all subscribers in one go.
 *
 * A place in a run is (block, phase, tried). What the user chose at a place (position, token) is remembered for that
 * place, so that stepping away and back shows the same again.
 */

import { decide, runningMean } from "./derive.js";
import { modeOf } from "./prompt_modes.js";
import { backward, coins, forward, rowOf } from "./steps.js";
import { horizon } from "./teacher/horizon.js";

/** @typedef {{prompt: string, pair: string, draft: string, verifier: string, gamma: number, temperature: number, top_k: number, top_p: number, seed: number, max_new_tokens: number, prompt_mode: string}} Form */

export const DEFAULTS = { prompt: "", pair: "", draft: "", verifier: "block", gamma: 5, temperature: 1, top_k: 0, top_p: 1, seed: 0, max_new_tokens: 64, prompt_mode: "text" };

const START = {
  status: "empty", trace: null, blockIndex: 0, phase: "draft", tried: 0, pinned: null, choices: {}, whatIf: null,
  form: DEFAULTS, message: null, progress: null, playing: false, example: null, untouched: false, hidden: false,
  saved: false, // of a page without a server: there is this run and no other
  asked: null, // a rule chosen for the next run, where the block shown has no verdict of it
  urged: false, // a step was asked for before the prediction
  from: 0, // the block that the run was opened at: those before it are not asked for
  ask: null, // (block) => whether it is to be predicted before it is decided here
};

const placeKey = (state) => `${state.blockIndex}/${state.phase}/${state.tried}`;

/** The rule whose verdict is shown: the pinned one where the block has it, else the one that decided. */
export function ruleOf(state, block) {
  return state.pinned && Object.hasOwn(block.verdicts, state.pinned) ? state.pinned : block.verifier;
}

/** The settings that differ between the form and the trace shown: the names, in the form's order. */
export function changed(form, trace, asked = null) {
  if (!trace) return [];
  const { settings } = trace;
  const names = [];
  if (form.prompt !== trace.prompt.text) names.push("prompt");
  if (form.pair && form.pair !== trace.pair.name) names.push("pair");
  if (form.draft && form.draft !== trace.pair.draft) names.push("draft");
  if (asked === form.verifier || (trace.blocks.length && !Object.hasOwn(trace.blocks[0].verdicts, form.verifier))) names.push("verifier");
  for (const name of ["gamma", "temperature", "top_k", "top_p", "seed", "max_new_tokens"]) if (form[name] !== settings[name]) names.push(name);
  if (form.prompt_mode !== modeOf(settings)) names.push("prompt_mode");
  return names;
}

/** The form that belongs to a trace. */
export function formOf(trace) {
  const { verifier, gamma, temperature, top_k, top_p, seed, max_new_tokens } = trace.settings;
  return { prompt: trace.prompt.text, pair: trace.pair.name, draft: trace.pair.draft, verifier, gamma, temperature, top_k, top_p, seed, max_new_tokens, prompt_mode: modeOf(trace.settings) };
}

/** The view of a state; no block behind one that is still to be predicted. @param {any} given @param {(id: number) => any} pieces */
export function viewOf(given, pieces) {
  const state = { ...given, blockIndex: Math.min(given.blockIndex, horizon(given.trace, given.from, given.ask)) };
  const { trace, hidden, status, form, message, progress, playing } = state;
  const block = trace ? trace.blocks[state.blockIndex] || null : null;
  const base = {
    trace, block, status, form, message, progress, playing, hidden, pieces, blockIndex: state.blockIndex, example: state.example,
    saved: state.saved, changed: changed(form, trace, state.asked), untouched: state.untouched, predict: Boolean(state.ask),
  };
  if (!block) {
    return { ...base, verdict: null, rule: form.verifier, phase: "draft", tried: 0, position: 0, token: null, whatIf: null, accepted: 0, coins: [],
      uniforms: [], revealed: { cut: false, next: false, scores: false }, predicting: false, averages: {} };
  }
  const rule = ruleOf(state, block);
  const verdict = block.verdicts[rule];
  const dragged = state.whatIf && state.whatIf.block === state.blockIndex ? state.whatIf.uniforms : null;
  const whatIf = dragged ? { uniforms: dragged, ...decide(verdict, dragged) } : null;
  const accepted = whatIf ? whatIf.accepted : verdict.accepted;
  const looked = coins(block, verdict, accepted);
  const predicting = Boolean(state.ask && state.blockIndex >= state.from && state.ask(block));
  let { phase, tried } = state;
  if (predicting && phase !== "draft") phase = "score";
  const urged = predicting && phase === "score" && state.urged;
  tried = phase === "verify" ? Math.min(Math.max(tried, 1), looked.length) : 0;
  if (phase === "verify" && tried === 0) phase = "correct";
  const choice = state.choices[placeKey(state)] || {};
  const late = phase === "correct" || phase === "commit";
  const wanted = choice.position ?? rowOf({ phase, tried }, looked, accepted);
  return {
    ...base, rule, verdict, phase, tried, coins: looked, position: Math.min(Math.max(wanted, 0), block.gamma), token: choice.token ?? null,
    whatIf, accepted, predicting, urged, uniforms: dragged || block.uniforms.verify,
    revealed: { scores: phase !== "draft", cut: late || (phase === "verify" && tried === looked.length), next: late },
    averages: averagesOf(state, phase, trace, rule),
  };
}

/** Means over the drafted blocks shown so far, for the two main rules and the one shown: {rule: {blocks, expected, accepted}}. */
function averagesOf(state, phase, trace, shown) {
  const last = state.blockIndex - (phase === "correct" || phase === "commit" ? 0 : 1);
  const out = {};
  if (last >= 0) for (const rule of new Set(["token", "block", shown])) out[rule] = runningMean(trace, rule, last);
  return out;
}

/** @param {{ask?: ((block: any) => boolean)|null, saved?: boolean}} [options] */
export function createStore(options = {}) {
  let state = { ...START, ...options };
  let table = new Map();
  let tableOf = null, counted = 0, last = null;
  const subscribers = [];
  const pieces = (id) => table.get(id);

  function learn() {
    const { trace } = state;
    const head = trace && trace.pieces;
    if (tableOf !== head || !trace || (counted && trace.blocks[counted - 1] !== last)) {
      table = new Map(head ? Object.entries(head).map(([id, piece]) => [Number(id), piece]) : []);
      tableOf = head;
      counted = 0;
    }
    for (; trace && counted < trace.blocks.length; counted++) {
      for (const [id, piece] of Object.entries(trace.blocks[counted].pieces)) table.set(Number(id), piece);
    }
    last = counted ? trace.blocks[counted - 1] : null;
  }

  const store = {
    get state() { return state; },
    get view() { return viewOf(state, pieces); },
    subscribe(callback) { subscribers.push(callback); },
    set(change) {
      state = { ...state, ...change };
      learn();
      const view = store.view;
      if (view.block) state = { ...state, blockIndex: view.blockIndex, ...(view.predicting ? {} : { phase: view.phase, tried: view.tried }) };
      for (const callback of subscribers) callback(view, state);
    },

    /** Shows a whole trace from a place on. */
    open(trace, place = {}, more = {}) {
      const { blockIndex = 0, phase = "draft", tried = 0, pinned = null, position, token } = place;
      const at = { blockIndex: Math.min(Math.max(0, blockIndex), Math.max(0, trace.blocks.length - 1)), phase, tried };
      const choices = position === undefined && (token ?? null) === null ? {} : { [placeKey(at)]: { position, token: token ?? null } };
      store.set({ trace, ...at, pinned, choices, asked: null, whatIf: null, from: at.blockIndex, message: null, progress: null, playing: false,
        status: trace.blocks.length ? "ready" : "empty", ...more });
    },
    step() {
      const { trace } = state, view = store.view;
      if (!view.block || (view.predicting && view.phase === "score")) return false;
      const next = forward({ blockIndex: view.blockIndex, phase: view.phase, tried: view.tried }, view.coins.length, trace.blocks.length);
      if (!next) return false;
      store.set({ ...next, urged: false });
      return true;
    },
    back() {
      const view = store.view;
      if (!view.block) return false;
      let looked = view.coins.length;
      const before = backward({ blockIndex: view.blockIndex, phase: view.phase, tried: view.tried }, looked);
      if (!before) return false;
      store.set({ ...before, urged: false });
      return true;
    },
    go(place) { store.set(place); },
    select(choice) {
      const view = store.view;
      if (!view.block) return;
      const position = choice.position ?? view.position;
      const token = choice.token !== undefined ? choice.token : position === view.position ? view.token : null;
      store.set({ choices: { ...state.choices, [placeKey(state)]: { position, token } } });
    },
    setRule(rule) {
      const view = store.view, form = { ...state.form, verifier: rule };
      if (!view.block) return store.set({ form });
      const has = Object.hasOwn(view.block.verdicts, rule), pinned = !has || view.block.verifier === rule ? null : rule;
      const complete = view.phase === "verify" && view.tried === view.coins.length;
      store.set({ form, pinned, asked: has ? null : rule }); // one that this run has no verdict of is for the next run
      if (view.phase === "verify") {
        const length = store.view.coins.length;
        store.set(length ? { tried: complete ? length : Math.min(view.tried, length) } : { phase: "correct", tried: 0 });
      }
    },
    drag(i, eta) {
      const view = store.view;
      if (!view.block || i < 0 || i >= view.block.gamma) return;
      const uniforms = view.uniforms.slice();
      uniforms[i] = Math.min(Math.max(eta, 0), 1 - 2 ** -20);
      const whatIf = { block: view.blockIndex, uniforms };
      const late = view.phase === "correct" || view.phase === "commit";
      const tried = coins(view.block, view.verdict, decide(view.verdict, uniforms).accepted).length;
      store.set(late ? { whatIf } : { whatIf, phase: "verify", tried });
    },
    resetDrag() { store.set({ whatIf: null }); },
  };
  return store;
}
