/** `mount(root, bridge, frame)`: the page Learn: the tour's contents, its chapters and its end, and the glossary. */

import { createLibrary } from "../examples.js";
import { createKeys } from "../keys.js";
import { addressIsSettled, ALONE, pageOf, writeAddress } from "../pages.js";
import { createAsk } from "../sandbox/ask.js";
import { html, set, text } from "../svg.js";
import { say } from "../words/parts/learn.js";
import { language as spoken, languageOfPart } from "../words/words.js";
import { CONTENTS, decode, encode, LOADED } from "./address.js";
import { addressWords } from "./address_check.js";
import { createChapter } from "./chapter.js";
import { beside, chapterOf, CHAPTERS } from "./chapters.js";
import { createChapterList, createContents, createEnd } from "./contents.js";
import { createGlossary } from "./glossary.js";
import { openHash } from "./guide.js";
import { sharedProgress } from "./progress.js";

const anySeed = () => Math.floor(Math.random() * 2 ** 32);

/**
 * @param {HTMLElement} root emptied and filled
 * @param {any} bridge see docs/viewer.md; `bridge.root`: the address of the app's own root; `bridge.seed`: what questions are drawn from
 * @param {import("../pages.js").Frame} frame
 * @returns {Promise<any>}
 */
export async function mount(root, bridge, frame = ALONE) {
  const config = { rules: [], pairs: [], base: "./", ...bridge.config }, progress = sharedProgress(), { isVisible } = frame, seed = bridge.seed || anySeed;
  const wanted = decode(location.hash) || CONTENTS, language = wanted.language ? spoken() : null;

  root.textContent = "";
  root.classList.add("sd", "learn");
  set(root, { "data-page": "learn", lang: languageOfPart("learn") });
  const bar = html("nav", { class: "learn-bar", "aria-label": say("learn.title") }, root);
  const goes = (key, place) => html("button", { type: "button", class: "sd-button", "data-bar": place.view }, bar, say(key)).addEventListener("click", () => go(place));
  goes("learn.contents", { view: "contents" });
  goes("learn.glossary", { view: "glossary" });
  const columns = html("div", { class: "learn-columns" }, root), aside = html("nav", { class: "learn-side", "aria-label": say("learn.chapters") }, columns), main = html("div", { class: "learn-main" }, columns);
  const note = html("p", { class: "sd-notice error", role: "alert", hidden: true }, main), place_ = html("div", { class: "learn-view" }, main);

  const go = (place) => openHash(encode({ language, ...place }));
  const ask = createAsk({ root: bridge.root }), library = createLibrary(config.examples || `${config.base.replace(/\/?$/, "/")}examples/`);
  const context = { language, config, progress, go, library, ask, isVisible, seed, open: frame.open, follow };
  const list = createChapterList(aside, { progress, go, short: true });
  const chapters = new Map(), views = { contents: createContents(context), end: createEnd(context), glossary: createGlossary(context) };
  let shown = CONTENTS, current = /** @type {any} */ (null);

  /** To a chapter's page, with the panel. @param {string} id */
  function follow(id) {
    const chapter = chapterOf(id);
    if (!chapter) return;
    if (progress.now.following === id) progress.change({ following: null }); // it begins anew
    progress.change({ following: id });
    openHash(chapter.hash(config));
  }

  /** @param {import("./address.js").Place} place @param {boolean} byHand whether somebody has just gone there */
  function show(place, byHand) {
    const known = place.view !== "chapter" || chapterOf(place.chapter);
    shown = known ? place : { ...CONTENTS, language };
    const wrong = pageOf(location.hash) === "learn" ? addressWords(location.hash) : "";
    set(note, { hidden: !wrong });
    text(note, wrong);
    if (shown.view === "chapter" && !chapters.has(shown.chapter)) chapters.set(shown.chapter, createChapter(/** @type {any} */ (chapterOf(shown.chapter)), context));
    current = shown.view === "chapter" ? chapters.get(shown.chapter) : views[shown.view];
    set(root, { "data-view": shown.view, "data-chapter": shown.chapter });
    if (current.root.parentNode !== place_) place_.replaceChildren(current.root);
    const target = current.shown(shown) || null;
    list.update(shown.chapter);
    for (const button of bar.children) set(button, { "aria-current": button.getAttribute("data-bar") === shown.view ? "page" : null });
    if (!byHand) return;
    if (!target) window.scrollTo(0, 0);
    (target || current.heading).focus({ preventScroll: true });
  }

  progress.onChange(() => list.update(shown.chapter));
  const beyond = (by) => {
    if (shown.view !== "chapter" || !shown.chapter) return by > 0 && shown.view === "contents" ? go({ view: "chapter", chapter: progress.now.at || CHAPTERS[0].id }) : false;
    const next = beside(shown.chapter, by);
    go(next ? { view: "chapter", chapter: next.id } : { view: by > 0 ? "end" : "contents" });
  };
  createKeys(root, {}, { n: () => beyond(1), b: () => beyond(-1) });
  window.addEventListener("hashchange", () => {
    const place = decode(location.hash);
    if (place) show(place, true);
  });
  /** Chapters go on without a network: their runs are fetched while somebody reads the first page. */
  const examples = new Set(CHAPTERS.flatMap(({ scene }) => (scene.kind === "trace" && scene.example ? [scene.example] : [])));
  for (const name of examples) library.open(name).catch(() => {});
  /** Once the page is in view the address is its own, however it was opened: a reload, and another language, come back to it. */
  const claim = () => {
    if (isVisible() && addressIsSettled() && pageOf(location.hash) !== "learn") writeAddress(encode({ ...shown, language }));
  };
  frame.onVisible(() => {
    claim();
    if (current) current.shown(shown);
  });
  show(wanted, LOADED !== location.hash);
  claim();
  set(root, { "data-state": "ready" });
  return { progress, show, get shown() { return shown; }, get current() { return current; } };
}
