/**
 * The state of a page on paper: the handout's own part (settings, tables, formulas, link), made when it is printed and gone afterwards, and
 * the page's pictures under it (print.css). The button lets the pictures be drawn for the width of the paper first. Not every browser prints,
 * or says that it has: the page is then back after a moment, or when somebody does something with it.
 */

import { LONGEST } from "../link.js";
import { addressFor } from "../pages.js";
import { html, set } from "../svg.js";
import { compareHandout, stepHandout } from "./handout_runs.js";
import { sandboxHandout } from "./handout_states.js";
import { say } from "../words/parts/teacher.js";

const MAKERS = { step: stepHandout, compare: compareHandout, sandbox: sandboxHandout };
const PRINTING = "sd-printing";
const MOMENT = 1000; // ms after which nobody waits for a word of the browser any more
const ROOM = 676; // px that a picture has on the sheet (print.css)
const frames = (count) => new Promise((resolve) => {
  const next = (left) => (left ? requestAnimationFrame(() => next(left - 1)) : resolve(null));
  next(count);
});

/** Measurements that were not made have no picture. */
const MEASURED = { "#compare-race": "race", "#compare-law": "law" };

/**
 * @param {HTMLElement} root of the page @param {"step"|"compare"|"sandbox"} page
 * @param {{menu: any, view: () => any, encode: (view: any) => string, unlinked: (view: any) => string, isVisible: () => boolean, hidden: string[], kinds: string[], score: () => (() => void)|null}} context
 *   `hidden`: names of controls; `kinds`: what is to be predicted; `score`: shows what is to be predicted as it is on paper, and returns the way back
 * @returns {{update: () => void}} to be called when the view has changed: what is printed belongs together
 */
export function createHandout(root, page, { menu, view, encode, unlinked, isVisible, hidden, kinds, score }) {
  /** @type {HTMLElement|null} */
  let sheet = null;
  let dark = false, filling = false, printed = false, timer = 0, unscore = /** @type {(() => void)|null} */ (null);

  /** @param {boolean} redraws whether the pictures are drawn anew before they are printed */
  function begin(redraws) {
    if (sheet) return;
    const column = root.querySelector(".sb-main-column"), wide = column && !redraws ? column.clientWidth : 0;
    root.style.setProperty("--paper-shrink", wide > ROOM ? (ROOM / wide).toFixed(3) : "1");
    sheet = html("section", { class: "sd-handout" });
    fill(view());
    filling = true;
    unscore = score();
    filling = false;
    root.prepend(sheet);
    set(root, { "data-printing": true });
    dark = document.body.classList.contains("dark");
    document.body.classList.remove("dark");
    document.body.classList.add(PRINTING);
  }
  /** @param {any} now the view */
  function fill(now) {
    if (!sheet) return;
    sheet.textContent = "";
    const head = html("h1", null, sheet);
    if (now.predicting) html("p", { class: "sd-handout-name" }, sheet, say("handout.name"));
    const body = html("div", null, sheet), title = MAKERS[page](body, now, { hidden, kinds });
    head.textContent = title;
    const hash = encode(now), foot = html("p", { class: "sd-handout-link" }, sheet);
    html("b", null, foot, say("handout.link"));
    html("span", null, foot, unlinked(now) || (hash.length > LONGEST ? say("handout.short") : addressFor(hash)));
    for (const [selector, name] of Object.entries(MEASURED)) for (const part of root.querySelectorAll(selector)) set(part, { "data-unmeasured": !now[name] || !now[name].record });
  }
  function update() {
    if (!sheet || filling) return;
    const now = view();
    fill(unscore && now.predicting ? { ...now, phase: "draft" } : now);
  }
  function end() {
    if (!sheet) return;
    sheet.remove();
    sheet = null;
    printed = false;
    clearTimeout(timer);
    if (unscore) unscore();
    unscore = null;
    set(root, { "data-printing": null });
    document.body.classList.remove(PRINTING);
    if (dark) document.body.classList.add("dark");
  }
  menu.add("print", say("handout.button"), say("handout.button_title"), async () => {
    begin(true);
    await frames(3);
    window.print();
    if (!sheet) return;
    printed = true;
    timer = window.setTimeout(() => document.hasFocus() && end(), MOMENT); // else a dialog has the focus, and gives it back
  });
  window.addEventListener("beforeprint", () => root.isConnected && isVisible() && begin(false));
  window.addEventListener("afterprint", end);
  window.addEventListener("focus", () => printed && end());
  window.addEventListener("pointerdown", end, true);
  window.addEventListener("keydown", (event) => {
    if (!sheet || event.key !== "Escape") return;
    event.stopPropagation();
    end();
  }, true);
  return { update };
}
