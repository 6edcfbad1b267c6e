/** The page of a saved state of the Sandbox: its numbers are in the file; what the browser derives from other laws goes on working. */

import { encode, decode } from "../sandbox/link.js";
import { readState, stateText } from "../sandbox/state_text.js";
import { LONGEST } from "../link.js";
import { mount } from "../sandbox/main.js";
import { lawsWords } from "../sandbox/sandbox_words.js";
import { ruleTitle, ruleWords } from "../rule_gallery.js";
import { aboutOf, titleOf } from "../sandbox/presets.js";
import { say as common } from "../words/parts/saved.js";
import { say } from "../words/parts/sandbox_help.js";
import { hasFailed, lawsKey } from "../sandbox/failures.js";
import { choiceOf } from "../sandbox/restore.js";
import { createHead, dateWords } from "./head.js";
import { madeBy, openRecord } from "./opening.js";

/** @param {any} record @returns {string[][]} terms and their words */
function stateFacts({ state, picture, saved, shown }) {
  const [left, right] = state.rules;
  return [
    [common("saved.fact.file"), say("savedstate.what")],
    ...(shown.preset ? [[say("savedstate.preset"), say("savedstate.preset.words", { title: titleOf(shown.preset), about: aboutOf(shown.preset) })]] : []),
    [say("savedstate.laws"), say("savedstate.laws.words", { symbols: state.symbols, laws: lawsWords(picture) })],
    [say("savedstate.rules"), [left, right].map((name) => say("savedstate.rule", { rule: ruleWords(name), title: ruleTitle(name, picture.rules[name].title) })).reduce((first, second) => say("savedstate.rules.words", { first, second }))],
    [common("saved.fact.saved"), common("saved.by", { date: dateWords(saved), program: madeBy() })],
  ];
}

function createStateHead(container, record) {
  const { state, saved } = record, [first, second] = state.rules.map(ruleWords);
  const { root, show } = createHead(container, {
    title: say("savedstate.title"), line: say("savedstate.line", { first, second, symbols: state.symbols, gamma: state.gamma, date: saved.slice(0, 10) }),
    facts: stateFacts(record), unlinked: say("savedstate.unlinked"),
    link(view) {
      const hash = encode(view);
      return hash.length <= LONGEST ? hash : null;
    },
  });
  return { root, update: show };
}

/** In place of the server: nothing is asked, and laws that are not the file's have no numbers. */
function createAsking(store) {
  const refuse = () => {
    const { doc, answered, failures } = store.state;
    if (doc !== answered && !hasFailed(store.state, "picture")) store.set({ failures: { ...failures, picture: { of: doc, text: say("savedstate.other"), again: false, going: false } } });
  };
  return { update: () => queueMicrotask(refuse), retry() {}, failed() {} };
}

/** The parts leave out what they have no action for. */
function lookingOnly({ setContext, setRule, setSymbols, setGamma, askLongRun, openPreset, loadPresets, randomise, copyLink, importFile, saveHtml, ...rest }) {
  return rest;
}

function open({ store, link }, { state, picture, optimum, longrun, shown }) {
  const { preset = null, difference = false, fromTarget = false, row = null, column = null, prefix = null } = shown;
  const want = decode(location.hash), own = want && want.laws && stateText(want.laws) === stateText(state);
  const chosen = own ? choiceOf(want, state) : { selected: { row, column, prefix }, difference, fromTarget };
  link.paused = false;
  store.set({
    doc: state, picture, pictured: state, answered: state, optimum, optimumOf: lawsKey(state), longrun, longrunOf: longrun ? state : null, presets: preset ? [{ ...preset, state }] : [], ...chosen,
  });
}

openRecord("sandbox", (root, record) => {
  const { state, picture, shown } = record;
  if (!state || !picture || picture.schema !== "specdemo.sandbox/1" || !shown || !readState(stateText(state))) throw new Error(say("savedstate.damaged"));
  const [first, second] = state.rules.map(ruleWords);
  document.title = say("savedstate.page", { first, second });
  const saved = { createHead: (container) => createStateHead(container, record), createAsking, lookingOnly, open: (context) => open(context, record) };
  Object.assign(window, { sandbox: mount(root, { config: { rules: [] }, saved }) });
});
