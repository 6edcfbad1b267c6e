/**
 * What the buttons, keys and pictures can do. Everything that only looks at decoded blocks stays in the browser; the rest
 * goes through the runner. A step at the last block asks for one more, but only under the rule that decided that block:
 * under another one the block has to be decided anew first, and that is asked for by "Continue from here", so that every
 * block of a trace says truly who decided it and none changes unasked.
 */

import { inWindow, rulesOf } from "./derive.js";
import { formOf } from "./store.js";
import { exportTrace, fileName, importTrace } from "./files.js";
import { copy, linkable } from "./link.js";
import { createPlayer } from "./player.js";
import { runRecord, savedWords, saveHtml } from "./save_html.js";
import { cutAfter, placeOf } from "./steps.js";
import { inWindowWords } from "./lane.js";
import { ruleWords } from "./rule_names.js";
import { say } from "./words/parts/step.js";

/** @param {{store: any, runner: any, link: any, library: any, parts: any, config: any, kept: any, unlinked: (view: any) => string}} context */
export function createActions({ store, runner, link, library, parts, config, kept, unlinked }) {
  let following = false;
  let begun = 0; // how many runs and examples have been asked for: the last one is shown, whichever comes first
  const tell = (text, kind = "note") => store.set({ message: { kind, text, retry: false } });
  const touch = () => { if (store.state.untouched) store.set({ untouched: false }); };

  /** A new run with the form's settings. */
  function fresh(blocks, form = store.state.form) {
    following = blocks === 0;
    begun++;
    const asked = store.state.form, typedSince = () => Object.fromEntries(Object.entries(store.state.form).filter(([name, value]) => value !== asked[name]));
    return runner.start({
      form, base: null, blocks,
      onBlocks(trace, before) {
        if (before === 0) store.open(trace, {}, { status: "decoding", form: { ...form, ...typedSince() }, example: null, untouched: false });
        grow(trace);
      },
    });
  }

  /** The trace has grown; a Run shows the newest block as long as the user does not look elsewhere. */
  function grow(trace) {
    store.set(following ? { trace, blockIndex: trace.blocks.length - 1, phase: "commit", tried: 0, example: null } : { trace, example: null });
  }

  /** More blocks after the first `keep` of the present run, decided by `rule`. */
  function more(keep, rule, blocks, then) {
    const { trace } = store.state;
    const form = { ...formOf(trace), verifier: rule };
    const base = keep === 0 ? null : cutAfter(trace, keep);
    let seen = false;
    following = blocks === 0;
    begun++;
    return runner.start({
      form, base, blocks,
      onBlocks(grown) {
        if (!seen && keep < trace.blocks.length) store.set({ pinned: null, whatIf: null });
        const first = !seen;
        seen = true;
        grow(grown);
        if (then) then(grown, first);
      },
    });
  }

  /** Words where this run may not go on, or not with another rule at this block; else null. */
  function locked(block, rule) {
    if (store.state.saved) return say("step.saved_run");
    if (!linkable(store.state.trace.settings)) return say("step.made_elsewhere");
    return inWindow(block) && rule !== block.verifier ? inWindowWords(store.state.trace, block) : null;
  }

  function decodeNext() {
    const view = store.view, { trace, block, rule } = view;
    const last = trace.blocks.length - 1;
    const words = locked(block, rule);
    if (words) return tell(words), false;
    if (rule !== block.verifier) return tell(say("step.other_decided", { owner: ruleWords(block.verifier), rule: ruleWords(rule) })), false;
    if (trace.finish) return false;
    more(last + 1, rule, 1, (grown) => { if (grown.blocks.length > last + 1 && !following) store.go({ blockIndex: last + 1, phase: "draft", tried: 0 }); });
    return true;
  }

  const actions = {
    step() {
      const { block, changed, untouched } = store.view;
      if (!block || (untouched && changed.length)) {
        if (!runner.busy) fresh(1, formNow());
        return;
      }
      touch();
      following = false;
      if (store.step()) return;
      const view = store.view;
      if (view.predicting && view.phase === "score") return void store.set({ urged: true });
      if (runner.busy || view.blockIndex < view.trace.blocks.length - 1 || !decodeNext()) player.stop();
    },
    back() {
      following = false;
      touch();
      store.back();
    },
    toStart() {
      following = false;
      touch();
      if (store.view.block) store.go({ blockIndex: 0, phase: "draft", tried: 0 });
    },
    toEnd() {
      touch();
      const { trace } = store.view;
      if (trace && trace.blocks.length) store.go({ blockIndex: trace.blocks.length - 1, phase: "commit", tried: 0 });
    },
    toPhase(phase) {
      const view = store.view;
      following = false;
      touch();
      if (view.block) store.go({ phase, tried: phase === "verify" ? view.block.gamma + 1 : 0 });
    },
    goTo(blockIndex, row) {
      const view = store.view;
      following = false;
      touch();
      if (blockIndex !== view.blockIndex) store.go({ blockIndex, phase: row === null ? view.phase : "commit", tried: view.phase === "verify" && row === null ? 99 : 0 });
      if (row !== null && row !== undefined) store.select({ position: row });
    },
    run() {
      if (runner.busy) return;
      const view = store.view, { trace, block, rule } = view;
      if (!block || view.changed.length) return void fresh(0, formNow());
      const last = trace.blocks[trace.blocks.length - 1];
      if (rule !== last.verifier && Object.hasOwn(last.verdicts, rule)) {
        const words = locked(last, rule);
        if (words) return tell(words);
        more(trace.blocks.length - 1, rule, 0);
        return tell(say("step.decided_anew", { block: trace.blocks.length, rule: ruleWords(rule) }));
      }
      if (trace.finish) return actions.toEnd();
      const stuck = locked(last, last.verifier);
      if (stuck) return tell(stuck);
      more(trace.blocks.length, last.verifier, 0);
    },
    restart() {
      if (!runner.busy) fresh(1, formNow());
    },
    cancel() {
      begun++;
      player.stop();
      runner.cancel();
    },
    retry() {
      const again = actions.pending;
      actions.pending = null;
      return again ? again() : runner.retry();
    },
    /** @type {null | (() => any)} what a retry does when it is more than one request */
    pending: null,
    play: () => player.toggle(),
    /** The shown block is decided anew by the shown rule; later blocks go. */
    continueHere() {
      const { block, rule, blockIndex } = store.view;
      if (runner.busy || !block || rule === block.verifier) return;
      const words = locked(block, rule);
      if (words) return tell(words);
      more(blockIndex, rule, 1);
    },
    select: (choice) => { touch(); store.select(choice); },
    move(by) {
      const view = store.view;
      if (view.block) store.select({ position: Math.min(Math.max(view.position + by, 0), view.block.gamma) });
    },
    setRule: (rule) => store.setRule(rule),
    nextRule() {
      const { trace, block, rule, form } = store.view;
      const names = trace && block ? rulesOf(trace, block) : config.verifiers.map((entry) => entry.name);
      if (names.length) store.setRule(names[(names.indexOf(block ? rule : form.verifier) + 1) % names.length]);
    },
    drag: (i, eta) => { touch(); store.drag(i, eta); },
    resetDrag: () => store.resetDrag(),
    setField: (name, value) => store.set({ form: { ...store.state.form, [name]: value } }),
    explain: (name, args) => parts.explain(name, args),
    help: () => parts.help.toggle(),
    escape() {
      if (parts.help.open) return parts.help.close();
      if (store.state.whatIf) return store.resetDrag();
      return false;
    },
    dismiss: () => store.set({ message: null }),
    refresh: () => store.set({}),
    async copyLink() {
      const { view } = store, refused = unlinked(view);
      if (refused) return tell(refused);
      const address = link.address(view);
      if (!address) return tell(say("step.too_long"));
      tell((await copy(address)) ? say("step.link_copied") : say("step.not_copied", { address }));
    },
    exportTrace() {
      const { trace } = store.view;
      if (trace) exportTrace(trace);
      else tell(say("step.nothing_to_export"));
    },
    async saveHtml() {
      const { view } = store;
      if (!view.block) return tell(say("step.nothing_to_save"));
      try {
        const saved = savedWords(await saveHtml(runRecord(view), config.base, fileName(view.trace, "html")));
        tell(view.whatIf ? say("step.saved_what_if", { saved }) : saved);
      } catch (error) {
        tell(error.message, "error");
      }
    },
    async importFile(file) {
      if (!file || runner.busy) return;
      const mine = ++begun;
      try {
        const trace = await importTrace(file);
        if (mine !== begun) return;
        kept.keep(trace);
        show(trace, { blockIndex: 0, phase: trace.blocks.length ? "commit" : "draft" }, null);
      } catch (error) {
        tell(error.message, "error");
      }
    },
    /** With `untouched` only to have something to look at: nothing happens where somebody has typed or decoded before it came. */
    async openExample(name, place = null, untouched = false) {
      if (runner.busy) actions.cancel();
      const before = JSON.stringify(store.state.form), mine = ++begun;
      try {
        const { entry, trace } = await library.open(name), own = placeOf(entry.start);
        if (mine !== begun || (untouched && (runner.busy || store.state.trace || JSON.stringify(store.state.form) !== before))) return false;
        show(trace, place ? { ...place, blockIndex: place.blockIndex ?? own.blockIndex } : own, name, untouched);
        return true;
      } catch (error) {
        if (!untouched && mine === begun) tell(error.message, "error");
        return false;
      }
    },
  };

  const player = createPlayer(store, runner, actions.step);

  /** The form, with the rule that the select shows. */
  function formNow() {
    const { form, block, rule, changed } = store.view;
    return block && !changed.includes("verifier") ? { ...form, verifier: rule } : form;
  }

  function show(trace, place, example, untouched = false) {
    following = false;
    player.stop();
    store.open(trace, place, { form: formOf(trace), example, untouched });
    parts.controls.reset();
  }

  return actions;
}
