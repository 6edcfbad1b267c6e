/** A probability moved by hand: dragged by a pointer, or stepped by the keys of a slider. */

const STEP = 0.01, BIG_STEP = 0.1;

/**
 * @param {SVGElement} root the slider, which gets the focus @param {SVGElement} hit what a pointer takes
 * @param {{share: () => number, begin: (event: PointerEvent) => (event: PointerEvent) => number, drag: (share: number, moving: boolean) => void, rest: () => void, click?: () => void}} hand
 *   `begin` returns the share of a pointer event of this drag; `click` is for a pointer that hardly moved
 */
export function movable(root, hit, { share, begin, drag, rest, click }) {
  hit.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    root.focus({ preventScroll: true });
    hit.setPointerCapture(event.pointerId);
    const shareAt = begin(event), listening = new AbortController(), { signal } = listening;
    hit.addEventListener("pointermove", (moved) => drag(shareAt(moved), true), { signal });
    const end = (ended) => {
      listening.abort();
      rest();
      if (click && ended.type === "pointerup" && Math.abs(ended.clientY - event.clientY) < 3) click();
    };
    hit.addEventListener("pointerup", end, { signal });
    hit.addEventListener("pointercancel", end, { signal });
  });
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = { ArrowUp: STEP, ArrowRight: STEP, ArrowDown: -STEP, ArrowLeft: -STEP, PageUp: BIG_STEP, PageDown: -BIG_STEP }[event.key];
    const to = { Home: 0, End: 1 }[event.key];
    if (by !== undefined) drag(share() + (event.shiftKey && Math.abs(by) < BIG_STEP ? by * 10 : by), false);
    else if (to !== undefined) drag(to, false);
    else if (click && (event.key === "Enter" || event.key === " ")) click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  // A slider that is taken off the page loses the focus in the middle of a drawing: no change may begin there.
  root.addEventListener("blur", () => queueMicrotask(rest));
}

/**
 * `nodes.take(n)`; a focus that would go with a node that goes moves to the last that stays.
 * @param {any} nodes a pool @param {number} n
 */
export function takeFocused(nodes, n) {
  const rootOf = (item) => item.root || item, goes = nodes.all.slice(n).some((item) => rootOf(item) === document.activeElement);
  if (goes && n > 0) rootOf(nodes.all[n - 1]).focus({ preventScroll: true });
  return nodes.take(n);
}
