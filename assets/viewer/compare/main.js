/** `mount(root, bridge, options)`: builds the Compare page and wires store, controls and parts (docs/compare.md). */

import { createControls } from "../controls.js";
import { createKeys } from "../keys.js";
import { createNotices } from "../notices.js";
import { ALONE } from "../pages.js";
import { ownMode } from "../prompt_modes.js";
import { createRunner } from "../runner.js";
import { html, present, set, text } from "../svg.js";
import { createTeacher } from "../teacher/main.js";
import { createText } from "../text.js";
import { unfinishedIn } from "../unfinished.js";
import { say } from "../words/parts/compare.js";
import { createActions } from "./actions.js";
import { createBlockTable } from "./columns.js";
import { createDifferences, createHeadline, createPositionWords } from "./differences.js";
import { createExamples } from "./examples.js";
import { keepFocus } from "./focus.js";
import { createHelp } from "./help.js";
import { createLaw } from "./law.js";
import { createLink, encode, isOurs } from "./link.js";
import { createMeasurer } from "./measure.js";
import { createRace } from "./race.js";
import { createMemory, restore } from "./restore.js";
import { columnsOf, createStore, DEFAULTS } from "./store.js";
import { emptyWords, textTokens } from "./text.js";
import { createTools } from "./tools.js";
import { createWalk } from "./walk.js";

/**
 * @param {HTMLElement} root emptied and filled
 * @param {any} bridge see docs/viewer.md and docs/compare.md
 * @param {import("../pages.js").Frame} frame the hash and the keys are this page's only while it is visible
 * @returns {{store: any, actions: any, ready: Promise<void>}}
 */
export function mount(root, bridge, frame = ALONE) {
  const { isVisible } = frame;
  const given = { pairs: [], verifiers: [], limits: {}, base: "./", ...bridge.config };
  const config = { ...given, rules: given.rules || given.verifiers.map((rule) => ({ remembers: false, goes_wrong: null, ...rule })) };
  const pair = config.pairs.find((entry) => entry.available !== false) || config.pairs[0];
  const first = {
    ...DEFAULTS, ...(pair ? { pair: pair.name, draft: pair.drafts[0] ? pair.drafts[0].name : "", prompt_mode: ownMode(pair) } : {}),
    ...columnsOf(DEFAULTS.rules, DEFAULTS.follow, config.rules.map((rule) => rule.name)),
  };
  const teacher = createTeacher("compare", frame), store = createStore(config, teacher.asks), link = createLink(isVisible), memory = createMemory();
  const runner = createRunner(store, bridge), measurer = createMeasurer(store, bridge);
  /** @type {any} */
  const parts = {};
  const all = createActions({ store, runner, measurer, link, parts, config, open: frame.open }), actions = teacher.guard(all, store);

  root.textContent = "";
  root.classList.add("sd", "sd-compare");
  set(root, { "data-page": "compare" });
  const top = html("header", { class: "sd-top" }, root);
  parts.controls = createControls(top, actions, config, { prefix: "compare-", choosesRule: false, again: say("compare.decode.again") });
  createTools(parts.controls.root, actions, store);
  const list = [parts.controls, createExamples(top, actions), createText(root, actions, { tokensOf: textTokens, empty: emptyWords() })];
  const stage = html("div", { class: "sd-stage" }, root);
  const headline = createHeadline(stage);
  list.push(headline, createWalk(stage, actions), createNotices(stage, actions, "compare-"));
  const block = html("section", { id: "compare-block", class: "sd-panel cmp-block", "aria-label": say("compare.block") }, root);
  const differences = createDifferences(block, (rule) => table.reveal(rule));
  const table = createBlockTable(block, actions, (rules) => differences.hide(rules)), foot = createPositionWords(block);
  list.push(differences, table, foot);
  const measured = ["race", "law"].map((name) => html("div", { id: `compare-${name}` }, root));
  const race = createRace(measured[0], actions), law = createLaw(measured[1], actions);
  list.push(onlyWith(["form", "rules", "race"], race), onlyWith(["form", "rules", "law"], law));
  parts.help = createHelp(root);
  parts.root = root;
  parts.said = () => [headline, differences, foot].map((part) => part.words()).join(" ");

  store.subscribe((view) => {
    set(root, { "data-state": view.status, "data-block": view.block ? view.blockIndex : null, "data-position": view.block ? view.position : null });
    set(block, { "data-columns": view.rules.length });
    const seen = { ...view, cancellable: runner.busy, ...(view.predicting ? { block: null } : {}) };
    for (const part of measured) present(part, !view.predicting); // they tell of the same blocks
    keepFocus(() => list.forEach((part) => part.update(seen)));
    link.update(view);
    memory.remember({ ...view, unfinished: () => unfinishedIn(root) });
  });
  createKeys(root, actions, keysOf(actions, isVisible));
  teacher.attach({ root, store, actions: all, encode: (view) => `#${encode(view)}` });
  store.set({ form: first });

  const context = { root, store, actions: all, link, memory, config, first, forget: () => forget(root, parts.controls), isVisible, fresh: true };
  const ready = restore(context);
  link.claimed = isVisible();
  window.addEventListener("hashchange", () => {
    if (!isOurs(location.hash)) link.release();
    else if (isVisible()) restore(context);
  });
  frame.onVisible(() => {
    link.claimed = true;
    restore(context);
  });
  return { store, actions, ready };
}

/** Mistakes out of all fields of the page; the next update fills them. @param {HTMLElement} root @param {any} controls */
function forget(root, controls) {
  controls.reset();
  for (const field of root.querySelectorAll("[aria-invalid]")) {
    set(field, { "aria-invalid": null, "aria-describedby": null });
    const problem = root.querySelector(`#${field.id}-problem`);
    if (problem) text(problem, "");
  }
}

/** A part that is updated only when one of these parts of the view has changed. @param {string[]} names @param {any} part */
function onlyWith(names, part) {
  let before = [];
  return {
    update(view) {
      const now = names.map((name) => view[name]);
      if (before.length && now.every((x, i) => x === before[i])) return;
      before = now;
      part.update(view);
    },
  };
}

/** What the keys do while this page is the visible one. */
function keysOf(actions, isVisible) {
  const table = {
    ArrowLeft: actions.previous, ArrowRight: actions.next, ArrowUp: () => actions.move(-1), ArrowDown: () => actions.move(1), Home: actions.first, End: actions.last,
    n: (event) => (event.shiftKey ? actions.previousDifference() : actions.nextDifference()), "?": actions.help, Escape: actions.escape,
  };
  return Object.fromEntries(Object.entries(table).map(([key, act]) => [key, (event) => (isVisible() ? act(event) : false)]));
}
