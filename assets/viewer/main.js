/** `mount(root, bridge)`: builds the Step page and wires store, controls and pictures. */

import { createActions } from "./actions.js";
import { checkedForm, checkedLink, missing } from "./checked.js";
import { createControls } from "./controls.js";
import { createCoupling } from "./coupling.js";
import { createExamples, createLibrary } from "./examples.js";
import { createFormulas } from "./formulas.js";
import { createHelp } from "./help.js";
import { createKeptRuns } from "./kept_run.js";
import { createKeys } from "./keys.js";
import { createLane } from "./lane.js";
import { createLengths } from "./lengths.js";
import { compareHash, createLink, encode } from "./link.js";
import { createNotices } from "./notices.js";
import { createPosition } from "./position.js";
import { ownMode } from "./prompt_modes.js";
import { restore, remember } from "./restore.js";
import { createRunner } from "./runner.js";
import { createSentence } from "./sentence.js";
import { createStore, DEFAULTS } from "./store.js";
import { ALONE, FIRST, pageOf, PAGES } from "./pages.js";
import { html, present, set } from "./svg.js";
import { createTeacher } from "./teacher/main.js";
import { createText } from "./text.js";
import { createTimestrip } from "./timestrip.js";
import { createTransport } from "./transport.js";
import { unfinishedIn } from "./unfinished.js";
import { say } from "./words/parts/step.js";
import { say as sayViewer } from "./words/parts/viewer.js";

/**
 * @param {HTMLElement} root emptied and filled
 * @param {any} bridge see docs/viewer.md; `bridge.saved`: of a page without a server
 * @param {import("./pages.js").Frame} frame
 * @returns {{store: any, actions: any, ready: Promise<void>}}
 */
export function mount(root, bridge, frame = ALONE) {
  const config = { pairs: [], verifiers: [], limits: {}, base: "./", ...bridge.config };
  const { saved = null } = bridge;
  const teacher = createTeacher("step", frame), store = createStore({ ask: teacher.asks, saved: saved !== null });
  const pair = config.pairs.find((entry) => entry.available !== false) || config.pairs[0];
  const rules = config.verifiers.map((entry) => entry.name);
  const form = { ...DEFAULTS, ...(pair ? { pair: pair.name, draft: pair.drafts[0] ? pair.drafts[0].name : "", prompt_mode: ownMode(pair) } : {}) };
  if (rules.length && !rules.includes(form.verifier)) form.verifier = rules[0];

  const library = createLibrary(saved ? null : config.examples || `${config.base.replace(/\/?$/, "/")}examples/`);
  const kept = createKeptRuns(), link = createLink(frame.isVisible, (view) => (saved ? [] : missing(view, form, config)));
  const unlinked = (view) => {
    const wrong = link.missing(view).join(sayViewer("viewer.between"));
    return wrong && say("step.unlinked", { wrong });
  };
  const runner = createRunner(store, bridge);
  /** @type {any} */
  const parts = { explain() {} };
  const all = createActions({ store, runner, link, library, parts, config, kept, unlinked }), actions = teacher.guard(all, store);

  root.textContent = "";
  root.classList.add("sd");
  const top = html("header", { class: "sd-top" }, root);
  parts.controls = saved ? saved.createHead(top, actions) : createControls(top, actions, config);
  const tools = html("div", { class: "sd-tools" }, parts.controls.root);
  const tool = (id, label, title, action) => html("button", { type: "button", id, class: "sd-button", title }, tools, label).addEventListener("click", action);
  if (!saved) tool("copy-link", say("step.copy_link"), say("step.copy_link.title"), actions.copyLink);
  tool("export", say("step.export"), say("step.export.title"), actions.exportTrace);
  if (!saved) {
    tool("save-html", say("step.save"), say("step.save.title"), actions.saveHtml);
    const importLabel = html("label", { id: "import", class: "sd-button", title: say("step.import.title") }, tools, say("step.import"));
    const file = /** @type {HTMLInputElement} */ (html("input", { type: "file", accept: ".json,application/json", class: "sd-hidden-input", "aria-label": say("step.import.label") }, importLabel));
    file.addEventListener("change", async () => {
      await actions.importFile(file.files && file.files[0]);
      file.value = "";
    });
    tool("open-compare", say("step.compare"), say("step.compare.title"), () => frame.open(compareHash(store.view)));
  }
  tool("help", "?", say("step.help.title"), actions.help);

  const list = [parts.controls, createExamples(top, actions, library), createText(root, actions)];
  const stage = html("div", { class: "sd-stage" }, root);
  list.push(createSentence(stage), createTransport(stage, actions), createNotices(stage, actions), createLane(root, actions));
  const panels = html("div", { class: "sd-panels" }, root);
  const main = html("div", { class: "sd-main" }, panels), side = html("div", { class: "sd-side" }, panels);
  const panel = (parent, make) => make(html("div", { class: "sd-panel" }, parent), actions);
  const lengths = panel(side, createLengths);
  list.push(panel(main, createPosition), panel(main, createCoupling), lengths, panel(side, createTimestrip));
  const formulas = panel(side, createFormulas), law = /** @type {Element} */ (side.firstElementChild);
  list.push(formulas);
  parts.help = createHelp(root);
  parts.explain = formulas.show;

  store.subscribe((view) => {
    set(root, {
      "data-state": view.status, "data-block": view.block ? view.blockIndex : null, "data-phase": view.block ? view.phase : null,
      "data-position": view.block ? view.position : null, "data-rule": view.rule, "data-predict": view.predict,
    });
    set(panels, { hidden: !view.block });
    present(law, !view.predicting); // it would give the answer away
    const seen = { ...view, cancellable: runner.busy, foreign: Boolean(view.block && view.rule !== view.block.verifier) };
    for (const part of list) part.update(seen);
    link.update(view);
    if (saved) return;
    keepRun(view);
    remember({ ...view, unfinished: () => unfinishedIn(root), run: kept.idOf(view.trace) });
  });
  let looked = /** @type {any} */ (null);
  /** Keeps for a reload what the address will not bring back, and what a file's run has become. */
  function keepRun(view) {
    const { trace, status } = view;
    if (!trace || status !== "ready" || trace === looked) return;
    if ((kept.idOf(looked) && trace.head_digest === looked.head_digest) || !link.holds(view)) kept.keep(trace);
    looked = trace;
  }
  createKeys(root, actions);
  teacher.attach({ root, store, actions: all, encode: (view) => `#${encode(view, location.hash)}`, unlinked, saved: saved !== null });
  store.set({ form, status: "empty" });

  const checked = { form: (given) => checkedForm(given, form, config), link: (want, prompt) => checkedLink(want, { ...form, prompt }, config) };
  const context = { root, store, runner, link, library, actions: all, checked, kept, controls: parts.controls };
  const bring = saved ? saved.restore : restore;
  const isStray = () => !saved && !PAGES.includes(pageOf(location.hash)); // nobody else would say so
  const ready = bring(context);
  window.addEventListener("hashchange", () => (pageOf(location.hash) === FIRST || isStray()) && bring(context));
  frame.onVisible(() => store.set({})); // the address is this page's again
  return { store, actions, ready };
}
