/**
 * Runs a sweep: asks for the cells that are not there yet, again and again, because the server measures for a while and then lets
 * others have their turn. A lost connection is tried again; what has come is never measured twice.
 */

import { backOnline, offline, pause } from "../stream.js";
import { say } from "../words/parts/lab.js";
import { say as sayViewer } from "../words/parts/viewer.js";
import { factsOf } from "./keep.js";
import { sentences } from "./store.js";

const RETRY_AFTER = [500, 1500, 3000, 6000, 10000]; // ms, together longer than the server takes to start
const LEAST_BUSY = 2000; // ms, as a server says that is busy

/** What is left of a head's facts when two are compared: a new one counts where anything else than its time differs. */
const facts = (line) => JSON.stringify({ ...JSON.parse(line), created: "" });

/** The heads with one more: replaced where it is of another pair, whose rows are then gone too. @param {string[]} heads @param {string} line */
export function headsWith(heads, line) {
  if (!heads.length) return { heads: [line], fresh: true };
  const last = JSON.parse(heads[heads.length - 1]), next = JSON.parse(line);
  if (JSON.stringify(last.pair) !== JSON.stringify(next.pair)) return { heads: [line], fresh: true };
  for (const name in next.drafts) if (name in last.drafts && last.drafts[name] !== next.drafts[name]) return { heads: [line], fresh: true };
  const whole = JSON.stringify({ ...next, drafts: { ...last.drafts, ...next.drafts } });
  return facts(whole) === facts(heads[heads.length - 1]) ? { heads, fresh: false } : { heads: [...heads, whole], fresh: false };
}

/** @param {{store: any, bridge: any, keep: any, summaries: any, most: number}} context `most`: rows that the page holds */
export function createRunner({ store, bridge, keep, summaries, most }) {
  let run = "", began = 0, before = 0, first = 0, tries = 0, came = 0, timer = 0;
  const controller = { abort: new AbortController() };

  const elapsed = () => store.state.elapsed;
  const tick = () => {
    if (!began) return;
    const now = before + (performance.now() - began) / 1000, fresh = store.done - first, whole = store.state.keys.length;
    const each = fresh > 0 ? (now - startedAt) / fresh : null, rest = 60 * store.state.minutes - now;
    store.set({ elapsed: now, left: each === null ? null : Math.max(0, Math.min(each * (whole - store.done), rest)) });
  };
  let startedAt = 0;

  const keepFacts = () => keep.facts(factsOf(store.state));

  function over(status, message = store.state.message) {
    clearInterval(timer);
    began = 0;
    run = "";
    store.set({ status, message, progress: null, left: null });
    keepFacts();
    summaries.now();
  }

  function take(message) {
    if (message.kind === "lab_start") {
      const { heads, fresh } = headsWith(store.state.heads, message.head);
      let rows = fresh ? new Map() : store.state.rows;
      const wanted = new Set(message.keys), here = [...rows.keys()].filter((key) => wanted.has(key)).length;
      if (rows.size + wanted.size - here > most) rows = new Map([...rows].filter(([key]) => wanted.has(key)));
      const dropped = store.state.rows.size - rows.size;
      if (dropped) keep.clear();
      began = performance.now();
      before = elapsed();
      store.set({ heads, rows, keys: message.keys, progress: null, message: dropped ? sentences([store.state.message, say(fresh ? "lab.gone.models" : "lab.gone.most", fresh ? { count: dropped } : { count: dropped, most })]) : store.state.message });
      if (dropped) for (const [key, line] of rows) keep.row(key, line, 0);
      if (first < 0) {
        first = store.done;
        startedAt = before;
      }
      keepFacts();
      if (dropped) summaries.forget();
      return;
    }
    if (message.kind !== "lab_row" || store.state.rows.has(message.key)) return;
    const rows = new Map(store.state.rows).set(message.key, message.line);
    came++;
    tries = 0;
    store.set({ rows, progress: null });
    keep.row(message.key, message.line, rows.size);
    tick();
    summaries.more();
  }

  /** One turn of the server's. */
  function ask() {
    const mine = (run = `lab-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 10)}`);
    const only = (handler) => (...values) => { if (run === mine) handler(...values); };
    const { grid, rows, minutes } = store.state;
    came = 0;
    bridge.measure("lab", { run: mine, ...grid, done: [...rows.keys()], seconds: Math.max(1, 60 * minutes - elapsed()) }, {
      onMessage: only(take),
      onProgress: only((text, fraction) => store.set({ progress: { text, fraction: fraction ?? null } })),
      onEnd: only(() => {
        tick();
        began = 0;
        const { keys } = store.state, left = 60 * store.state.minutes - elapsed(), each = came ? (elapsed() - before) / came : Infinity;
        if (keys.length && store.done >= keys.length) return over("done");
        if (left <= each) return over("time");
        if (!came) return over("error", say("lab.nothing_measured"));
        keepFacts();
        ask();
      }),
      onError: only(async (text, lost, busy) => {
        tick();
        began = 0;
        if (lost && offline()) {
          store.set({ progress: { text: sayViewer("viewer.server.offline"), fraction: null } });
          await backOnline(controller.abort.signal);
          if (run !== mine) return;
          tries = 0;
        }
        if (!lost || tries >= RETRY_AFTER.length) return over("error", text || sayViewer("viewer.server.unanswered"));
        // Those who were turned away together do not come back together.
        const wait = busy ? Math.max(LEAST_BUSY, RETRY_AFTER[tries]) * (1 + Math.random() / 2) : RETRY_AFTER[tries];
        tries++;
        const told = busy ? say("lab.server.busy", { seconds: Math.ceil(wait / 1000) }) : sayViewer("viewer.server.lost");
        store.set({ progress: { text: told, fraction: null } });
        await pause(wait, controller.abort.signal);
        if (run === mine) ask();
      }),
    });
  }

  function begin(seconds, message) {
    if (run) return;
    first = -1;
    tries = 0;
    summaries.forget();
    clearInterval(timer);
    timer = window.setInterval(tick, 1000);
    store.set({ status: "running", message, progress: null, elapsed: seconds, left: null });
    keepFacts();
    ask();
  }

  // A page that goes away takes its question back: the next one should not wait for it.
  window.addEventListener("pagehide", () => {
    tick();
    keepFacts();
    if (run) bridge.cancel(run);
  });

  return {
    get busy() { return Boolean(run); },
    /** Measures a grid from its beginning; cells that are there already are not measured again. @param {any} grid @param {string|null} [message] what is to be read meanwhile */
    start(grid, message = null) {
      if (run) return;
      store.set({ grid, name: "", keys: [], answer: store.state.rows.size ? store.state.answer : null });
      begin(0, message);
    },
    /** Goes on with what a reload interrupted. */
    resume() { begin(store.state.elapsed, store.state.message); },
    cancel() {
      if (!run) return;
      const asked = run;
      tick();
      over("cancelled");
      bridge.cancel(asked);
    },
  };
}
