/** Asks the bridge for a race or a law check: one of each in flight, messages of old ones ignored, what has come stays. */

import { lawWith, raceWith } from "./records.js";

const GROW = { race: raceWith, law: lawWith };

/** @param {any} store @param {any} bridge */
export function createMeasurer(store, bridge) {
  const running = { race: "", law: "" };

  /** @param {"race"|"law"} kind */
  function requestOf(kind, run) {
    const { form } = store.state, { options } = store.state[kind];
    const { pair, draft, prompt, rules, gamma, temperature, top_k, top_p, seed, max_new_tokens } = form;
    const request = { run, pair, draft, prompt, rules, settings: { gamma, temperature, top_k, top_p, seed } };
    if (kind === "law") return { ...request, samples: options.samples };
    return { ...request, settings: { ...request.settings, max_new_tokens }, seeds: options.seeds, prompt_set: options.prompt_set };
  }

  /** Resolves when it is over, however it ends. @param {"race"|"law"} kind @returns {Promise<void>} */
  function start(kind) {
    if (running[kind]) return Promise.resolve();
    const run = (running[kind] = `${kind}-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 10)}`);
    let fresh = true; // the record before stays until the first message of this one
    store.measure(kind, { status: "running", progress: null, message: null });
    return new Promise((resolve) => {
      const mine = (handler) => (...values) => { if (running[kind] === run) handler(...values); };
      const over = (change) => {
        running[kind] = "";
        store.measure(kind, { progress: null, ...change });
        resolve();
      };
      ended[kind] = () => over({ status: "cancelled" });
      bridge.measure(kind, requestOf(kind, run), {
        onMessage: mine((message) => {
          const before = fresh ? null : store.state[kind].record, record = GROW[kind](before, message);
          if (record === before) return;
          fresh = false;
          store.measure(kind, { record });
        }),
        onProgress: mine((text, fraction) => store.measure(kind, { progress: { text, fraction: fraction ?? null } })),
        onEnd: mine(() => over({ status: "done" })),
        onError: mine((text) => over({ status: "error", message: text || "The server did not answer." })),
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
