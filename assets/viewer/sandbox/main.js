/** `mount(root, bridge, frame)`: builds the Sandbox and wires store, editor and pictures (docs/sandbox.md). */

import { createNotices } from "../notices.js";
import { ALONE } from "../pages.js";
import { html, present, set } from "../svg.js";
import { createTeacher } from "../teacher/main.js";
import { createActions } from "./actions.js";
import { createAsk } from "./ask.js";
import { createAsking } from "./asking.js";
import { createCouplingMatrix } from "./coupling_matrix.js";
import { createEditor } from "./editor.js";
import { createFailureNotice } from "./failure_notice.js";
import { createHeadline } from "./headline.js";
import { createHelp } from "./help.js";
import { createSandboxKeys } from "./keys.js";
import { createLink, encode, isOurs } from "./link.js";
import { createLongRun } from "./longrun.js";
import { createMistake } from "./mistake.js";
import { createPour } from "./pour_panel.js";
import { createAbout } from "./presets.js";
import { createMemory, restore } from "./restore.js";
import { createStore } from "./store.js";
import { createToolbar, createTools } from "./toolbar.js";
import { createTree } from "./tree.js";
import { createTreeFormulas } from "./tree_formulas.js";

/** What the pictures are drawn from: they are not called for anything else. */
const DRAWN = ["picture", "optimum", "longrun", "old", "status", "difference", "rules"];

/**
 * @param {HTMLElement} root emptied and filled
 * @param {any} bridge see docs/viewer.md; `bridge.saved`: of a page without a server; `bridge.root` is the address of the app's own root where that is not the document's
 * @param {import("../pages.js").Frame} frame
 * @returns {{store: any, actions: any, link: any}}
 */
export function mount(root, bridge, frame = ALONE) {
  const config = { rules: [], base: "./", ...bridge.config }, { isVisible } = frame, { saved = null } = bridge;
  const teacher = createTeacher("sandbox", frame), store = createStore(config, teacher.asks), link = createLink(isVisible), memory = saved ? null : createMemory(), ask = createAsk({ root: bridge.root });
  const asking = saved ? saved.createAsking(store) : createAsking(store, ask, isVisible);
  /** @type {any} */
  const parts = {};
  const all = createActions({ store, asking, link, parts, ask, config }), actions = teacher.guard(saved ? saved.lookingOnly(all) : all, store);

  root.textContent = "";
  root.classList.add("sd", "sd-sandbox");
  set(root, { "data-page": "sandbox" });
  const top = html("header", { class: "sd-top" }, root);
  const own = [saved ? saved.createHead(top) : createToolbar(top, actions, config), createAbout(top)];
  const stage = html("div", { class: "sd-stage" }, root);
  own.push(createNotices(stage, actions, "sandbox-"), createFailureNotice(stage, actions), createHeadline(stage, (place) => own.push(createTools(place, actions))));
  const panels = html("div", { class: "sb-panels" }, root);
  const side = html("div", { class: "sb-side-column" }, panels), main = html("div", { class: "sb-main-column" }, panels);
  const panel = (parent, make) => make(html("div", { class: "sd-panel" }, parent), actions);
  own.push(panel(side, createEditor), panel(side, createPour));
  const pictures = [createCouplingMatrix, createTree, createTreeFormulas, createMistake, createLongRun].map((make) => panel(main, make));
  parts.help = createHelp(root);

  /** @type {any} */
  let drawn = null;
  store.subscribe((view, state) => {
    asking.update(); // the question is on its way while this view is drawn
    set(root, { "data-state": view.status, "data-pending": view.pending.picture, "data-problems": view.problems.length || null });
    present(main, !view.predicting);
    const key = [view.predicting, ...DRAWN.map((name) => view[name]), JSON.stringify([view.old && view.pending.picture, view.pending.optimum, view.pending.longrun, view.selected, view.hovered])];
    const hoverOnly = drawn && drawn.rest.every((part, i) => part === state[OWN[i]]);
    if (!hoverOnly) for (const part of own) part.update(view);
    if (!view.predicting && (!drawn || key.some((part, i) => part !== drawn.key[i]))) for (const picture of pictures) picture.update(view);
    drawn = { key, rest: OWN.map((name) => state[name]) };
    link.update(view);
    if (memory) memory.remember(view);
  });
  createSandboxKeys(root, actions);
  teacher.attach({ root, store, actions: all, encode, saved: saved !== null });
  // What could not be had is asked for again as soon as it may be there, and when somebody does something.
  window.addEventListener("online", () => actions.again());
  for (const name of ["click", "change"]) root.addEventListener(name, () => actions.again());

  const context = { store, link, memory, config, isVisible };
  if (saved) {
    saved.open(context);
    window.addEventListener("hashchange", () => isOurs(location.hash) && saved.open(context));
    return { store, actions, link };
  }
  restore(context, true);
  if (isVisible()) actions.loadPresets();
  window.addEventListener("hashchange", () => { if (isVisible() && isOurs(location.hash)) restore(context, false); });
  frame.onVisible(() => {
    if (!store.state.presets) actions.loadPresets();
    restore(context, false);
  });
  return { store, actions, link };
}

/** What editor, toolbar and headline show: all but what is hovered. */
const OWN = ["doc", "picture", "answered", "problems", "problemsOf", "failures", "message", "selected", "difference", "fromTarget", "moving", "preset", "presets", "seed", "past", "future"];
