/** The page of a saved run: the Step page on the record that stands in the file, without anything that needs a server. */

import { missing } from "../checked.js";
import { encode, LONGEST, decode } from "../link.js";
import { mount } from "../main.js";
import { formOf } from "../store.js";
import { placeOf } from "../steps.js";
import { rulesOf } from "../derive.js";
import { ruleWords } from "../rule_names.js";
import { html, set, text } from "../svg.js";
import { validTrace } from "../validate.js";
import { say } from "../words/parts/saved.js";
import { createHead } from "./head.js";
import { madeBy, openRecord } from "./opening.js";
import { runFacts, runLine } from "./run_words.js";

/** Whether a link can say the settings of a run, as far as that is known without the app. @param {any} trace */
function holds(trace) {
  const [block] = trace.blocks;
  return !missing({ trace, block, blockIndex: 0, phase: "draft", tried: 0, position: 0, token: null, rule: block.verifier, example: null }, formOf(trace), { limits: {}, pairs: [], verifiers: [] }).length;
}

/** The hash of a view for the app, null where there is none. @param {any} view */
function linkOf(view) {
  const hash = `#${encode(view)}`;
  return holds(view.trace) && hash.length <= LONGEST ? hash : null;
}

/** The verifier's select and what is said about the file, where the app has its settings. */
function createRunHead(container, actions, { trace, saved }) {
  const { root, buttons, show } = createHead(container, {
    title: say("saved.run"), line: runLine(trace, saved), facts: runFacts(trace, saved, madeBy()),
    link: linkOf, unlinked: say(holds(trace) ? "saved.run.too_long" : "saved.run.unlinked"),
  });
  const label = html("label", { class: "sd-field sd-field-verifier", title: say("saved.run.verifier.title") });
  html("span", null, label, say("saved.run.verifier"));
  const select = /** @type {HTMLSelectElement} */ (html("select", { id: "verifier" }, label));
  select.addEventListener("change", () => actions.setRule(select.value));
  buttons.prepend(label);
  let filled = "";

  return {
    root,
    update(view) {
      if (!view.block) return; // before the file's run is opened
      show(view);
      const names = rulesOf(view.trace, view.block), wanted = names.join();
      if (filled !== wanted) {
        filled = wanted;
        select.textContent = "";
        for (const name of names) html("option", { value: name }, select, ruleWords(name));
      }
      for (const option of select.options) text(option, option.value === view.block.verifier ? say("saved.run.decided", { rule: ruleWords(option.value) }) : ruleWords(option.value));
      if (select.value !== view.rule) select.value = view.rule;
      set(select, { disabled: names.length < 2 });
    },
    reset() {},
  };
}

/** Opens the place of the file's own address where that is of this run, else the one it was saved at. */
function restore({ store, link }, { trace, start }) {
  const want = decode(location.hash);
  store.open(trace, want && want.digest === trace.digest ? want.place : placeOf(start), { form: formOf(trace) });
  link.paused = false;
  store.set({});
}

openRecord("step", (root, record) => {
  validTrace(record.trace);
  if (!record.trace.blocks.length) throw new Error(say("saved.no_blocks"));
  const { text: prompt } = record.trace.prompt;
  document.title = prompt ? say("saved.run.page_of", { prompt: prompt.slice(0, 60) }) : say("saved.run.page");
  const saved = { createHead: (container, actions) => createRunHead(container, actions, record), restore: (context) => restore(context, record) };
  const { store, actions } = mount(root, { config: {}, saved, decode() {}, cancel() {} });
  Object.assign(window, { viewer: { store, actions } });
});
