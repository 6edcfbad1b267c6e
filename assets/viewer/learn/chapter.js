/** A chapter: its text, its picture, what to do on the real page, its question, and the way on. Built once and kept. */

import { html, set, text } from "../svg.js";
import { say } from "../words/parts/learn.js";
import { CHAPTERS, keysOf, titleOf } from "./chapters.js";
import { FORMULAS } from "./formulas.js";
import { math } from "./math.js";
import { createQuestionForm } from "./question_form.js";
import { rich } from "./rich.js";
import { createSandboxScene } from "./scene_sandbox.js";
import { createTraceScene } from "./scene_trace.js";
import { termLink } from "./terms_links.js";

const OPEN = { step: "learn.open_step", compare: "learn.open_compare", sandbox: "learn.open_sandbox", audit: "learn.open_audit" };

/**
 * @param {import("./chapters.js").Chapter} chapter
 * @param {{language: string|null, config: any, library: any, ask: any, isVisible: () => boolean, progress: any, seed: () => number, follow: (id: string) => void, go: (place: any) => void}} context
 */
export function createChapter(chapter, context) {
  const { language, config, progress, go } = context, keys = keysOf(chapter), number = CHAPTERS.indexOf(chapter) + 1;
  const root = html("article", { class: "learn-chapter", "data-chapter": chapter.id, "aria-labelledby": `learn-${chapter.id}` });
  const term = (parent, id, shown) => termLink(parent, id, shown, { language });
  const values = { mistakes: String((config.rules || []).filter((rule) => rule.goes_wrong).length), residual: String(CHAPTERS.findIndex(({ id }) => id === "residual") + 1) };

  html("p", { class: "learn-number-line" }, root, say("learn.chapter_of", { number, count: CHAPTERS.length }));
  const heading = html("h2", { id: `learn-${chapter.id}`, tabindex: -1 }, root, titleOf(chapter));
  const prose = html("div", { class: "learn-prose" }, root);
  for (const key of keys.paragraphs) rich(html("p", null, prose), key, values, { term });
  const formulas = html("div", { class: "learn-formulas" }, prose);
  for (const name of chapter.formulas) formulas.append(math(FORMULAS[name], { block: true }));

  const picture = html("section", { class: "learn-picture", "aria-label": say("learn.picture") }, root);
  const look = html("p", { class: "learn-look" }, picture);
  html("b", null, look, say("learn.look"));
  rich(html("span", null, look), keys.look, {}, { term });
  const make = chapter.scene.kind === "trace" ? createTraceScene : createSandboxScene, alive = () => context.isVisible() && root.isConnected;
  const scene = make(picture, chapter.scene, { ...context, isVisible: alive });
  const failed = html("p", { class: "sd-notice error", role: "alert", hidden: true }, picture), failedWords = html("span", null, failed);
  html("button", { type: "button", class: "sd-button small" }, failed, say("learn.again")).addEventListener("click", () => start());

  const task = html("section", { class: "learn-task sd-panel", "aria-label": say("learn.do") }, root);
  html("h3", null, task, say("learn.do"));
  rich(html("p", null, task), keys.task, {}, { term });
  const open = html("button", { type: "button", class: "sd-button", "data-do": "open" }, task, say(OPEN[chapter.page]));
  open.addEventListener("click", () => context.follow(chapter.id));

  const question = createQuestionForm(root, { question: chapter.question, scene, term, seed: context.seed, answered: () => progress.add("answered", chapter.id) });
  const ways = html("nav", { class: "learn-ways", "aria-label": say("learn.chapters") }, root), before = CHAPTERS[number - 2], after = CHAPTERS[number];
  const way = (label, place, primary) => html("button", { type: "button", class: `sd-button${primary ? " primary" : ""}`, "data-do": primary ? "next" : "previous" }, ways, label).addEventListener("click", () => go(place));
  if (before) way(say("learn.previous", { title: titleOf(before) }), { view: "chapter", chapter: before.id }, false);
  way(after ? say("learn.next", { title: titleOf(after) }) : say("learn.to_end"), after ? { view: "chapter", chapter: after.id } : { view: "end" }, true);

  async function start() {
    set(failed, { hidden: true });
    try {
      await scene.ready();
      await question.restore();
    } catch (error) {
      text(failedWords, say("learn.failed", { reason: /** @type {Error} */ (error).message }));
      set(failed, { hidden: false });
    }
    question.update();
  }

  window.addEventListener("online", () => { if (!failed.hidden) start(); });

  let begun = false;
  return {
    root, heading, scene, question,
    /** The chapter is on the screen. */
    shown() {
      if (begun) scene.refresh();
      else start();
      begun = true;
      progress.add("seen", chapter.id);
      progress.change({ at: chapter.id });
    },
  };
}
