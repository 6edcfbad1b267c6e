/**
 * Brings the page back: from the hash (decoding the same blocks again, or an example), and what was typed in this tab but
 * not yet decoded.
 */

import { placeWords, SEGMENT } from "./checked.js";
import { decode, strayWords, unlike } from "./link.js";
import { leftOut, sentences } from "./link_values.js";
import { formOf } from "./store.js";
import { createTyped } from "./typed.js";
import { putUnfinished } from "./unfinished.js";
import { say as sayLink } from "./words/parts/link.js";
import { say } from "./words/parts/step.js";
import { say as sayViewer } from "./words/parts/viewer.js";

/** An example whose settings nobody has changed is no text of one's own: it is opened again. */
const memory = createTyped("specdemo.typed", ({ form, example, changed, unfinished, run, ...view }) => ({
  form, example: changed.length ? null : example, unfinished: unfinished(), run: run && { id: run, place: placeShown(view) },
}));
if (typeof document !== "undefined") document.addEventListener("specdemo:link", memory.save);

/** Where a view stands in its run, as `store.open` takes it. @param {any} view */
const placeShown = ({ block, blockIndex, phase, tried, position, token, rule }) => (block ? { blockIndex, phase, tried, position, token, pinned: rule === block.verifier ? null : rule } : {});

/** Keeps what is typed, for a reload of this tab. @param {any} view with `unfinished`: what stands in fields that cannot take it */
export const remember = (view) => memory.remember(view);

function typed() {
  const kept = memory.kept(), part = { form: null, example: null, unfinished: null, run: null, ...(kept && kept.here ? kept.part : {}) };
  return { ...part, prompt: kept && kept.part.form ? String(kept.part.form.prompt) : "" };
}

/** @param {{root: Element, store: any, runner: any, link: any, library: any, actions: any, controls: any, kept: any, checked: {form: (given: any) => any, link: (want: any, prompt: string) => any}}} context */
export async function restore({ root, store, runner, link, library, actions, controls, checked, kept }) {
  const want = decode(location.hash), stray = want ? [] : strayWords(location.hash);
  const { form: saved, example, unfinished, prompt, run } = typed();
  link.paused = true;
  actions.cancel();
  const before = JSON.stringify(store.state.form), busied = () => runner.busy || JSON.stringify(store.state.form) !== before;
  const done = (typed = saved, notes = /** @type {string[]} */ ([])) => {
    link.paused = false;
    const { status, trace, message } = store.state;
    if (status === "loading" && !runner.busy) store.set({ status: trace && trace.blocks.length ? "ready" : "empty" });
    const text = sentences([message && message.kind === "error" ? message.text : "", ...notes]);
    store.set({ ...(typed ? { form: checked.form(typed).form } : {}), ...(notes.length ? { message: { retry: false, ...message, kind: "error", text } } : {}) });
    if (typed) putUnfinished(root, unfinished);
  };

  if (run && run.id !== kept.idOf(store.state.trace)) {
    const trace = await kept.load(run.id);
    if (trace && !busied()) {
      const own = formOf(trace), { form } = saved ? checked.form(saved) : { form: own };
      for (const name of Object.keys(own)) if (saved && saved[name] === own[name]) form[name] = own[name]; // also what no field takes
      store.open(trace, run.place, { form, example: null, untouched: false });
      putUnfinished(root, unfinished);
      return done(null, stray);
    }
  }
  if (!want) {
    if (saved && saved.prompt && !example) return done(saved, stray);
    const all = await library.list(), first = all.find(({ name }) => name === example) || all[0];
    if (saved && !first) return busied() ? done(null, stray) : done(saved, stray);
    // Something to look at, until the visitor asks for something else.
    if (first && store.state.status === "empty" && !busied() && !store.state.form.prompt) {
      store.set({ status: "loading" });
      if (await actions.openExample(first.name, null, true)) return done(saved, stray);
    }
    return done(busied() ? null : saved, stray); // what is being typed now goes before what was
  }
  if (want.example !== null) {
    store.set({ status: "loading" });
    const opened = await actions.openExample(want.example, want.placed ? want.place : null);
    const others = opened ? unlike(want.beside, store.view.trace) : [];
    const said = [leftOut([...want.damaged, ...want.misplaced]), ...(others.length ? [sayLink("link.example", { names: others.join(sayViewer("viewer.comma")) })] : []), ...(opened ? placeWords(want, store.view, 0) : [])];
    return done(busied() && !opened ? null : saved, said.filter(Boolean));
  }
  const { form, segments, wrong } = checked.link(want, store.state.form.prompt || prompt); // a link without a prompt leaves what is typed
  controls.reset();
  store.set({ form, status: "loading", message: null });
  const notes = wrong.length ? [leftOut(wrong)] : [];
  if (!segments.length) {
    if (want.placed && want.written === null) notes.push(sayLink("link.no_run", { example: SEGMENT }));
    return done(saved, notes);
  }
  await again(0, null);
  return done();

  /** Decodes the link's blocks from segment k on, rule by rule; a retry comes back here. */
  async function again(k, base) {
    let trace = base;
    for (; k < segments.length; k++) {
      const [rule] = segments[k];
      const goal = segments.slice(0, k + 1).reduce((sum, segment) => sum + Number(segment[1]), 0);
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
    const said = sentences([...notes, ...placeWords(want, store.view, segments.reduce((sum, segment) => sum + Number(segment[1]), 0))]);
    if (said) store.set({ message: { kind: "error", retry: false, text: said } });
  }
}
