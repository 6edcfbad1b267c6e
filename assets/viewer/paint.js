/**
 * Work that needs the layout, put off until everything of a step has been changed: reading a size between two changes would
 * make the browser lay the page out twice.
 */

const waiting = new Map();
let asked = false;

/** Calls `work` once before the next paint; a later call for the same key takes its place. @param {any} key @param {() => void} work */
export function beforePaint(key, work) {
  waiting.set(key, work);
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    const all = [...waiting.values()];
    waiting.clear();
    for (const one of all) one();
  });
}
