/**
 * The settings: prompt, pair, draft, verifier and the numbers. A field that does not make sense says so beside itself and
 * the value from before stays in force; nothing is ever changed silently.
 */

import { createHubFields, hubEntry, OTHER } from "./hub_choice.js";
import { createModeField } from "./mode_field.js";
import { createNumberField } from "./number_field.js";
import { createPairNote } from "./pair_note.js";
import { draftTitle, pairNote as noteOf, pairTitle } from "./pair_words.js";
import { MODES } from "./prompt_modes.js";
import { ruleTitle } from "./rule_names.js";
import { FOREIGN_TEXT, html, set, show, text } from "./svg.js";
import { numberOf, wholeOf } from "./typed_numbers.js";
import { say } from "./words/parts/viewer.js";

/** By the names of settings, the ids of their fields. */
const NUMBERS = { gamma: "gamma", temperature: "temperature", top_k: "top-k", top_p: "top-p", seed: "seed", max_new_tokens: "max-tokens" };
/** Labels that are the same in every language. @type {Record<string, string>} */
const SIGNS = { gamma: "γ", top_k: "top-k", top_p: "top-p" };
/** A setting's name as its field has it. */
export const labelOf = (/** @type {string} */ name) => SIGNS[name] || say(`viewer.setting.${name}`);

/** The temperature to go on with when another pair is chosen: its own to begin with, unless somebody has set another. */
function temperatureFollowing(/** @type {any} */ before, /** @type {any} */ chosen, /** @type {number} */ now) {
  const own = (/** @type {any} */ entry) => (entry && entry.temperature) ?? 1;
  return now === own(before) ? own(chosen) : now;
}

const LOSSY = { never: "viewer.lossy", temperature_0: "viewer.cold" };

/** The bounds in force: those of UI.md, or the server's where it has narrower ones. */
export function boundsOf(limits = {}) {
  const top = (name, fallback) => {
    const given = Array.isArray(limits[name]) ? limits[name][1] : limits[name];
    return Number.isFinite(given) ? given : fallback;
  };
  return {
    gamma: [1, top("gamma", 16), true], temperature: [0, top("temperature", 5), false], top_k: [0, top("top_k", 1e6), true], top_p: [0, 1, false],
    seed: [0, top("seed", Number.MAX_SAFE_INTEGER), true], max_new_tokens: [1, top("max_new_tokens", 512), true],
  };
}

/** Null where a text is a sensible value, else what is wrong. */
export function problemOf(name, raw, bounds) {
  const [low, high, whole] = bounds[name];
  const value = whole ? wholeOf(raw) : numberOf(raw);
  const open = name === "top_p" && value === 0;
  return value === null || value < low || value > high || open ? say(`viewer.wanted.${name}`, { high }) : null;
}

/**
 * @param {Element} container @param {any} actions setField(name, value), setRule(name)
 * @param {any} config see docs/viewer.md
 * @param {{prefix?: string, choosesRule?: boolean, again?: string}} [options] `prefix` of the fields' ids; whether there is a field for
 *   the verifier; what to press after a change, where that is not the Step page's buttons
 */
export function createControls(container, actions, config, { prefix = "", choosesRule = true, again = "" } = {}) {
  const bounds = boundsOf(config.limits);
  const promptLimit = (config.limits && config.limits.prompt_characters) || 20000;
  const root = html("form", { class: "sd-controls", autocomplete: "off" }, container);
  root.addEventListener("submit", (event) => event.preventDefault());
  const valid = {};
  let typed = false; // whether the prompt is the person's own
  const examples = new Set((config.pairs || []).flatMap((/** @type {any} */ entry) => entry.examples || []));

  const field = (parent, label, id, kind, name = id) => {
    const wrap = html("label", { class: `sd-field sd-field-${id}`, title: say(`viewer.field.${name}.title`) }, parent);
    html("span", null, wrap, label);
    const input = /** @type {any} */ (html(kind, { id: prefix + id }, wrap));
    return { wrap, input };
  };
  const prompt = field(root, say("viewer.field.prompt"), "prompt", "textarea");
  set(prompt.input, { rows: 1, spellcheck: "false", ...FOREIGN_TEXT });
  const selects = html("div", { class: "sd-selects" }, root);
  const mode = createModeField(selects, actions, prefix);
  const pair = field(selects, say("viewer.field.pair"), "pair", "select");
  const draft = field(selects, say("viewer.field.draft"), "draft", "select");
  const verifier = choosesRule ? field(selects, say("viewer.field.verifier"), "verifier", "select") : null;
  const hub = config.hub_ids ? createHubFields(root, actions, config, prefix) : null;
  const numbers = html("div", { class: "sd-numbers-row" }, root);
  const note = html("span", { class: "sd-changed", id: `${prefix}settings-changed`, role: "status" }, root);
  const pairNote = createPairNote(root, actions, prefix);
  const inputs = {};
  for (const [name, id] of Object.entries(NUMBERS)) {
    const { wrap, input } = field(numbers, labelOf(name), id, "input", name), [low, high, whole] = bounds[name];
    const problem = html("span", { class: "sd-problem", id: `${prefix}${id}-problem`, role: "alert" }, wrap);
    const number = createNumberField(input, problem, { label: labelOf(name), low, high, whole, wanted: (raw) => problemOf(name, raw, bounds), onValue: (value) => actions.setField(name, value) });
    inputs[name] = { input, number };
  }
  const promptProblem = html("span", { class: "sd-problem", id: `${prefix}prompt-problem`, role: "alert" }, prompt.wrap);
  prompt.input.addEventListener("input", () => {
    const { value } = prompt.input;
    typed = true;
    const wrong = value.length > promptLimit ? say("viewer.prompt_too_long", { count: promptLimit })
      : /\p{Surrogate}/u.test(value) ? say("viewer.prompt_half") : null; // no UTF-8 has it: it would travel as another
    text(promptProblem, wrong || "");
    set(prompt.input, { "aria-invalid": wrong ? "true" : null });
    if (!wrong) actions.setField("prompt", value);
    grow();
  });
  function grow() {
    prompt.input.style.height = "auto";
    if (prompt.input.scrollHeight) prompt.input.style.height = Math.min(prompt.input.scrollHeight + 2, 92) + "px";
  }
  pair.input.addEventListener("change", () => {
    if (hub && pair.input.value === OTHER) return hub.choose();
    hub?.leave();
    const chosen = pairs.find((entry) => entry.name === pair.input.value);
    const wanted = mode.following(chosen), cool = temperatureFollowing(pairs.find((entry) => entry.name === valid.pair), chosen, valid.temperature); // asked before the pair has changed
    const other = wanted !== valid.prompt_mode;
    actions.setField("pair", pair.input.value);
    const names = chosen ? chosen.drafts.map((entry) => entry.name) : [];
    if (names.length && !names.includes(draft.input.value)) actions.setField("draft", names[0]);
    actions.setField("prompt_mode", wanted);
    if (cool !== valid.temperature) actions.setField("temperature", cool);
    if (other && !typed && examples.has(valid.prompt) && chosen && (chosen.examples || []).length) actions.setField("prompt", chosen.examples[0]);
  });
  draft.input.addEventListener("change", () => actions.setField("draft", draft.input.value));
  if (verifier) verifier.input.addEventListener("change", () => actions.setRule(verifier.input.value));

  const filled = new Map();
  const pairs = config.pairs || [];
  const rules = config.verifiers || [];
  function fill(select, entries, chosen) {
    const all = entries.some((entry) => entry.name === chosen) || !chosen ? entries : [...entries, { name: chosen, title: chosen }];
    const wanted = JSON.stringify(all.map((entry) => [entry.name, entry.title, entry.available]));
    if (filled.get(select) !== wanted) {
      filled.set(select, wanted);
      select.textContent = "";
      for (const entry of all) html("option", { value: entry.name, title: entry.note || null }, select, entry.available === false ? say("viewer.unavailable", { title: entry.title || entry.name }) : entry.title || entry.name);
    }
    if (chosen && select.value !== chosen) select.value = chosen;
  }

  function updateVerifier(view) {
    const known = rules.length ? rules.map((entry) => ({ name: entry.name, title: LOSSY[entry.lossless] ? say(LOSSY[entry.lossless], { title: ruleTitle(entry) }) : ruleTitle(entry) })) : (view.trace ? view.trace.verifiers : ["block"]).map((name) => ({ name }));
    fill(verifier.input, known, view.block && !view.changed.includes("verifier") ? view.rule : view.form.verifier);
    set(verifier.input, { "data-changed": view.changed.includes("verifier") });
  }

  return {
    root,
    update(view) {
      const { form } = view;
      Object.assign(valid, form);
      if (view.example && view.trace) examples.add(view.trace.prompt.text);
      if (!prompt.input.hasAttribute("aria-invalid") && prompt.input.value !== form.prompt) {
        prompt.input.value = form.prompt;
        typed = false;
        grow();
      }
      hub?.update(view);
      const named = pairs.map((entry) => ({ ...entry, title: pairTitle(entry), note: noteOf(entry) }));
      fill(pair.input, hub ? [...named, { name: OTHER, title: say("viewer.hub.other") }] : named, hub && hub.open ? OTHER : form.pair);
      const chosen = pairs.find((entry) => entry.name === form.pair) || hubEntry(form, config);
      fill(draft.input, chosen ? chosen.drafts.map((entry) => ({ ...entry, title: draftTitle(chosen.name, entry) })) : [], form.draft);
      pairNote.update(chosen, view);
      mode.update(chosen, view);
      set(prompt.input, { placeholder: Object.hasOwn(MODES, form.prompt_mode) ? say(`viewer.placeholder.${form.prompt_mode}`) : null });
      if (verifier) updateVerifier(view);
      for (const name in inputs) {
        const { input, number } = inputs[name];
        number.update(form[name]);
        set(input, { "data-changed": view.changed.includes(name) });
      }
      const changed = view.trace ? view.changed.map(labelOf) : [];
      text(note, changed.length ? say("viewer.changed", { names: changed.join(say("viewer.comma")), again: again || say(view.untouched || !view.block ? "viewer.again_first" : "viewer.again") }) : "");
      set(note, { title: changed.length ? say("viewer.changed.title") : null });
      set(prompt.input, { "data-changed": view.changed.includes("prompt") });
      set(pair.input, { "data-changed": view.changed.includes("pair") });
      set(draft.input, { "data-changed": view.changed.includes("draft") });
      show(draft.wrap, (!chosen || chosen.drafts.length > 0) && !hubEntry(form, config));
    },
    /** Fields back to the form's values, mistakes included. */
    reset() {
      for (const name in inputs) inputs[name].number.reset();
      if (prompt.input.hasAttribute("aria-invalid")) prompt.input.value = valid.prompt;
      set(prompt.input, { "aria-invalid": null });
      text(promptProblem, "");
    },
  };
}
