/** How far somebody is, in localStorage: the chapters seen and answered, where they are, what they have dismissed. No document. */

const NAME = "specdemo.learn";

/** @typedef {{at: string|null, seen: string[], answered: string[], finished: boolean, dismissed: boolean, following: string|null}} Progress */

/** @type {Progress} */
const NONE = { at: null, seen: [], answered: [], finished: false, dismissed: false, following: null };

const texts = (list) => (Array.isArray(list) ? list.filter((one) => typeof one === "string") : []);
const textOr = (one) => (typeof one === "string" ? one : null);

/** What is written there, as far as it makes sense. @param {string|null} written @returns {Progress} */
export function readProgress(written) {
  try {
    const given = JSON.parse(written || "{}") || {};
    return { at: textOr(given.at), seen: texts(given.seen), answered: texts(given.answered), finished: given.finished === true, dismissed: given.dismissed === true, following: textOr(given.following) };
  } catch {
    return NONE;
  }
}

/** @param {Storage|null} storage where there is none, or it may not be written to, progress lasts as long as the page */
export function createProgress(storage) {
  let kept = NONE;
  const listeners = [];
  const load = () => {
    try {
      const written = storage && storage.getItem(NAME);
      if (written) kept = readProgress(written);
    } catch {
      // Storage is forbidden here.
    }
    return kept;
  };
  load();
  return {
    get now() { return kept; },
    /** @param {Partial<Progress>} changes */
    change(changes) {
      kept = { ...load(), ...changes };
      try {
        if (storage) storage.setItem(NAME, JSON.stringify(kept));
      } catch {
        // It is full or forbidden: this page still knows.
      }
      for (const listener of listeners) listener(kept);
    },
    /** @param {"seen"|"answered"} list @param {string} id */
    add(list, id) {
      if (!load()[list].includes(id)) this.change({ [list]: [...kept[list], id] });
    },
    forget() { this.change({ ...NONE, dismissed: kept.dismissed }); },
    onChange(listener) { listeners.push(listener); },
  };
}

/** The document's own, shared by its pages. @type {ReturnType<typeof createProgress>|null} */
let shared = null;
export function sharedProgress() {
  let storage = null;
  try {
    storage = window.localStorage;
  } catch {
    // Storage is forbidden here.
  }
  return (shared = shared || createProgress(storage));
}
