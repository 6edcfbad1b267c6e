/** Brings the page back: from its hash, by decoding again, and what was typed in this tab from sessionStorage. */

import { leftOut, sentences } from "../link_values.js";
import { createTyped } from "../typed.js";
import { putUnfinished } from "../unfinished.js";
import { say } from "../words/parts/compare.js";
import { checkedForm, checkedLink, checkedOptions, notStarted, placeWords } from "./checked.js";
import { decode as decodeHash, isOurs } from "./link.js";
import { DEFAULTS } from "./store.js";

/** Keeps what is typed and chosen, for a reload of this tab; `unfinished` of a view is what stands in fields that cannot take it. */
export const createMemory = () => createTyped("specdemo.compare.typed", ({ form, race, law, unfinished }) => ({ form, race: race.options, law: law.options, unfinished: unfinished() }));

/**
 * @param {{root: Element, store: any, actions: any, link: any, memory: any, config: any, first: any, forget: () => void, isVisible: () => boolean, fresh: boolean}} context
 *   `first`: the form of a new page; `forget`: takes mistakes out of the fields; `fresh`: it has not been visible yet since it was loaded
 */
export async function restore(context) {
  const { root, store, actions, link, memory, config, first, forget, isVisible, fresh } = context;
  const { hash } = location, saved = fresh ? memory.kept() : null;
  context.fresh = fresh && !isVisible();
  const want = isVisible() ? decodeHash(hash) : null;
  const mine = saved && (!want || !want.asks || saved.here) ? saved.part : null;
  const same = !fresh && hash === link.written; // coming back to what is shown, or being restored already
  if (!want || !want.decodes || same) {
    if (want && want.asks && !same && !mine) {
      // Settings without a prompt: they are filled in, and nothing is decoded.
      const typed = store.state.form.prompt || (saved && saved.part.form.prompt) || "";
      const { form, options, said } = checkedLink({ ...want, measures: [] }, { ...first, rules: DEFAULTS.rules, prompt: typed }, config);
      forget();
      link.written = hash;
      store.set({ form, message: { kind: said ? "error" : "note", text: sentences([said || "", say("compare.link.no_prompt")]), retry: false } });
      for (const kind of ["race", "law"]) store.measure(kind, { options: options[kind] });
    }
    const odd = want && !want.asks && !same ? [...want.damaged, ...want.wrong] : []; // it names two pages, or nothing that this one reads
    if (odd.length) store.set({ message: { kind: "error", text: leftOut(odd), retry: false } });
    if (mine) {
      store.set({ form: checkedForm(mine.form, first, config).form });
      for (const kind of ["race", "law"]) store.measure(kind, { options: { ...store.state[kind].options, ...checkedOptions(kind, mine[kind], config).options } });
      putUnfinished(root, mine.unfinished);
    }
    if (!link.restoring) link.paused = false;
    return store.set({});
  }
  link.hold(hash);
  actions.cancel();
  actions.cancelRace();
  actions.cancelLaw();
  const { form, options, starts, said } = checkedLink(want, { ...first, rules: DEFAULTS.rules }, config);
  forget();
  store.set({ form, trace: null, blockIndex: 0, position: null, status: "loading", message: said ? { kind: "error", text: said, retry: false } : null });
  for (const kind of ["race", "law"]) {
    const typed = mine ? checkedOptions(kind, mine[kind], config).options : {};
    store.measure(kind, { record: null, status: "empty", message: null, options: { ...options[kind], ...typed } });
  }
  const outcome = await actions.decode(form, { until: want.place.blockIndex, position: want.place.position });
  if (hash !== link.written) return; // another link has been opened meanwhile
  link.paused = link.restoring = false;
  if (mine) store.set({ form: { ...checkedForm(mine.form, first, config).form, rules: form.rules, follow: form.follow } });
  if (mine) putUnfinished(root, mine.unfinished);
  const { trace, message } = store.state, notes = said ? [said] : [];
  if (outcome === "done") {
    notes.push(...placeWords(want.place, trace));
    if (want.digest && ![trace, ...trace.blocks].some((part) => part.digest === want.digest)) notes.push(say("compare.digests_differ"));
  } else if (starts.length) notes.push(notStarted(starts));
  const failed = outcome === "error" && message ? message : { kind: "error", text: "", retry: false };
  store.set(notes.length ? { message: { ...failed, text: sentences([failed.text, ...notes]) } } : {});
  if (outcome !== "done") return;
  if (starts.includes("race")) actions.startRace(options.race);
  if (starts.includes("law")) actions.startLaw(options.law);
}
