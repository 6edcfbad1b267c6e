/**
 * What the buttons, keys and parts of the Compare page can do. Looking at decoded blocks stays in the browser; the rest goes
 * through the runner. Columns that the run has no verdicts of, and another rule for the text to follow, are decoded at once,
 * with the settings of the run shown; settings changed in the form wait for Decode.
 */

import { encode as encodeStep, copy } from "../link.js";
import { ruleWords } from "../rule_gallery.js";
import { say } from "../words/parts/compare.js";
import { saveBlock } from "./block_picture.js";
import { differingBlocks, neighbour } from "./fates.js";
import { FEWEST, MOST } from "./rule_words.js";
import { columnsOf, formOf } from "./store.js";
import { exportCsv, exportJson } from "./tables.js";

/** @param {{store: any, runner: any, measurer: any, link: any, parts: any, config: any, open: (hash: string) => void}} context */
export function createActions({ store, runner, measurer, link, parts, config, open }) {
  const tell = (text, kind = "note") => store.set({ message: { kind, text, retry: false } });
  let asked = null; // the form of the run in flight

  /**
   * A new run, or the rest of `base`, shown from `until` and `position` on. Where it has the text shown, only with other
   * columns, the old run stays on the page until the new one has come as far as one looks.
   * @returns {Promise<string>} "done", "cancelled" or "error"
   */
  function decode(form, { base = null, until = 0, position = null } = {}) {
    if (runner.busy) runner.cancel();
    asked = form;
    let at = -1;
    return runner.start({
      form: { ...form, verifier: form.follow }, base, blocks: 0,
      onBlocks(trace) {
        const { trace: before, blockIndex } = store.state, count = trace.blocks.length;
        const same = Boolean(before && before.head_digest === trace.head_digest);
        if (same && count <= until && count < before.blocks.length && !trace.finish) return;
        at = at >= 0 && blockIndex !== at ? blockIndex : Math.min(until, count - 1);
        store.set(same && at === blockIndex ? { trace } : { trace, blockIndex: at, position: at === until ? position : null, ...(same ? {} : { from: until }) });
      },
    });
  }

  /** Takes columns into the form, and decodes again where the run shown lacks something of them. */
  function setColumns(wanted, follow) {
    const before = store.state, columns = columnsOf(wanted, follow, config.rules.map((rule) => rule.name));
    store.set({ form: { ...before.form, ...columns } });
    const { trace } = store.state;
    if (!trace && !runner.busy) return;
    const settled = trace && trace.settings.verifier === columns.follow && columns.rules.every((rule) => trace.verifiers.includes(rule));
    if (settled && !runner.busy) return;
    const base = runner.busy ? asked : formOf(trace, columns.rules);
    const stays = trace && trace.settings.verifier === columns.follow;
    return decode({ ...base, ...columns }, { until: stays ? store.state.blockIndex : 0 });
  }

  /** What there is to export. */
  function shown() {
    const { trace, race, law } = store.state;
    if (trace || race.record || law.record) return { trace, race: race.record, law: law.record };
    return tell(say("compare.nothing_to_export")), null;
  }

  const step = (by) => { const { trace, blockIndex } = store.state; if (trace) actions.goTo(blockIndex + by); };

  function toDifference(way) {
    const { trace, blockIndex, form } = store.state;
    if (!trace) return;
    const places = differingBlocks(trace, form.rules, form.follow), { to, wrapped } = neighbour(places, blockIndex, way);
    if (to === null) return tell(say("compare.all_agree"));
    if (to === blockIndex) return tell(say("compare.only_one"));
    store.goTo(to);
    if (wrapped) tell(say(way > 0 ? "compare.from_start" : "compare.from_end"));
  }

  const actions = {
    say: tell,
    setField: (name, value) => store.set({ form: { ...store.state.form, [name]: value } }),
    run() {
      const { trace, changed, form, missing } = store.view;
      const goesOn = trace && trace.blocks.length && !trace.finish && !changed.length && !missing.length && trace.settings.verifier === form.follow;
      const again = trace && !changed.length && trace.settings.verifier === form.follow;
      return decode(form, { base: goesOn ? trace : null, until: again ? store.state.blockIndex : 0 });
    },
    decode,
    cancel: () => runner.cancel(),
    retry: () => runner.retry(),
    dismiss: () => store.set({ message: null }),
    goTo: (blockIndex, position = null) => store.goTo(blockIndex, position),
    first: () => actions.goTo(0),
    previous: () => step(-1),
    next: () => step(1),
    last: () => actions.goTo(Infinity),
    nextDifference: () => toDifference(1),
    previousDifference: () => toDifference(-1),
    select(position) { if (store.view.block) store.set({ position }); },
    move(by) {
      const { block, position } = store.view;
      if (block) store.set({ position: Math.min(Math.max(position + by, 0), Math.max(block.gamma - 1, 0)) });
    },
    follow: (rule) => setColumns(store.state.form.rules, rule),
    addRule(rule) {
      const { rules, follow } = store.state.form;
      if (rules.length >= MOST) return tell(say("compare.at_most", { most: MOST }));
      return setColumns([...rules, rule], follow);
    },
    replaceRule(index, rule) {
      const { rules, follow } = store.state.form;
      if (rules.includes(rule) && rules[index] !== rule) return tell(say("compare.has_column", { rule: ruleWords(rule) }));
      return setColumns(rules.map((old, n) => (n === index ? rule : old)), rules[index] === follow ? rule : follow);
    },
    removeRule(index) {
      const { rules, follow } = store.state.form;
      if (rules.length <= FEWEST) return tell(say("compare.at_least", { fewest: FEWEST }));
      return setColumns(rules.filter((_, n) => n !== index), follow);
    },
    openExample(form) {
      store.set({ form: { ...store.state.form, ...form } });
      parts.controls.reset();
      return decode(store.state.form);
    },
    help: () => parts.help.toggle(),
    escape() {
      if (parts.help.open) return parts.help.close();
      return false;
    },
    async copyLink() {
      const address = link.address(store.view);
      if (!address) return tell(say("compare.too_long"));
      tell((await copy(address)) ? say("compare.link_copied") : say("compare.not_copied", { address }));
    },
    exportJson() {
      const parts = shown();
      if (parts) exportJson(parts);
    },
    exportCsv() {
      const parts = shown();
      if (parts) exportCsv(parts, config.rules);
    },
    async exportPicture(ending) {
      const { view } = store;
      if (!view.block) return tell(say("compare.no_block"));
      try {
        await saveBlock(parts.root, view, ending, parts.said());
      } catch (error) {
        tell(say("compare.not_saved", { reason: error.message }), "error");
      }
    },
    /** The Step page knows only some of the rules. */
    canOpenStep: (rule) => config.verifiers.some((known) => known.name === rule),
    openStep() {
      const { trace, block, blockIndex, position, form } = store.view;
      if (!block || !actions.canOpenStep(block.verifier)) return;
      open("#" + encodeStep({ trace, block, blockIndex, position, form, phase: "commit", tried: 0, token: null, rule: block.verifier, example: null }));
    },
    /** Options are those of the page where none are given. @param {any} [options] */
    startRace: (options) => measurer.start("race", options),
    startLaw: (options) => measurer.start("law", options),
    cancelRace: () => measurer.cancel("race"),
    cancelLaw: () => measurer.cancel("law"),
    setRaceOption: (name, value) => store.measure("race", { options: { ...store.state.race.options, [name]: value } }),
    setLawOption: (name, value) => store.measure("law", { options: { ...store.state.law.options, [name]: value } }),
  };
  return actions;
}
