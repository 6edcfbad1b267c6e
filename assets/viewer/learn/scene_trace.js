/** A chapter's picture of a run: parts of the Step page on an example, with a walk of its own. Nothing is asked of a server that decodes. */

import { createCoupling } from "../coupling.js";
import { createLane } from "../lane.js";
import { createLengths } from "../lengths.js";
import { createPosition } from "../position.js";
import { createSentence } from "../sentence.js";
import { createStore } from "../store.js";
import { html, set } from "../svg.js";
import { createTimestrip } from "../timestrip.js";
import { say } from "../words/parts/learn.js";
import { language, languageOfPart } from "../words/words.js";

const PARTS = { lane: createLane, position: createPosition, coupling: createCoupling, lengths: createLengths, timestrip: createTimestrip };
/** Ids that these parts have on their own page, where tests and labels look for them. */
const FOREIGN = "#reset-drag, #continue-here, #continue-note";

/** Takes ids off, which the document has once already. @param {Element} node @param {string} ids a selector */
export function withoutIds(node, ids) {
  for (const one of node.querySelectorAll(ids)) one.removeAttribute("id");
}

/**
 * @param {Element} container
 * @param {{example: string, rule: string, place?: any, walk?: boolean, parts: string[], after?: string[]}} scene `after`: parts that would give the answer away
 * @param {{library: any}} context
 */
export function createTraceScene(container, scene, { library }) {
  const store = createStore({ saved: true }), listeners = [];
  const root = html("div", { class: "learn-scene", "data-scene": "trace", lang: languageOfPart("step") }, container);
  const sentence = createSentence(root), walk = html("div", { class: "learn-walk", lang: language() }, root);
  const button = (key, act) => {
    const node = /** @type {HTMLButtonElement} */ (html("button", { type: "button", class: "sd-button small", "data-walk": key.split(".")[1] }, walk, say(key)));
    node.addEventListener("click", act);
    return node;
  };
  const back = button("scene.back", () => store.back()), step = button("scene.step", () => {
    if (!store.step()) store.go({ phase: "draft", tried: 0 }); // the run ends here: the last block once more
  });
  set(walk, { hidden: scene.walk === false });
  const actions = {
    select: (choice) => store.select(choice), drag: (i, eta) => store.drag(i, eta), resetDrag: () => store.resetDrag(), setRule: (rule) => store.setRule(rule),
    explain() {}, refresh() {}, continueHere() {}, step: () => store.step(), back: () => store.back(),
  };
  const build = (name, hidden) => {
    const panel = html("div", { class: `learn-part${name === "lane" ? "" : " sd-panel"}`, hidden }, root), part = PARTS[name](panel, actions);
    withoutIds(panel, FOREIGN);
    return { panel, part };
  };
  const parts = scene.parts.map((name) => build(name, false)), later = (scene.after || []).map((name) => build(name, true));
  let example = scene.example, revealed = false;

  store.subscribe((view) => {
    const seen = { ...view, example, cancellable: false, foreign: false };
    sentence.update(seen);
    for (const { part } of [...parts, ...(revealed ? later : [])]) part.update(seen);
    back.disabled = !view.block || (view.blockIndex === 0 && view.phase === "draft");
    for (const listener of listeners) listener();
  });

  /** @param {{example?: string, place?: any}} change */
  async function show({ example: name = example, place = {} }) {
    const { trace } = await library.open(name);
    example = name;
    const phase = place.phase || (scene.place && scene.place.phase) || "score";
    store.open(trace, { blockIndex: 0, pinned: scene.rule, tried: phase === "verify" ? 99 : 0, ...place, phase });
  }

  return {
    root,
    live: () => ({ kind: "trace", view: { ...store.view, example } }),
    ready: async () => {
      const { entry } = await library.open(scene.example);
      await show({ place: { blockIndex: entry.start ? entry.start.block : 0, ...scene.place } });
    },
    show,
    /** What `show` takes to come back to this place. */
    shown() {
      const { blockIndex, phase, tried } = store.state;
      return { example, place: { blockIndex, phase, tried } };
    },
    onChange: (listener) => void listeners.push(listener),
    /** What the question has hidden, once it is answered. */
    reveal() {
      revealed = true;
      for (const { panel } of later) set(panel, { hidden: false });
      if (["draft", "score", "verify"].includes(store.state.phase)) store.go({ phase: "correct", tried: 0 });
      else store.set({});
    },
    hide() {
      revealed = false;
      for (const { panel } of later) set(panel, { hidden: true });
    },
    refresh: () => store.set({}),
    waits: () => false,
  };
}
