/**
 * What is measured, kept in this browser for a reload of this tab: the rows one by one as they come, the rest whenever it changes.
 * Of the sweeps of other tabs the last few stay. A browser that keeps nothing loses nothing else.
 */

const NAME = "specdemo.lab", KEPT = 4, TAB = "specdemo.lab.tab";

const wait = (request) => new Promise((resolve, reject) => Object.assign(request, { onsuccess: () => resolve(request.result), onerror: () => reject(request.error) }));

function open() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("sweeps", { keyPath: "id" });
    request.result.createObjectStore("rows", { keyPath: ["id", "key"] });
  };
  return wait(request);
}

/** This tab's own name: a duplicated tab has its original's until it starts a sweep of its own. */
function tab() {
  let id = sessionStorage.getItem(TAB);
  if (!id) sessionStorage.setItem(TAB, (id = crypto.randomUUID ? crypto.randomUUID() : String(Math.random())));
  return id;
}

const all = (id) => IDBKeyRange.bound([id], [id, []]);

/** @returns {{load(): Promise<any>, facts(value: any): Promise<void>, row(key: string, line: string, at: number): Promise<void>, clear(): Promise<void>}} */
export function createKeep() {
  let base = null;
  const ready = () => (base = base || open());
  /** One thing after the other, and a failure says so once. */
  let last = Promise.resolve(), complained = false;
  const inTurn = (work) => (last = last.then(work).catch((error) => {
    if (!complained) console.warn("specdemo keeps nothing of this sweep for a reload:", error);
    complained = true;
  }));

  async function prune(sweeps) {
    const old = (await wait(sweeps.getAll())).filter((entry) => entry.id !== tab()).sort((a, b) => b.updated - a.updated).slice(KEPT - 1);
    return old.map((entry) => entry.id);
  }

  return {
    /** @returns {Promise<any>} {facts, rows: [[key, line]]} of this tab, or null */
    async load() {
      try {
        const transaction = (await ready()).transaction(["sweeps", "rows"]);
        const facts = wait(transaction.objectStore("sweeps").get(tab())), rows = wait(transaction.objectStore("rows").getAll(all(tab())));
        const found = await facts, lines = await rows;
        return found ? { facts: found.facts, rows: lines.sort((a, b) => a.at - b.at).map(({ key, line }) => [key, line]) } : null;
      } catch {
        return null;
      }
    },
    facts: (facts) => inTurn(async () => {
      const transaction = (await ready()).transaction(["sweeps", "rows"], "readwrite"), sweeps = transaction.objectStore("sweeps");
      sweeps.put({ id: tab(), updated: Date.now(), facts });
      for (const id of await prune(sweeps)) {
        sweeps.delete(id);
        transaction.objectStore("rows").delete(all(id));
      }
    }),
    row: (key, line, at) => inTurn(async () => void (await ready()).transaction("rows", "readwrite").objectStore("rows").put({ id: tab(), key, line, at })),
    clear: () => inTurn(async () => {
      const transaction = (await ready()).transaction(["sweeps", "rows"], "readwrite");
      transaction.objectStore("sweeps").delete(tab());
      transaction.objectStore("rows").delete(all(tab()));
    }),
  };
}
