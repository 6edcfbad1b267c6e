/** Brings the page back: from its hash, by decoding again, and what was typed in this tab from sessionStorage. */

import { boundsOf, problemOf } from "../controls.js";
import { decode as decodeHash, isOurs } from "./link.js";
import { ruleWords } from "./rule_words.js";
import { columnsOf, DEFAULTS } from "./store.js";

const KEY = "specdemo.compare.typed";

/** Keeps what is typed and chosen, for a reload of this tab. */
export function createMemory() {
  let latest = null, timer = 0;
  function save() {
    timer = 0;
    try {
      if (latest) sessionStorage.setItem(KEY, JSON.stringify({ form: latest.form, race: latest.race.options, law: latest.law.options, hash: isOurs(location.hash) ? location.hash : "" }));
    } catch {
      // A browser that stores nothing loses nothing else.
    }
  }
  window.addEventListener("pagehide", save);
  return {
    remember(view) {
      latest = view;
      if (!timer) timer = setTimeout(save, 300);
    },
    /** What was typed here last, null where there is nothing. @returns {any} */
    typed() {
      try {
        const saved = JSON.parse(sessionStorage.getItem(KEY) || "null");
        return saved && saved.form && typeof saved.form === "object" ? saved : null;
      } catch {
        return null;
      }
    },
  };
}

/** The values of `given` that make sense, over `form`; the others in words. @param {any} given @param {any} form @param {any} config */
export function checked(given, form, config) {
  const bounds = boundsOf(config.limits), out = { ...form }, wrong = [];
  for (const [name, value] of Object.entries(given)) {
    if (name in bounds) {
      const problem = problemOf(name, String(value), bounds);
      if (problem) wrong.push(`${name}: ${problem}`);
      else out[name] = Number(value);
    } else if (["prompt", "pair", "draft"].includes(name)) out[name] = String(value);
  }
  const names = config.rules.map((rule) => rule.name), wanted = Array.isArray(given.rules) ? given.rules.map(String) : form.rules;
  const unknown = wanted.filter((rule) => !names.includes(rule));
  if (unknown.length) wrong.push(`rules: there is no ${unknown.map(ruleWords).join(", ")}`);
  return { form: { ...out, ...columnsOf(wanted, given.follow ?? form.follow, names) }, wrong };
}

/** A link's numbers of runs and samples within the server's bounds. */
function bounded(options, limits) {
  const out = { ...options };
  for (const [name, limit] of [["seeds", limits.race_runs], ["samples", limits.law_samples]]) {
    if (out[name] !== undefined && Array.isArray(limit)) out[name] = Math.min(Math.max(out[name], limit[0]), limit[1]);
  }
  return out;
}

/**
 * @param {{store: any, actions: any, link: any, memory: any, config: any, first: any, isVisible: () => boolean, fresh: boolean}} context
 *   `first`: the form of a new page; `fresh`: it has not been visible yet since it was loaded
 */
export async function restore(context) {
  const { store, actions, link, memory, config, first, isVisible, fresh } = context;
  const { hash } = location, saved = fresh ? memory.typed() : null;
  context.fresh = fresh && !isVisible();
  const want = isVisible() ? decodeHash(hash) : null;
  const mine = saved && (!want || !want.decodes || saved.hash === hash) ? saved : null;
  const same = !fresh && hash === link.written; // coming back to what is shown, or being restored already
  const decodes = want && want.decodes && !same;
  if (decodes) link.hold(hash);
  if (mine) {
    store.set({ form: checked(mine.form, first, config).form });
    for (const kind of ["race", "law"]) store.measure(kind, { options: { ...store.state[kind].options, ...mine[kind] } });
  }
  if (!decodes) {
    if (!link.restoring) link.paused = false;
    return store.set({});
  }
  actions.cancel();
  actions.cancelRace();
  actions.cancelLaw();
  const { form, wrong } = checked(want.form, { ...first, rules: DEFAULTS.rules }, config);
  const message = wrong.length ? { kind: "error", text: `The link has values that make no sense here and were left out: ${wrong.join("; ")}.`, retry: false } : null;
  store.set({ form, trace: null, blockIndex: 0, position: null, status: "loading", message });
  for (const kind of ["race", "law"]) store.measure(kind, { record: null, status: "empty", message: null, options: { ...store.state[kind].options, ...bounded(want[kind] || {}, config.limits) } });
  const outcome = await actions.decode(form, { until: want.place.blockIndex, position: want.place.position });
  if (hash !== link.written) return; // another link has been opened meanwhile
  link.paused = link.restoring = false;
  const { trace } = store.state, notes = message ? [message.text] : [];
  if (outcome === "done" && want.digest && ![trace, ...trace.blocks].some((part) => part.digest === want.digest)) {
    notes.push("This machine decoded something else than the link was made from: the digests differ. Margins below 0.00001 can do that, and so can another version of the models.");
  }
  if (mine) store.set({ form: { ...checked(mine.form, first, config).form, rules: form.rules, follow: form.follow } });
  store.set(notes.length && outcome === "done" ? { message: { kind: "error", text: notes.join(" "), retry: false } } : {});
  if (want.race) actions.startRace();
  if (want.law) actions.startLaw();
}
