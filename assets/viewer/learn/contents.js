/** The contents of the tour: the chapters with what has been read and answered, and where to start or go on. */

import { html, set, text } from "../svg.js";
import { say } from "../words/parts/learn.js";
import { CHAPTERS, chapterOf, keysOf, titleOf } from "./chapters.js";
import { rich } from "./rich.js";

/** The chapters as a list; marks what is answered, and the one shown. @param {Element} container @param {{progress: any, go: (place: any) => void, short?: boolean}} context */
export function createChapterList(container, { progress, go, short = false }) {
  const list = html("ol", { class: "learn-list" }, container);
  const items = CHAPTERS.map((chapter) => {
    const keys = keysOf(chapter), item = html("li", { "data-chapter": chapter.id }, list);
    const button = html("button", { type: "button", class: "sd-link" }, item, titleOf(chapter)), state = html("span", { class: "learn-mark" }, item);
    button.addEventListener("click", () => go({ view: "chapter", chapter: chapter.id }));
    if (!short) html("span", { class: "sd-soft learn-short" }, item, say(keys.short));
    return { id: chapter.id, item, button, state };
  });
  return {
    /** @param {string|null} shown */
    update(shown) {
      const { answered, seen } = progress.now;
      for (const { id, item, button, state } of items) {
        const mark = answered.includes(id) ? "answered" : seen.includes(id) ? "seen" : "";
        set(item, { "data-state": mark || null });
        text(state, mark === "answered" ? "✓" : mark ? "•" : "");
        set(state, { role: mark ? "img" : null, "aria-label": mark ? say(`learn.${mark}`) : null, title: mark ? say(`learn.${mark}`) : null });
        set(button, { "aria-current": id === shown ? "page" : null });
      }
    },
  };
}

/** How many questions are answered, of chapters that there are. @param {any} progress */
export const countAnswered = (progress) => progress.now.answered.filter((id) => chapterOf(id)).length;

/** @param {{progress: any, go: (place: any) => void}} context */
export function createContents({ progress, go }) {
  const root = html("article", { class: "learn-contents", "aria-labelledby": "learn-title" });
  const heading = html("h2", { id: "learn-title", tabindex: -1 }, root, say("learn.title"));
  rich(html("p", null, root), "learn.intro", { count: String(CHAPTERS.length) });
  html("p", null, root, say("learn.prerequisite"));
  const buttons = html("p", { class: "learn-buttons" }, root);
  const start = html("button", { type: "button", class: "sd-button primary", "data-do": "start" }, buttons);
  let place = { view: "chapter", chapter: CHAPTERS[0].id };
  start.addEventListener("click", () => go(place));
  html("button", { type: "button", class: "sd-button", "data-do": "glossary" }, buttons, say("learn.glossary")).addEventListener("click", () => go({ view: "glossary" }));
  const list = createChapterList(root, { progress, go }), score = html("p", { class: "sd-soft" }, root);
  const forget = html("button", { type: "button", class: "sd-link", "data-do": "forget" }, root, say("learn.restart"));
  forget.addEventListener("click", () => {
    progress.forget();
    start.focus();
  });
  html("p", { class: "sd-soft learn-keys" }, root, say("learn.keys"));

  function update() {
    const { at, seen } = progress.now, chapter = chapterOf(at), answered = countAnswered(progress);
    place = { view: "chapter", chapter: (chapter || CHAPTERS[0]).id };
    text(start, chapter ? say("learn.resume", { number: CHAPTERS.indexOf(chapter) + 1, title: titleOf(chapter) }) : say("learn.start"));
    text(score, seen.length ? say("learn.score", { answered, count: CHAPTERS.length }) : "");
    set(forget, { hidden: !seen.length });
    list.update(null);
  }
  progress.onChange(update);
  return { root, heading, shown: update };
}

const ONWARDS = [["step", "learn.end_step"], ["compare", "learn.end_compare"], ["sandbox", "learn.end_sandbox"], ["audit", "learn.end_audit"]];

/** The end of the tour. @param {{progress: any, go: (place: any) => void, open: (hash: string) => void}} context */
export function createEnd({ progress, go, open }) {
  const root = html("article", { class: "learn-end", "aria-labelledby": "learn-end-title" });
  const heading = html("h2", { id: "learn-end-title", tabindex: -1 }, root, say("learn.end_title")), told = html("p", null, root);
  html("h3", null, root, say("learn.end_try"));
  const list = html("ul", { class: "learn-onwards" }, root);
  const onward = (key, act) => html("button", { type: "button", class: "sd-link" }, html("li", null, list), say(key)).addEventListener("click", act);
  for (const [page, key] of ONWARDS) onward(key, () => open(page === "step" ? "#page=step" : `#page=${page}`));
  onward("learn.end_glossary", () => go({ view: "glossary" }));
  const buttons = html("p", { class: "learn-buttons" }, root);
  html("button", { type: "button", class: "sd-button", "data-do": "contents" }, buttons, say("learn.contents")).addEventListener("click", () => go({ view: "contents" }));
  return {
    root, heading,
    shown() {
      progress.change({ finished: true, following: null });
      const answered = countAnswered(progress), count = CHAPTERS.length;
      rich(told, answered === count ? "learn.end_text_all" : "learn.end_text", { answered: String(answered), count: String(count) });
    },
  };
}
