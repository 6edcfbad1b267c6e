/** The settings of the Sandbox: presets, alphabet, γ, context, the two rules; and its tools. */

import { grouped, ruleWords } from "../compare/rule_words.js";
import { html, set } from "../svg.js";
import { CONTEXTS, FEWEST_SYMBOLS, letters, MOST_GAMMA, MOST_SYMBOLS, tooMany } from "./laws.js";
import { createPresets } from "./presets.js";

const CONTEXT_WORDS = { free: "free: one law", position: "by position", prefix: "by prefix" };
const KIND_WORDS = { always: "lossless", temperature_0: "lossless at temperature 0 only", never: "lossy" };

/** @param {Element} container @param {any} actions @param {any} config */
export function createToolbar(container, actions, config) {
  const root = html("form", { class: "sd-controls sb-toolbar", autocomplete: "off" }, container);
  root.addEventListener("submit", (event) => event.preventDefault());
  const field = (label, id, title) => {
    const wrap = html("label", { class: "sd-field", title }, root);
    html("span", null, wrap, label);
    return /** @type {HTMLSelectElement} */ (html("select", { id: `sandbox-${id}` }, wrap));
  };
  const presets = createPresets(root, actions);
  const symbols = field("alphabet", "symbols", "how many symbols there are");
  const gamma = field("γ", "gamma", "tokens drafted in a block");
  const context = field("laws", "context", "what the laws depend on");
  const count = (select, from, to, act) => {
    for (let n = from; n <= to; n++) html("option", { value: n }, select);
    select.addEventListener("change", () => act(Number(select.value)));
  };
  count(symbols, FEWEST_SYMBOLS, MOST_SYMBOLS, actions.setSymbols);
  count(gamma, 1, MOST_GAMMA, actions.setGamma);
  for (const name of CONTEXTS) html("option", { value: name }, context, CONTEXT_WORDS[name]);
  context.addEventListener("change", () => actions.setContext(context.value));

  const rules = ["left", "right"].map((label, side) => {
    const select = field(label, side ? "right-rule" : "left-rule", `the rule shown on the ${side ? "right" : "left"}`);
    for (const [group, list] of grouped(config.rules)) {
      const options = html("optgroup", { label: group }, select);
      for (const rule of list) html("option", { value: rule.name, title: rule.goes_wrong || rule.title }, options, `${ruleWords(rule.name)} (${rule.goes_wrong ? "lossy" : KIND_WORDS[rule.lossless]})`);
    }
    select.addEventListener("change", () => actions.setRule(side, select.value));
    return select;
  });
  /** Sizes that would be too much together cannot be chosen, and say why. */
  function sizes(select, of, chosen) {
    for (const option of select.options) {
      const n = Number(option.value), reason = of(n), own = select === symbols ? `${n}: ${letters(n).join("")}` : String(n);
      option.disabled = reason !== null;
      option.textContent = reason === null ? own : `${own} (${reason})`;
      set(option, { title: reason });
    }
    select.value = String(chosen);
  }

  return {
    root,
    update(view) {
      const { state } = view;
      presets.update(view);
      sizes(symbols, (n) => tooMany(n, state.gamma), state.symbols);
      sizes(gamma, (n) => tooMany(state.symbols, n), state.gamma);
      context.value = state.context;
      rules.forEach((select, side) => { select.value = state.rules[side]; });
    },
  };
}

/** Undo, redo, link, files and help, as far as there are actions for them. @param {Element} container @param {any} actions */
export function createTools(container, actions) {
  const tools = html("div", { class: "sd-tools" }, container);
  const tool = (id, label, title, act, name = null) => {
    const button = /** @type {HTMLButtonElement} */ (html("button", { type: "button", id: `sandbox-${id}`, class: "sd-button", title, "aria-label": name }, tools, label));
    button.addEventListener("click", () => act());
    return button;
  };
  const undo = tool("undo", "↶", "undo (Ctrl+Z)", actions.undo, "Undo"), redo = tool("redo", "↷", "redo (Ctrl+Shift+Z)", actions.redo, "Redo");
  if (actions.copyLink) tool("copy-link", "Copy link", "a link that restores exactly this state", actions.copyLink);
  tool("export", "Export JSON", "the state and its picture as a file", actions.exportJson);
  if (actions.saveHtml) tool("save-html", "Save as HTML", "this state as one file with this page, which opens from disk, offline", actions.saveHtml);
  if (actions.importFile) {
    const label = html("label", { id: "sandbox-import", class: "sd-button sb-import", title: "a state from a JSON file; it stays in the browser" }, tools, "Import");
    const file = /** @type {HTMLInputElement} */ (html("input", { type: "file", accept: ".json,application/json", class: "sd-hidden-input", "aria-label": "Import a state" }, label));
    file.addEventListener("change", async () => {
      await actions.importFile(file.files && file.files[0]);
      file.value = "";
    });
  }
  tool("help", "?", "help (?)", actions.help, "Help");

  return {
    update(view) {
      undo.disabled = !view.canUndo;
      redo.disabled = !view.canRedo;
    },
  };
}
