/**
 * Asks the bridge for a race or a law check: one of each in flight, messages of old ones ignored, what has come stays. Results of
 * the one before stay until this one has some.
 */

import { say } from "../words/parts/measure.js";
import { say as sayViewer } from "../words/parts/viewer.js";
import { holds, lawWith, raceWith } from "./records.js";

const GROW = { race: raceWith, law: lawWith };

/** @param {any} store @param {any} bridge */
export function createMeasurer(store, bridge) {
  const running = { race: "", law: "" };

  /** @param {"race"|"law"} kind */
  function requestOf(kind, run, options) {
    const { form } = store.state;
    const { pair, draft, prompt, rules, gamma, temperature, top_k, top_p, seed, max_new_tokens, prompt_mode } = form;
    const request = { run, pair, draft, prompt, rules, settings: { gamma, temperature, top_k, top_p, seed, prompt_mode } };
    if (kind === "law") return { ...request, samples: options.samples };
    return { ...request, settings: { ...request.settings, max_new_tokens }, seeds: options.seeds, prompt_set: options.prompt_set };
  }

  /** Resolves when it is over, however it ends. @param {"race"|"law"} kind @param {any} [options] @returns {Promise<void>} */
  function start(kind, options = store.state[kind].options) {
    if (running[kind]) return Promise.resolve();
    const run = (running[kind] = `${kind}-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 10)}`);
    const earlier = holds(kind, store.state[kind].record);
    let grown = null;
    store.measure(kind, { status: "running", earlier, progress: null, message: null });
    return new Promise((resolve) => {
      const mine = (handler) => (...values) => { if (running[kind] === run) handler(...values); };
      const over = (change) => {
        running[kind] = "";
        store.measure(kind, { progress: null, earlier: false, ...change });
        resolve();
      };
      const nothing = () => !holds(kind, grown);
      ended[kind] = () => over({ status: "cancelled", message: !nothing() ? null : earlier ? say("measure.cancelled_earlier") : grown && kind === "law" ? null : say("measure.cancelled") });
      bridge.measure(kind, requestOf(kind, run, options), {
        onMessage: mine((message) => {
          const record = GROW[kind](grown, message);
          if (record === grown) return;
          grown = record;
          if (!earlier || !nothing()) store.measure(kind, { record, earlier: false });
        }),
        onProgress: mine((text, fraction) => store.measure(kind, { progress: { text, fraction: fraction ?? null } })),
        onEnd: mine(() => over({ status: "done", ...(grown ? { record: grown } : {}) })),
        onError: mine((text) => {
          const problem = text || sayViewer("viewer.server.unanswered");
          over({ status: "error", message: earlier && nothing() ? say("measure.failed_earlier", { problem }) : problem });
        }),
      });
    });
  }
  const ended = { race: () => {}, law: () => {} };

  return {
    start,
    /** @param {"race"|"law"} kind */
    cancel(kind) {
      const run = running[kind];
      if (!run) return;
      bridge.cancel(run);
      ended[kind]();
    },
  };
}
