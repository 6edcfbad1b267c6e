/** `mount(root, bridge, frame)`: builds the Lab page and wires store, form, runner and pictures (docs/lab.md, "The page"). */

import { ALONE } from "../pages.js";
import { html, set, text } from "../svg.js";
import { createTyped } from "../typed.js";
import { putUnfinished, unfinishedIn } from "../unfinished.js";
import { say } from "../words/parts/lab.js";
import { createAsk, createSummaries } from "./ask.js";
import { openSweep, saveSweep, savePage } from "./files.js";
import { createForm, createPlan } from "./form.js";
import { createKeep, factsOf } from "./keep.js";
import { createLink, decode, differing, encode, isOurs } from "./link.js";
import { createResults } from "./results.js";
import { createRunner } from "./runner.js";
import { createStatus } from "./status.js";
import { createStore, firstGrid, ownOf, paperGrid, paperWords, sentences, withPair } from "./store.js";

const REST = 250; // ms without a change before the server is asked what a grid amounts to
const KEPT = 1_000_000; // characters of own prompts that every browser keeps for a tab

/**
 * @param {HTMLElement} root emptied and filled @param {any} bridge see docs/viewer.md @param {import("../pages.js").Frame} frame
 * @returns {{store: any, actions: any, ready: Promise<void>}}
 */
export function mount(root, bridge, frame = ALONE) {
  const config = { pairs: [], rules: [], tasks: [], limits: {}, ...bridge.config }, store = createStore(config), keep = createKeep(), ask = createAsk(bridge.root);
  const summaries = createSummaries(store, ask), link = createLink(frame.isVisible);
  const most = config.limits.lab_cells || 1000, runner = createRunner({ store, bridge, keep, summaries, most });
  const invalid = {};
  /** What keep.js writes a moment later, and what no grid holds: this is there before the page has gone. */
  const memory = createTyped("specdemo.lab.typed", ({ form, minutes }) => {
    const { "lab-own-text": _, ...texts } = unfinishedIn(root);
    return { form, minutes, typed: keep.typed.length <= KEPT ? keep.typed : null, texts };
  });
  let timer = 0, keeping = 0, planned = null, wanted = null, restored = false;

  /** Asks what the form amounts to, once the hand rests. */
  function plan() {
    const { form } = store.state;
    if (planned === form) return;
    planned = form;
    clearTimeout(timer);
    store.set({ plan: null });
    timer = window.setTimeout(async () => {
      if (!form.drafts.length || !form.rules.length || (!form.tasks.length && !form.own)) return store.set({ problem: say(!form.drafts.length ? "lab.choose.drafts" : !form.rules.length ? "lab.choose.rules" : "lab.choose.tasks") });
      try {
        const answer = await ask.plan(form);
        if (store.state.form !== form) return;
        store.set({ plan: answer, problem: "" });
        if (wanted === form && !answer.refused) startLinked(form);
        wanted = null;
      } catch (error) {
        if (store.state.form === form) store.set({ plan: null, problem: error.message });
      }
    }, REST);
  }
  /** Measures what a link asks for. A sweep of something else stops for it, and what the page has to say of the link stays. */
  function startLinked(form) {
    const { rows, grid, message, plan } = store.state, kept = rows.size > 0 && grid.pair === form.pair && rows.size + plan.cells <= most;
    const stopped = runner.busy ? say(kept ? "lab.link.stopped_kept" : "lab.link.stopped", { count: rows.size }) : "";
    runner.cancel();
    runner.start(form, sentences([message || "", stopped]) || null);
  }
  window.addEventListener("online", () => {
    if (store.state.plan || !planned) return;
    planned = null;
    plan();
  });
  /** What is asked for is kept once the hand rests; a page that goes away keeps it too, but not every browser lets it. */
  function keepSoon() {
    clearTimeout(keeping);
    keeping = window.setTimeout(() => keep.facts(factsOf(store.state)), REST);
  }
  const wrongFields = () => Object.values(invalid).find(Boolean) || "";

  const actions = {
    setForm(change) {
      store.set({ form: { ...store.state.form, ...change } });
      keepSoon();
      plan();
    },
    setPair(name) {
      actions.setForm(withPair(config, store.state.form, config.pairs.find((one) => one.name === name)));
    },
    setMinutes: (minutes) => store.set({ minutes }),
    typed(text) {
      keep.typed = text;
      keepSoon();
    },
    invalid(name, problem) {
      invalid[name] = problem;
      if (store.state) queueMicrotask(() => store.set({}));
    },
    preset(name) {
      const { pair, drafts } = store.state.form, entry = config.pairs.find((one) => one.name === pair), quick = { ...firstGrid(config), ...(entry && ownOf(config, entry)) };
      actions.setForm(name === "paper" ? paperGrid(config, store.state.form) : { ...quick, pair, drafts });
      if (name === "paper") actions.setMinutes(Math.min(10, (config.limits.lab_minutes || [1, 15])[1]));
      store.set({ message: (name === "paper" && entry && paperWords(config, entry)) || null });
    },
    start: () => runner.start(store.state.form),
    cancel: () => runner.cancel(),
    summary: () => summaries.now(),
    look(change) { store.set({ shown: { ...store.state.shown, ...change } }); },
    save: (kind) => saveSweep(store.state, kind),
    async saveHtml() {
      try {
        store.set({ message: await savePage(store.state, config.base) });
      } catch (error) {
        store.set({ message: error.message });
      }
    },
    copy: (words, button) => copied(words, button),
    copyLink(button) {
      if (store.state.form.own) store.set({ message: say("lab.link.without_own") });
      return copied(link.address(store.state), button);
    },
    async open(file) {
      if (runner.busy) return;
      try {
        const found = await openSweep(file, config.limits.lab_file_bytes || 8_000_000), answer = await ask.summary(null, found.lines, file.name);
        await keep.clear();
        summaries.forget();
        store.set({ answer, answered: null, heads: found.heads, rows: found.rows, grid: null, name: file.name, keys: [], status: "opened", elapsed: 0, message: found.notice || say("lab.opened", { name: file.name, count: found.rows.size }), trouble: "" });
        found.heads.length && keep.facts(factsOf(store.state));
        [...found.rows].forEach(([key, line], at) => keep.row(key, line, at));
      } catch (error) {
        store.set({ message: error.message });
      }
    },
    clear() {
      if (runner.busy) return;
      keep.clear();
      summaries.forget();
      store.set({ answer: null, answered: null, heads: [], rows: new Map(), keys: [], grid: null, name: "", status: "empty", message: null, elapsed: 0, trouble: "" });
    },
  };

  root.textContent = "";
  root.classList.add("sd", "sd-lab");
  set(root, { "data-page": "lab" });
  const panel = html("section", { class: "sd-panel lab-asked", "aria-label": say("lab.asked") }, root);
  const intro = html("p", { class: "sd-soft lab-intro" }, panel);
  text(intro, say("lab.intro"));
  const form = createForm(panel, actions, config), amount = createPlan(panel, actions), status = createStatus(panel, actions);
  const results = createResults(root, actions);

  store.subscribe((state) => {
    set(root, { "data-state": state.status === "empty" && !state.answer ? "empty" : state.status === "running" ? "decoding" : state.status === "error" ? "error" : "ready", "data-status": state.status, "data-rows": state.rows.size });
    form.update(state);
    amount.update(state);
    status.update(state, { done: store.done, wrong: wrongFields() });
    results.update(state);
    link.update(state);
    if (restored) memory.remember(state);
  });
  root.addEventListener("input", () => restored && memory.remember(store.state)); // of some fields the store hears nothing

  /** A form out of an address, or what was here before a reload. */
  function follow() {
    if (!frame.isVisible() || !isOurs(location.hash)) return false;
    link.claimed = true;
    if (location.hash === link.written) return true;
    const want = decode(location.hash, firstGrid(config), config);
    link.written = location.hash;
    if (!want) return false;
    store.set({ message: want.wrong.length ? say("lab.link.left_out", { wrong: want.wrong.join(say("lab.semicolon")) }) : null });
    if (!want.form) return false;
    // What was here before a reload, or is being measured, is not begun anew.
    const { grid, rows, status } = store.state, known = grid && (rows.size || status === "running") && !differing(want.form, grid).length;
    form.forget();
    actions.setForm(want.form);
    wanted = want.run && !known ? store.state.form : null;
    return true;
  }

  async function restore() {
    const kept = memory.kept(), mine = kept && (kept.here || !isOurs(location.hash)) ? kept.part : null;
    const found = await keep.load(), typed = (mine && mine.typed) ?? keep.typed; // before the form is filled, which types too
    if (found) {
      const { facts, rows } = found;
      store.set({ ...facts, rows: new Map(rows), form: { ...firstGrid(config), ...facts.form } });
    }
    const { own } = mine ? mine.form : store.state.form;
    if (!follow()) link.claimed = frame.isVisible();
    if (mine) {
      const { form } = decode(encode({ ...firstGrid(config), ...mine.form }), firstGrid(config), config); // as far as it is still known here
      if (wanted) wanted = differing(form, wanted).length || own ? null : form;
      store.set({ form, minutes: mine.minutes });
    }
    if (own && store.state.form.own === null) store.set({ form: { ...store.state.form, own } }); // no link holds them
    form.restoreTyped(typed);
    putUnfinished(root, mine && mine.texts);
    for (const field of root.querySelectorAll("details [aria-invalid=true]")) set(/** @type {Element} */ (field.closest("details")), { open: true });
    restored = true;
    memory.remember(store.state);
    plan();
    if (found && found.facts.status === "running") runner.resume();
    await summaries.now();
  }
  const ready = restore();
  window.addEventListener("hashchange", () => {
    if (!isOurs(location.hash)) link.claimed = false;
    else follow();
  });
  frame.onVisible(() => {
    if (!follow()) link.claimed = true;
    link.update(store.state);
  });
  store.set({});
  return { store, actions, ready };
}

/** Puts words on the clipboard and says so on the button. @param {string} words @param {HTMLElement} button */
async function copied(words, button) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(words);
    text(button, say("lab.copied"));
  } catch {
    text(button, say("lab.not_copied"));
  }
  setTimeout(() => text(button, before), 2000);
}
