/**
 * What of a table that scrolls sideways inside itself is in sight: shadows where it goes on, which columns are out of sight,
 * and a way to bring one in. Its first column stays where it is.
 */

import { beforePaint } from "../paint.js";
import { html, set } from "../svg.js";

/**
 * @param {Element} parent @param {string} label of the region
 * @param {() => {name: string, root: Element}[]} columns those that scroll
 * @param {(names: string[]) => void} onHidden called with the columns out of sight, whenever they are others than before
 */
export function createWindow(parent, label, columns, onHidden) {
  const root = html("div", { class: "cmp-window" }, parent);
  const scroller = html("div", { class: "cmp-scroll", role: "region", "aria-label": label, tabindex: "0" }, root);
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let hidden = "";
  scroller.addEventListener("keydown", (event) => {
    if (event.target === scroller && ["ArrowLeft", "ArrowRight"].includes(event.key) && scroller.scrollWidth > scroller.clientWidth) event.stopPropagation(); // it scrolls
  });

  /** From where to where a scrolled column can be seen. */
  function room() {
    const { left, right } = scroller.getBoundingClientRect(), fixed = scroller.querySelector(".cmp-shared");
    return { left: fixed ? fixed.getBoundingClientRect().right : left, right };
  }

  function look() {
    const { left, right } = room(), rest = scroller.scrollWidth - scroller.clientWidth, at = scroller.scrollLeft;
    set(root, { "data-more": [at > 1 ? "left" : "", at < rest - 1 ? "right" : ""].filter(Boolean).join(" ") || null, style: `--window-left:${Math.round(left - root.getBoundingClientRect().left)}px` });
    const out = columns().filter((column) => {
      const box = column.root.getBoundingClientRect(), middle = (box.left + box.right) / 2;
      return box.width > 0 && (middle < left || middle > right);
    }).map((column) => column.name);
    if (out.join() === hidden) return;
    hidden = out.join();
    onHidden(out);
  }

  const later = () => beforePaint(look, look);
  scroller.addEventListener("scroll", later, { passive: true });
  const observer = new ResizeObserver(later);
  observer.observe(scroller);

  return {
    scroller,
    look: later,
    /** Also when the table grows. @param {Element} node */
    watch: (node) => observer.observe(node),
    /** Scrolls as little as brings the column into sight whole. @param {string} name @param {boolean} [smooth] */
    reveal(name, smooth = true) {
      const column = columns().find((one) => one.name === name);
      if (!column) return;
      const { left, right } = room(), box = column.root.getBoundingClientRect();
      const by = box.left < left || box.width > right - left ? box.left - left : Math.max(0, box.right - right);
      if (Math.abs(by) > 1) scroller.scrollBy({ left: by, behavior: smooth && !still.matches ? "smooth" : "instant" });
    },
  };
}
