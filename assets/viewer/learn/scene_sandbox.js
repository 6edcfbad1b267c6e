/** A chapter's picture of a Sandbox state: parts of the Sandbox page on a state of the chapter's own, answered by the same server. */

import { createActions } from "../sandbox/actions.js";
import { createAsking } from "../sandbox/asking.js";
import { createCouplingMatrix } from "../sandbox/coupling_matrix.js";
import { createEditor } from "../sandbox/editor.js";
import { createLongRun } from "../sandbox/longrun.js";
import { createMistake } from "../sandbox/mistake.js";
import { createPour } from "../sandbox/pour_panel.js";
import { createStore } from "../sandbox/store.js";
import { createTree } from "../sandbox/tree.js";
import { html, set, text } from "../svg.js";
import { say } from "../words/parts/learn.js";
import { languageOfPart } from "../words/words.js";
import { withoutIds } from "./scene_trace.js";

const PARTS = { editor: createEditor, pour: createPour, matrix: createCouplingMatrix, tree: createTree, longrun: createLongRun, mistake: createMistake };
const FOREIGN = "#sandbox-difference, #sandbox-longrun";
const LONG_RUN = 20; // blocks

/**
 * @param {Element} container
 * @param {{state: any, parts: string[], after?: string[], longrun?: boolean}} scene
 * @param {{ask: any, config: any, isVisible: () => boolean}} context
 */
export function createSandboxScene(container, scene, { ask, config, isVisible }) {
  const store = createStore(config), asking = createAsking(store, ask, isVisible), listeners = [];
  const actions = createActions({ store, asking, link: { address: () => null }, parts: { help: { toggle() {}, close() {}, open: false } }, ask, config });
  const root = html("div", { class: "learn-scene sd-sandbox", "data-scene": "sandbox", lang: languageOfPart("sandbox") }, container);
  const failed = html("div", { class: "sd-notice error", role: "alert", hidden: true }, root), said = html("span", null, failed);
  html("button", { type: "button", class: "sd-button small" }, failed, say("learn.again")).addEventListener("click", () => asking.retry());
  const build = (name, hidden) => {
    const panel = html("div", { class: "learn-part sd-panel", hidden }, root), part = PARTS[name](panel, actions);
    withoutIds(panel, FOREIGN);
    return { panel, part };
  };
  const parts = scene.parts.map((name) => build(name, false)), later = (scene.after || []).map((name) => build(name, true));
  let revealed = false;

  store.subscribe((view) => {
    asking.update();
    for (const { part } of [...parts, ...(revealed ? later : [])]) part.update(view);
    set(failed, { hidden: !view.failure });
    text(said, view.failure ? view.failure.text : "");
    for (const listener of listeners) listener();
  });

  window.addEventListener("online", () => { if (store.view.failure) asking.retry(); });

  return {
    root,
    /** Only what belongs together: a picture of other laws than those typed is none. */
    live() {
      const { picture, current, state, longrun, pending } = store.view;
      return { kind: "sandbox", state, picture: current ? picture : null, longrun: current && !pending.longrun ? longrun : null };
    },
    ready: async () => store.set({ doc: scene.state, ...(scene.longrun ? { wantsLongrun: LONG_RUN } : {}) }),
    /** @param {{state: any}} change */
    show: async ({ state }) => store.edit(state),
    /** What `show` takes to come back to these laws. */
    shown: () => ({ state: store.state.doc }),
    onChange: (listener) => void listeners.push(listener),
    reveal() {
      revealed = true;
      for (const { panel } of later) set(panel, { hidden: false });
      store.set({});
    },
    hide() {
      revealed = false;
      for (const { panel } of later) set(panel, { hidden: true });
    },
    refresh: () => store.set({}),
    /** Whether what the question needs is still being computed. */
    waits: () => Boolean(scene.longrun && store.view.pending.longrun),
  };
}
