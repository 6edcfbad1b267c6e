/**
 * A box whose content scrolls sideways inside it. Where it overflows and nothing in it takes the focus, it takes it itself: a keyboard, too,
 * has to get at what is out of sight. It is then called as the picture or table that it holds.
 */

import { html, set } from "./svg.js";

const STOPS = "a[href], button, input, select, textarea, summary, [tabindex]";

/** @param {Element} root */
function nameOf(root) {
  const caption = root.querySelector("caption, p"), part = root.closest("details, .pic, section, .sd-panel, .lab-worst");
  const heading = part && part.querySelector("summary, h3, h4"), named = root.closest("[aria-label]");
  return (caption && caption.textContent) || (heading && heading.textContent) || (named && named.getAttribute("aria-label"));
}

/** @param {Element} parent @returns {HTMLElement} */
export function createScroller(parent) {
  const root = /** @type {HTMLElement} */ (html("div", { class: "pic-scroll" }, parent));
  const overflows = () => root.scrollWidth > root.clientWidth + 1;
  function look() {
    const own = overflows() && !root.querySelector(STOPS);
    set(root, own ? { tabindex: 0, role: "group", "aria-label": nameOf(root) } : { tabindex: null, role: null, "aria-label": null });
  }
  const sizes = new ResizeObserver(look);
  const watch = () => {
    for (const child of root.children) sizes.observe(child);
    look();
  };
  sizes.observe(root);
  new MutationObserver(watch).observe(root, { childList: true });
  root.addEventListener("keydown", (event) => {
    if (event.target === root && ["ArrowLeft", "ArrowRight"].includes(event.key) && overflows()) event.stopPropagation(); // it scrolls
  });
  return root;
}
