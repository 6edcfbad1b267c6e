/**
 * What is measured, kept in this browser for a reload of this tab: the rows one by one as they come, the rest whenever it changes.
 * Of the sweeps of other tabs the last few stay. A browser that keeps nothing loses nothing else.
 */

const NAME = "specdemo.lab", KEPT = 4, TAB = "specdemo.lab.tab";

/** Of the page's state what a reload needs, but for the rows. @param {any} state */
export const factsOf = ({ grid, minutes, form, status, heads, keys, elapsed, name, shown }) => ({ grid, minutes, form, status, heads, keys, elapsed, name, shown });

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

/** Which entries go: the oldest beyond the last few, those without a measurement first. @param {{id: string, updated: number, facts: any}[]} others @returns {string[]} */
export function outdated(others) {
  const measured = (entry) => Number(entry.facts.heads.length > 0);
  return [...others].sort((a, b) => measured(b) - measured(a) || b.updated - a.updated).slice(KEPT - 1).map((entry) => entry.id);
}

/** @returns {{typed: string, load(): Promise<any>, facts(value: any): Promise<void>, row(key: string, line: string, at: number): Promise<void>, clear(): Promise<void>}} */
export function createKeep() {
  let base = null;
  const ready = () => (base = base || open());
  /** One thing after the other, and a failure says so once. */
  let last = Promise.resolve(), complained = false;
  const inTurn = (work) => (last = last.then(work).catch((error) => {
    if (!complained) console.warn("specdemo keeps nothing of this sweep for a reload:", error);
    complained = true;
  }));

  const put = (facts) => inTurn(async () => {
    const transaction = (await ready()).transaction(["sweeps", "rows"], "readwrite"), sweeps = transaction.objectStore("sweeps");
    sweeps.put({ id: tab(), updated: Date.now(), facts });
    for (const id of outdated((await wait(sweeps.getAll())).filter((entry) => entry.id !== tab()))) {
      sweeps.delete(id);
      transaction.objectStore("rows").delete(all(id));
    }
  });
  /** before what was kept is known, nothing is kept in its place */
  let loaded = false;

  return {
    /** what stands in the box of own prompts: beside a file it is in no form */
    typed: "",
    /** @returns {Promise<any>} {facts, rows: [[key, line]]} of this tab, or null */
    async load() {
      try {
        const transaction = (await ready()).transaction(["sweeps", "rows"]);
        const facts = wait(transaction.objectStore("sweeps").get(tab())), rows = wait(transaction.objectStore("rows").getAll(all(tab())));
        const found = await facts, lines = await rows;
        if (found) this.typed = found.facts.typed || "";
        return found ? { facts: found.facts, rows: lines.sort((a, b) => a.at - b.at).map(({ key, line }) => [key, line]) } : null;
      } catch {
        return null;
      } finally {
        loaded = true;
      }
    },
    /** @param {any} facts */
    facts(facts) {
      return loaded ? put({ ...facts, typed: this.typed }) : last;
    },
    row: (key, line, at) => inTurn(async () => void (await ready()).transaction("rows", "readwrite").objectStore("rows").put({ id: tab(), key, line, at })),
    clear: () => inTurn(async () => {
      const transaction = (await ready()).transaction(["sweeps", "rows"], "readwrite");
      transaction.objectStore("sweeps").delete(tab());
      transaction.objectStore("rows").delete(all(tab()));
    }),
  };
}
