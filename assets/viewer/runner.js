/**
 * Asks the bridge for blocks and hands them to the store: one request in flight, messages of old runs ignored, a gap
 * asked for again from what is there (the bridge itself mends broken connections). What is shown stays until the first new block has come.
 */

import { append, resumeAt } from "./steps.js";
import { say } from "./words/parts/viewer.js";

const PATIENCE = 25000; // ms of silence after which the page says so
const LOADING = 240000; // the same after a progress message: a pair may load for minutes without another word

/**
 * @typedef {object} Job
 * @property {any} form settings for the request; `verifier` is the rule that decodes, `rules`, where there are any, those that every block carries verdicts of
 * @property {any} base the trace that new blocks are appended to, or null for a new run
 * @property {number} blocks how many more, 0 to the end
 * @property {(trace: any, before: number) => void} onBlocks called with the grown trace and the number of blocks before
 */

/** @param {any} store @param {any} bridge */
export function createRunner(store, bridge) {
  let current = null, last = null;

  /** Resolves with "done", "cancelled", "error", or at once with "busy". @param {Job} job @returns {Promise<string>} */
  function start(job) {
    if (current) return Promise.resolve("busy");
    return new Promise((resolve) => {
      const goal = job.blocks ? (job.base ? job.base.blocks.length : 0) + job.blocks : Infinity;
      current = { ...job, goal, trace: job.base, head: null, run: "", timer: 0, resolve };
      last = current;
      store.set({ status: "decoding", message: null, progress: null });
      ask(current);
    });
  }

  function ask(job) {
    const run = (job.run = Date.now().toString(36) + Math.random().toString(36).slice(2, 10));
    const have = job.trace ? job.trace.blocks.length : 0;
    const { prompt, pair, draft, verifier, gamma, temperature, top_k, top_p, seed, max_new_tokens, prompt_mode } = job.form;
    const request = {
      run, pair, draft, prompt, settings: { verifier, gamma, temperature, top_k, top_p, seed, max_new_tokens, prompt_mode },
      ...(job.form.rules ? { rules: job.form.rules } : {}), blocks: job.goal === Infinity ? 0 : job.goal - have, resume: have ? resumeAt(job.trace, have) : null,
    };
    let moved = false;
    const mine = () => current === job && job.run === run;
    const guard = (handler, patience = PATIENCE) => (...values) => {
      if (!mine()) return;
      watch(job, patience);
      handler(...values);
    };
    watch(job);
    bridge.decode(request, {
      onStart: guard((head) => { if (head) job.head = head; }),
      onProgress: guard((text, fraction) => store.set({ status: moved ? "decoding" : "loading", progress: { text, fraction: fraction ?? null } }), LOADING),
      onBlocks: guard((first, records, memory) => {
        const trace = job.trace || (job.head && { ...job.head, blocks: [] });
        if (!trace) return fail(job, say("viewer.server.headless"));
        const known = trace.blocks.length;
        if (first > known) {
          bridge.cancel(run);
          return ask(job);
        }
        const fresh = records.slice(known - first);
        if (!fresh.length) return;
        job.trace = append(trace, known, fresh, memory);
        moved = true;
        store.set({ status: "decoding", progress: null });
        job.onBlocks(job.trace, known);
      }),
      onEnd: guard((end) => {
        const finish = (end && end.finish) || null;
        const { trace } = job;
        if (trace && finish && !trace.finish) {
          job.trace = { ...trace, finish };
          job.onBlocks(job.trace, trace.blocks.length);
        } else if (trace && !trace.finish && trace.blocks.length < job.goal && moved) return ask(job);
        if (!job.trace) return fail(job, say("viewer.server.blockless"));
        finished(job, "done");
      }),
      onError: guard((text) => {
        fail(job, text);
      }),
    });
  }

  function watch(job, patience = PATIENCE) {
    clearTimeout(job.timer);
    job.timer = setTimeout(() => {
      if (current !== job) return;
      store.set({ message: { kind: "error", text: say("viewer.server.silent", { seconds: patience / 1000 }), retry: true } });
    }, patience);
  }

  function finished(job, outcome) {
    clearTimeout(job.timer);
    current = null;
    const { trace, message } = store.state;
    store.set({ status: trace && trace.blocks.length ? "ready" : "empty", progress: null, message: message && message.kind === "error" ? null : message });
    job.resolve(outcome);
  }

  function fail(job, text) {
    clearTimeout(job.timer);
    current = null;
    store.set({ status: "error", progress: null, playing: false, message: { kind: "error", text: text || say("viewer.server.unanswered"), retry: true } });
    job.resolve("error");
  }

  return {
    start,
    get busy() { return current !== null; },
    cancel() {
      const job = current;
      if (!job) return;
      if (job.run) bridge.cancel(job.run);
      finished(job, "cancelled");
    },
    /** Asks again for what failed or fell silent, from the blocks that have come. @returns {Promise<string>} */
    retry() {
      if (!last) return Promise.resolve("busy");
      const job = last;
      if (current) {
        if (current.run) bridge.cancel(current.run);
        store.set({ message: null });
        ask(current);
        return Promise.resolve("busy");
      }
      const have = job.trace ? job.trace.blocks.length : 0;
      return start({ ...job, base: job.trace, blocks: job.goal === Infinity ? 0 : Math.max(1, job.goal - have) });
    },
  };
}
