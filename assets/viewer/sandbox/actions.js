/** What the controls, keys and pictures of the Sandbox can do. Each change of the state is one step of the undo history. */

import { copy } from "../link.js";
import { NoAnswer, patiently, Refused } from "./ask.js";
import { copiedToAll, dragged, inContext, losesLaws, sameLaws, SIDES, tooMany, withGamma, withRow, withSymbols, withText } from "./laws.js";
import { savedWords, saveHtml, stateRecord } from "../save_html.js";
import { narrow } from "../typed_numbers.js";
import { exportState, fileName, importState } from "./files.js";
import { NOTHING } from "./store.js";
import { say } from "../words/parts/sandbox.js";
import { say as common } from "../words/parts/viewer.js";
import { isOne, LONGEST_KEPT, normalised, read, refusal, sumOf } from "./typed.js";

const LONG_RUN = 30; // blocks

/** What a change says that has lost laws. @param {string} text */
const lostNote = (text) => ({ message: { kind: "note", text } });

/** @param {{store: any, asking: any, link: any, parts: any, ask: any, config: any}} context */
export function createActions({ store, asking, link, parts, ask, config }) {
  const tell = (text, kind = "note") => store.set({ message: { kind, text } });
  let randoms = 0, loading = false;
  const doc = () => store.state.doc;
  /** A drag's proportions are those it began with, so that back is back. */
  let began = { gesture: "", row: /** @type {string[]} */ ([]) };

  const actions = {
    say: tell,
    dismiss: () => store.set({ message: null }),
    retry: () => {
      asking.retry();
      if (!store.state.presets) actions.loadPresets();
    },
    /** Asks again where something could not be had and may be there now. */
    again() {
      const { failure } = store.view;
      if (failure && failure.retry && !failure.going) actions.retry();
    },
    undo: () => store.undo(),
    redo: () => store.redo(),

    /**
     * The entry `symbol` of a law set to `share`, the others scaled with it, by a pointer (`moving`) or a key; `rest` ends it.
     * A row with an entry that cannot be read is left alone: scaling would replace what was typed there.
     */
    drag(side, level, row, symbol, share, moving) {
      const name = `${moving ? "drag" : "key"}/${side}/${level}/${row}/${symbol}`;
      if (store.state.gesture !== name) {
        const texts = doc()[side][level][row];
        if (texts.some((typed, i) => i !== symbol && read(typed) === null)) return tell(say("sandbox.scaling"));
        began = { gesture: name, row: texts };
      }
      store.edit(withRow(doc(), side, level, row, dragged(began.row, symbol, share)), name, { moving });
    },
    /** The hand rests: what takes long may be asked for now. */
    rest: () => store.endGesture(),
    setProbability(side, level, row, symbol, typed) {
      const refused = refusal(typed);
      if (refused) return tell(say(`sandbox.typed.${refused}`, { count: typed.length, most: LONGEST_KEPT }));
      store.edit(withText(doc(), side, level, row, symbol, typed), `type/${side}/${level}/${row}/${symbol}`);
    },
    normalise(side, level, row) {
      const made = normalised(doc()[side][level][row]);
      if (made) store.edit(withRow(doc(), side, level, row, made));
    },
    /** Every row that is readable and does not sum to 1. */
    normaliseAll() {
      let next = doc();
      for (const { side, level, row } of actions.unbalanced()) next = withRow(next, side, level, row, /** @type {string[]} */ (normalised(next[side][level][row])));
      store.edit(next);
    },
    unbalanced: () => SIDES.flatMap((side) => doc()[side].flatMap((rows, level) => rows.flatMap((texts, row) => {
      const total = sumOf(texts);
      return total && !isOne(total) && total.n !== 0n ? [{ side, level, row }] : [];
    }))),
    copyToAll: (side, level, row) => store.edit(copiedToAll(doc(), side, level, row)),

    setSymbols(symbols) {
      if (tooMany(symbols, doc().gamma)) return;
      const made = withSymbols(doc(), symbols), gone = Array.from("ABCDE".slice(symbols, doc().symbols));
      const lost = !sameLaws(withSymbols(made, doc().symbols), doc());
      store.edit(made, null, { hovered: NOTHING, ...(lost ? lostNote(say(`sandbox.lost.${doc().context !== "prefix" ? "symbols" : gone.length > 1 ? "symbols_laws" : "symbol_laws"}`, { symbols: gone.join(common("viewer.comma")) })) : {}) });
    },
    setGamma(gamma) {
      if (tooMany(doc().symbols, gamma)) return;
      const made = withGamma(doc(), gamma), lost = !sameLaws(withGamma(made, doc().gamma), doc());
      store.edit(made, null, { hovered: NOTHING, ...(lost ? lostNote(say("sandbox.lost.positions", { gamma })) : {}) });
    },
    /** The laws of the place that is chosen stay where the new context has fewer of them. */
    setContext(context) {
      const lost = losesLaws(doc(), context);
      store.edit(inContext(doc(), context, store.view.place.prefix), null, lost ? lostNote(say(context === "free" ? "sandbox.lost.free" : "sandbox.lost.position")) : {});
    },
    setRule(side, name) {
      const rules = doc().rules.slice();
      if (rules[1 - side] === name) rules[1 - side] = rules[side]; // they change places
      rules[side] = name;
      store.edit({ ...doc(), rules });
    },
    toggleDifference: () => store.set({ difference: !store.state.difference }),
    setFromTarget: (fromTarget) => store.set({ fromTarget }),

    select: (choice) => store.set({ selected: { ...store.view.selected, ...(choice || NOTHING) } }),
    hover: (choice) => store.set({ hovered: { ...NOTHING, ...(choice || {}) } }),
    /** From now on the long run follows the laws. @param {number} [blocks] */
    askLongRun: (blocks = LONG_RUN) => store.set({ wantsLongrun: blocks }),

    async loadPresets() {
      if (loading) return;
      loading = true;
      try {
        store.set({ presets: await patiently(() => ask.ask("presets", {})), failures: { ...store.state.failures, presets: null } });
      } catch (error) {
        asking.failed("presets", error, "presets");
      } finally {
        loading = false;
      }
    },
    openPreset(name) {
      const preset = (store.state.presets || []).find((entry) => entry.name === name);
      if (preset) store.edit(preset.state, null, { preset, selected: NOTHING, hovered: NOTHING });
    },
    setSeed: (seed) => store.set({ seed }),
    /** Random laws of the present alphabet, γ and context, under the present rules; what was done since they were asked for wins. */
    async randomise() {
      const before = doc(), { symbols, gamma, context, rules } = before, mine = ++randoms;
      const overtaken = () => mine !== randoms || doc() !== before;
      try {
        const made = await patiently(() => ask.ask("presets", { seed: Number(narrow(store.state.seed)), symbols, gamma, context }), () => !overtaken());
        if (overtaken()) return;
        const preset = made.find((entry) => entry.name === "random");
        store.edit({ ...preset.state, rules }, null, { preset, presets: made, hovered: NOTHING });
      } catch (error) {
        if (!(error instanceof NoAnswer) && !(error instanceof Refused)) throw error;
        if (!overtaken()) tell(error instanceof Refused ? error.message : error.said || say("sandbox.no_random"), "error");
      }
    },

    async copyLink() {
      const address = link.address(store.view);
      if (!address) return tell(say("sandbox.link_long"));
      tell((await copy(address)) ? say("sandbox.link_copied") : say("sandbox.link_shown", { address }));
    },
    exportJson() {
      const { picture, current, optimum, pending, state } = store.view;
      if (!current) tell(say("sandbox.export_typed"));
      exportState(state, current ? picture : null, current && !pending.optimum ? optimum : null);
    },
    async saveHtml() {
      const { view } = store;
      if (!view.current) return tell(say("sandbox.save_other"));
      if (view.pending.optimum || view.pending.longrun) return tell(say("sandbox.save_wait"));
      try {
        tell(savedWords(await saveHtml(stateRecord(view), config.base, fileName(view.state, "html"))));
      } catch (error) {
        tell(error.message, "error");
      }
    },
    async importFile(file) {
      if (!file) return;
      try {
        store.edit(await importState(file, config.rules.map((rule) => rule.name)), null, { selected: NOTHING, hovered: NOTHING });
        tell(say("sandbox.opened", { file: file.name }));
      } catch (error) {
        tell(error.message, "error");
      }
    },
    help: () => parts.help.toggle(),
    escape() {
      if (parts.help.open) return parts.help.close();
      if (store.state.hovered !== NOTHING) return store.set({ hovered: NOTHING });
      return false;
    },
  };
  return actions;
}
