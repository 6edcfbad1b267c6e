/** The settings of the Sandbox: presets, alphabet, γ, context, the two rules; and its tools. */

import { grouped } from "../compare/rule_words.js";
import { groupWords, mistakeWords, ruleTitle, ruleWords } from "../rule_gallery.js";
import { html, set } from "../svg.js";
import { say } from "../words/parts/sandbox.js";
import { say as common } from "../words/parts/viewer.js";
import { CONTEXTS, FEWEST_SYMBOLS, letters, MOST_GAMMA, MOST_SYMBOLS, tooMany } from "./laws.js";
import { createPresets } from "./presets.js";

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
  const symbols = field(say("sandbox.alphabet"), "symbols", say("sandbox.alphabet.title"));
  const gamma = field("γ", "gamma", common("viewer.field.gamma.title"));
  const context = field(say("sandbox.context"), "context", say("sandbox.context.title"));
  const count = (select, from, to, act) => {
    for (let n = from; n <= to; n++) html("option", { value: n }, select);
    select.addEventListener("change", () => act(Number(select.value)));
  };
  count(symbols, FEWEST_SYMBOLS, MOST_SYMBOLS, actions.setSymbols);
  count(gamma, 1, MOST_GAMMA, actions.setGamma);
  for (const name of CONTEXTS) html("option", { value: name }, context, say(`sandbox.context.${name}`));
  context.addEventListener("change", () => actions.setContext(context.value));

  const rules = [0, 1].map((side) => {
    const select = side ? field(say("sandbox.right"), "right-rule", say("sandbox.right.title")) : field(say("sandbox.left"), "left-rule", say("sandbox.left.title"));
    for (const [, list] of grouped(config.rules)) {
      const options = html("optgroup", { label: groupWords(list[0]) }, select);
      for (const rule of list) html("option", { value: rule.name, title: mistakeWords(rule.name, rule.goes_wrong) || ruleTitle(rule.name, rule.title) }, options, say(`sandbox.choice.${rule.goes_wrong ? "never" : rule.lossless}`, { rule: ruleWords(rule.name) }));
    }
    select.addEventListener("change", () => actions.setRule(side, select.value));
    return select;
  });
  /** Sizes that would be too much together cannot be chosen, and say why. */
  function sizes(select, of, chosen) {
    for (const option of select.options) {
      const n = Number(option.value), reason = of(n), own = select === symbols ? `${n}: ${letters(n).join("")}` : String(n);
      option.disabled = reason !== null;
      option.textContent = reason === null ? own : say("sandbox.size_no", { size: own, reason });
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
      rules.forEach((select, side) => {
        select.value = state.rules[side];
        set(select, { title: select.selectedOptions.length ? select.selectedOptions[0].text : null }); // the field may be narrower
      });
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
  const undo = tool("undo", "↶", say("sandbox.undo.title"), actions.undo, say("sandbox.undo")), redo = tool("redo", "↷", say("sandbox.redo.title"), actions.redo, say("sandbox.redo"));
  if (actions.copyLink) tool("copy-link", say("sandbox.copy_link"), say("sandbox.copy_link.title"), actions.copyLink);
  tool("export", say("sandbox.export"), say("sandbox.export.title"), actions.exportJson);
  if (actions.saveHtml) tool("save-html", say("sandbox.save"), say("sandbox.save.title"), actions.saveHtml);
  if (actions.importFile) {
    const label = html("label", { id: "sandbox-import", class: "sd-button sb-import", title: say("sandbox.import.title") }, tools, say("sandbox.import"));
    const file = /** @type {HTMLInputElement} */ (html("input", { type: "file", accept: ".json,application/json", class: "sd-hidden-input", "aria-label": say("sandbox.import.label") }, label));
    file.addEventListener("change", async () => {
      await actions.importFile(file.files && file.files[0]);
      file.value = "";
    });
  }
  tool("help", "?", say("sandbox.help.title"), actions.help, common("viewer.help"));

  return {
    update(view) {
      undo.disabled = !view.canUndo;
      redo.disabled = !view.canRedo;
    },
  };
}
