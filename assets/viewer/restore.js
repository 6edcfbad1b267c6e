/**
 * Brings the page back: from the hash (decoding the same blocks again, or an example), and what was typed in this tab but
 * not yet decoded.
 */

import { many } from "./format.js";
import { decode } from "./link.js";
import { createTyped } from "./typed.js";
import { say } from "./words/parts/step.js";
import { say as sayViewer } from "./words/parts/viewer.js";

/** An example whose settings nobody has changed is no text of one's own: it is opened again. */
const memory = createTyped("specdemo.typed", ({ form, example, changed }) => ({ form, example: changed.length ? null : example }));
if (typeof document !== "undefined") document.addEventListener("specdemo:link", memory.save);

/** Keeps what is typed, for a reload of this tab. @param {any} view */
export const remember = (view) => memory.remember(view);

function typed() {
  const kept = memory.kept();
  return kept && kept.here ? kept.part : { form: null, example: null };
}

/** @param {{store: any, runner: any, link: any, library: any, actions: any, controls: any, checked: (given: any) => {form: any, wrong: string[]}}} context */
export async function restore({ store, runner, link, library, actions, controls, checked }) {
  const want = decode(location.hash);
  const { form: saved, example } = typed();
  link.paused = true;
  actions.cancel();
  const done = (typed = saved) => {
    link.paused = false;
    const { status, trace } = store.state;
    if (status === "loading" && !runner.busy) store.set({ status: trace && trace.blocks.length ? "ready" : "empty" });
    if (typed) store.set({ form: checked(typed).form });
    else store.set({});
  };

  if (!want) {
    if (saved && saved.prompt && !example) return done();
    const before = JSON.stringify(store.state.form), busied = () => runner.busy || JSON.stringify(store.state.form) !== before;
    const all = await library.list(), first = all.find(({ name }) => name === example) || all[0];
    if (saved && !first) return busied() ? done(null) : done();
    // Something to look at, until the visitor asks for something else.
    if (first && store.state.status === "empty" && !busied() && !store.state.form.prompt) {
      store.set({ status: "loading" });
      if (await actions.openExample(first.name, null, true)) return done();
    }
    return busied() ? done(null) : done(); // what is being typed now goes before what was
  }
  if (want.example) {
    store.set({ status: "loading" });
    const placed = new URLSearchParams(location.hash.slice(1)).has("b");
    if (await actions.openExample(want.example, placed ? want.place : null)) missing();
    return done();
  }
  const { form, wrong } = checked(want.form);
  controls.reset();
  store.set({ form, status: "loading", message: wrong.length ? { kind: "error", text: say("step.link_wrong", { wrong: wrong.join(sayViewer("viewer.between")) }), retry: false } : null });
  if (!want.segments.length || wrong.length) return done();
  await again(0, null);
  return done();

  /** Says so where the link's block is beyond the run. */
  function missing() {
    const count = store.state.trace.blocks.length, { blockIndex } = want.place;
    if (count && blockIndex >= count) store.set({ message: { kind: "error", retry: false, text: say("step.link_block", { number: many(blockIndex + 1), count }) } });
  }

  /** Decodes the link's blocks from segment k on, rule by rule; a retry comes back here. */
  async function again(k, base) {
    let trace = base;
    for (; k < want.segments.length; k++) {
      const [rule] = want.segments[k];
      const goal = want.segments.slice(0, k + 1).reduce((sum, segment) => sum + Number(segment[1]), 0);
      const have = trace ? trace.blocks.length : 0;
      if (have >= goal) continue;
      const outcome = await runner.start({
        form: { ...form, verifier: rule }, base: trace, blocks: goal - have,
        onBlocks(grown) {
          trace = grown;
          store.set({ status: "loading", progress: { text: say("step.decoding_again", { count: grown.blocks.length }), fraction: null } });
        },
      });
      if (outcome !== "done") {
        if (outcome === "error") actions.pending = () => again(k, trace).then(done);
        if (trace && trace.blocks.length) store.open(trace, {}, { status: store.state.status, message: store.state.message, form });
        return;
      }
      if (trace && trace.finish) break;
    }
    if (!trace) return;
    store.open(trace, want.place, { form: { ...form, pair: trace.pair.name, draft: trace.pair.draft }, example: null, untouched: false });
    missing();
    if (want.digest && want.digest !== trace.digest) {
      store.set({ message: { kind: "error", retry: false, text: say("step.digests_differ") } });
    }
  }
}
