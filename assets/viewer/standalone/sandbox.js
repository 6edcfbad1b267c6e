/** The page of a saved state of the Sandbox: its numbers are in the file; what the browser derives from other laws goes on working. */

import { encode, decode, readState, stateText } from "../sandbox/link.js";
import { LONGEST } from "../link.js";
import { mount } from "../sandbox/main.js";
import { lawsWords } from "../sandbox/sandbox_words.js";
import { ruleWords } from "../compare/rule_words.js";
import { hasFailed, lawsKey } from "../sandbox/failures.js";
import { choiceOf } from "../sandbox/restore.js";
import { createHead, dateWords } from "./head.js";
import { madeBy, openRecord } from "./opening.js";

const WHAT = "A state of specdemo's Sandbox: two laws on a small alphabet, and what two verifiers make of them, all of it computed by the library when the file was saved. "
  + "Choose cells and prefixes, switch to the difference, pour the mass. Move a bar, and one position's flow follows; the other numbers need the app.";
const OTHER = "This is a saved state: it holds the numbers of its own laws alone.";
const UNLINKED = "These laws are too long for a link: export them as JSON here and import that file there.";

/** @param {any} record @returns {string[][]} terms and their words */
function stateFacts({ state, picture, saved, shown }) {
  const [left, right] = state.rules;
  return [
    ["This file", WHAT],
    ...(shown.preset ? [["Preset", `${shown.preset.title}. ${shown.preset.about}`]] : []),
    ["Laws", `${state.symbols} symbols, ${lawsWords(picture)}`],
    ["Verifiers", `${ruleWords(left)} (${picture.rules[left].title}), ${ruleWords(right)} (${picture.rules[right].title})`],
    ["Saved", `${dateWords(saved)}, by ${madeBy()}`],
  ];
}

function createStateHead(container, record) {
  const { state, saved } = record;
  const { root, show } = createHead(container, {
    title: "A saved state of specdemo's Sandbox.", line: `${state.rules.map(ruleWords).join(" and ")} on ${state.symbols} symbols, γ = ${state.gamma} · saved ${saved.slice(0, 10)}`,
    facts: stateFacts(record), unlinked: UNLINKED,
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
    if (doc !== answered && !hasFailed(store.state, "picture")) store.set({ failures: { ...failures, picture: { of: doc, text: OTHER, again: false, going: false } } });
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
  if (!state || !picture || picture.schema !== "specdemo.sandbox/1" || !shown || !readState(stateText(state))) throw new Error("its state or picture is damaged");
  document.title = `specdemo Sandbox: ${state.rules.map(ruleWords).join(" and ")}`;
  const saved = { createHead: (container) => createStateHead(container, record), createAsking, lookingOnly, open: (context) => open(context, record) };
  Object.assign(window, { sandbox: mount(root, { config: { rules: [] }, saved }) });
});
