/**
 * What a learner has bet, and how often it was right: kept for this tab, so that a reload asks nothing twice. A key is one thing to be
 * revealed (a block, a state), an id one question about it. Right answers are never kept, only whether a bet was right.
 */

const NAME = "specdemo.bets";

/**
 * @param {{getItem(name: string): string|null, setItem(name: string, text: string): void}|null} storage
 * @param {string} [name] in it
 */
export function createLedger(storage, name = NAME) {
  /** @type {Record<string, {bets: Record<string, any>, right: Record<string, boolean>, done: boolean}>} */
  let pages = readFrom(storage, name);
  const save = () => {
    try {
      storage?.setItem(name, JSON.stringify(pages));
    } catch {
      // A browser that stores nothing counts until the page is left.
    }
  };
  const entry = (key) => pages[key] || { bets: {}, right: {}, done: false };
  return {
    /** What was bet, by question. @param {string} key @returns {Record<string, any>} */
    bets: (key) => entry(key).bets,
    /** Whether everything that is asked has been answered, so that it may be shown. @param {string} key */
    done: (key) => entry(key).done,
    /** @param {string} key @param {string} id @param {any} bet */
    bet(key, id, bet) {
      const before = entry(key);
      if (before.done) return;
      pages = { ...pages, [key]: { ...before, bets: { ...before.bets, [id]: bet } } };
      save();
    },
    /** @param {string} key */
    close(key) {
      pages = { ...pages, [key]: { ...entry(key), done: true } };
      save();
    },
    /** Counts a bet once, when its answer is shown. @param {string} key @param {string} id @param {boolean} right */
    settle(key, id, right) {
      const before = entry(key);
      if (Object.hasOwn(before.right, id)) return;
      pages = { ...pages, [key]: { ...before, right: { ...before.right, [id]: right } } };
      save();
    },
    /** @returns {{right: number, of: number}} */
    score() {
      const all = Object.values(pages).flatMap(({ right }) => Object.values(right));
      return { right: all.filter(Boolean).length, of: all.length };
    },
    forget() {
      pages = {};
      save();
    },
  };
}

function readFrom(storage, name) {
  try {
    const found = JSON.parse(storage?.getItem(name) || "{}"), out = {};
    for (const [key, one] of Object.entries(found)) if (one && typeof one.bets === "object" && typeof one.right === "object") out[key] = { bets: one.bets || {}, right: one.right || {}, done: one.done === true };
    return out;
  } catch {
    return {};
  }
}

/** This tab's storage, null where it is forbidden. */
export function tabStorage() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
