/**
 * A control may disappear or be disabled by what it does. Its neighbour gets the keyboard's focus then: otherwise the keyboard
 * would begin at the top of the document again.
 */

const NEIGHBOURS = {
  "race-start": ["race-cancel"], "race-cancel": ["race-start", "race-seeds"], "law-start": ["law-cancel"], "law-cancel": ["law-start", "law-samples"],
  "compare-cancel": ["compare-run"], "compare-retry": ["compare-cancel", "compare-run"], "compare-dismiss": ["compare-run"], "compare-add": ["compare-rule-3"],
  "compare-first": ["compare-next"], "compare-previous": ["compare-next"], "compare-next": ["compare-previous"], "compare-last": ["compare-previous"],
};

/** The ids to try for a control, in order: of a column removed, the column that has its place now, or the one before. @param {string} id */
function neighbours(id) {
  const column = /^compare-remove-(\d)$/.exec(id);
  if (!column) return NEIGHBOURS[id] || [];
  const at = Number(column[1]);
  return [at, at - 1].flatMap((n) => [`compare-remove-${n}`, `compare-rule-${n}`]);
}

const usable = (node) => node && node.isConnected && !node.disabled && !node.closest("[hidden], [style*='display: none']");

/** Runs an update of the page without letting the focus fall to the document. @param {() => void} update */
export function keepFocus(update) {
  const had = document.activeElement;
  update();
  if (!had || !had.id || usable(had)) return;
  const next = neighbours(had.id).map((id) => document.getElementById(id)).find(usable);
  if (next) next.focus();
}
