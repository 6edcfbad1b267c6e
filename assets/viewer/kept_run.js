/**
 * Runs that no link brings back, kept in this browser for a reload: those of files, and those whose link would be too long or says too little.
 * The last few of them, each no larger than a file that is opened. A browser that keeps nothing loses nothing else.
 */

import { LARGEST } from "./files.js";
import { validTrace } from "./validate.js";

const NAME = "specdemo.step", KEPT = 4;

const wait = (request) => new Promise((resolve, reject) => Object.assign(request, { onsuccess: () => resolve(request.result), onerror: () => reject(request.error) }));

/** @returns {Promise<IDBDatabase>} */
function opened() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore("runs", { keyPath: "id" });
  return wait(request);
}

export function createKeptRuns() {
  /** @type {WeakMap<object, string>} */
  const ids = new WeakMap();
  /** @type {Promise<IDBDatabase>|null} */
  let base = null;
  const runs = async () => (await (base = base || opened())).transaction("runs", "readwrite").objectStore("runs");

  async function put(id, trace) {
    try {
      const run = new Blob([JSON.stringify(trace)]);
      if (run.size > LARGEST) return;
      const store = await runs();
      store.put({ id, at: Date.now(), run });
      const all = await wait(store.getAll());
      for (const old of all.sort((a, b) => b.at - a.at).slice(KEPT)) store.delete(old.id);
    } catch (error) {
      console.warn("specdemo keeps no run for a reload:", error);
    }
  }

  return {
    /** Keeps a run, once. @param {any} trace */
    keep(trace) {
      if (ids.has(trace)) return;
      const id = crypto.randomUUID ? crypto.randomUUID() : String(Math.random());
      ids.set(trace, id);
      put(id, trace);
    },
    /** What a kept run is loaded by, null for one that is not kept. @param {any} trace @returns {string|null} */
    idOf: (trace) => (trace && ids.get(trace)) || null,
    /** @param {string} id @returns {Promise<any>} the run, null where it is not there any more */
    async load(id) {
      try {
        const store = await runs(), found = await wait(store.get(id));
        if (!found) return null;
        const trace = validTrace(JSON.parse(await found.run.text()));
        ids.set(trace, id);
        return trace;
      } catch {
        return null;
      }
    },
  };
}
