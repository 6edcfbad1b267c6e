/**
 * The panel of the tour on the pages themselves: what to do there, whether it has been done, and the way on and back. It drives a page by
 * its address alone, and sees of it only what is in the document.
 */

import { createKeys } from "../keys.js";
import { FIRST, pageOf } from "../pages.js";
import { html, set, text } from "../svg.js";
import { say } from "../words/parts/guide.js";
import { encode } from "./address.js";
import { beside, chapterOf, CHAPTERS, keysOf, titleOf } from "./chapters.js";
import { rich } from "./rich.js";
import { termLink } from "./terms_links.js";

const EVERY = 200; // ms between two looks
/** A page that has just been opened grows for so long, in ms: what the chapter is about is kept in view, until somebody does something. */
const SETTLES = 6000;

/** The page whose tab is chosen. */
function shownPage() {
  const tab = document.querySelector("[role=tab][aria-selected=true][id^=page-]");
  return tab ? tab.id.replace(/^page-|-button$/g, "") : pageOf(location.hash) || FIRST;
}

/** Goes to an address also where it is the present one, so that its state comes back. @param {string} hash */
export function openHash(hash) {
  if (location.hash === hash) window.dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = hash;
}

/**
 * @param {{language: string|null, progress: any, config: any}} context
 * @param {boolean} chosen whether somebody has just chosen to follow a chapter; else the page was loaded while one was followed
 */
export function createGuide({ language, progress, config }, chosen) {
  const root = html("aside", { class: "sd learn-guide", hidden: true, "aria-labelledby": "learn-guide-title" }, document.body);
  const head = html("div", { class: "learn-guide-head" }, root), title = html("h2", { id: "learn-guide-title", tabindex: -1 }, head);
  const button = (parent, key, name, act, kind = "") => {
    const node = html("button", { type: "button", class: `sd-button small ${kind}`, "data-do": name }, parent, say(key));
    node.addEventListener("click", act);
    return node;
  };
  const fold = button(head, "guide.fold", "fold", () => folded(!root.hasAttribute("data-folded")));
  const body = html("div", { class: "learn-guide-body" }, root), task = html("p", null, body), status = html("p", { class: "learn-feedback", role: "status", "aria-live": "polite" }, body);
  const lead = html("b", null, status), told = html("span", null, status), ways = html("div", { class: "learn-guide-ways" }, body);
  const previous = button(ways, "guide.previous", "previous", () => move(-1)), back = button(ways, "guide.back", "back", home, "primary"), next = button(ways, "guide.next", "next", () => move(1));
  button(ways, "guide.show", "show", () => open(chapterOf(progress.now.following)));
  button(ways, "guide.close", "close", close);
  let chapter = null, armed = false, done = false, ready = false, looking = 0, timer = 0, wanted = false, before = /** @type {HTMLElement|null} */ (null);

  const term = (parent, id, shown) => termLink(parent, id, shown, { language });
  function folded(yes) {
    set(root, { "data-folded": yes });
    set(text(fold, say(yes ? "guide.unfold" : "guide.fold")), { "aria-expanded": String(!yes) });
  }
  function open(one) {
    armed = done = false;
    looking = performance.now() + SETTLES;
    openHash(one.hash(config));
    draw();
  }
  function move(by) {
    const one = beside(progress.now.following, by);
    if (!one) return by > 0 ? openHash(encode({ view: "end", language })) : home();
    progress.change({ following: one.id, at: one.id });
    open(one);
    focus();
  }
  /** To the chapter's own page, where its question is; the panel waits until the next one is followed. */
  function home() {
    const id = progress.now.following;
    progress.change({ following: null });
    openHash(encode({ view: "chapter", chapter: id, language }));
  }
  function close() {
    progress.change({ following: null });
    if (before && before.isConnected) before.focus();
  }
  const focus = () => title.focus({ preventScroll: true });

  /** Is it done by now? Only what was seen undone first can be: the page may still show what it showed before. */
  function look() {
    if (!chapter || done || shownPage() !== chapter.page) return;
    const page = document.querySelector(`#page-${chapter.page} .specdemo-root`);
    const yes = chapter.done({ hash: location.hash, data: page instanceof HTMLElement ? page.dataset : {}, root: page });
    if (yes && armed) {
      done = true;
      text(lead, say("guide.done"));
      rich(told, keysOf(chapter).done, {}, { term });
      set(root, { "data-done": true });
    }
    armed = armed || !yes;
  }
  function tick() {
    set(root, { hidden: !chapter || shownPage() === "learn" });
    if (wanted && !root.hidden) {
      wanted = false;
      focus(); // the page that comes into view has no place of its own for it
    }
    if (chapter && performance.now() < looking && !root.hidden && shownPage() === chapter.page) {
      const place = document.querySelector(`#page-${chapter.page} ${chapter.at}`);
      if (place && place.getClientRects().length && Math.abs(place.getBoundingClientRect().top) > 4) place.scrollIntoView({ block: "start" });
    }
    document.body.classList.toggle("learn-following", !root.hidden);
    look();
  }
  function draw() {
    const before_ = chapter;
    chapter = chapterOf(progress.now.following);
    clearInterval(timer);
    if (chapter) {
      const keys = keysOf(chapter);
      text(title, say("guide.title", { number: CHAPTERS.indexOf(chapter) + 1, title: titleOf(chapter) }));
      rich(task, keys.task, {}, { term });
      if (chapter !== before_) armed = done = false;
      if (chapter !== before_ && (ready || chosen)) {
        wanted = true;
        looking = performance.now() + SETTLES;
      }
      if (!done) {
        text(lead, "");
        text(told, "");
        set(root, { "data-done": null });
      }
      set(previous, { disabled: !beside(chapter.id, -1) });
      timer = setInterval(tick, EVERY);
    }
    tick();
  }

  createKeys(root, {}, {
    g() {
      if (root.contains(document.activeElement)) return void (before && before.isConnected ? before.focus() : /** @type {HTMLElement} */ (document.activeElement).blur());
      before = /** @type {HTMLElement} */ (document.activeElement);
      folded(false);
      focus();
    },
  });
  progress.onChange(draw);
  // Before the page acts on it: whoever is quicker than the clock has been seen undone all the same.
  for (const name of ["pointerdown", "wheel", "touchstart", "keydown"]) window.addEventListener(name, () => { looking = 0; look(); }, { capture: true, passive: true });
  // The tab changes with the address, in the app a little later.
  window.addEventListener("hashchange", () => [0, 100].forEach((wait) => setTimeout(tick, wait)));
  folded(false);
  draw();
  ready = true;
  return { root };
}
