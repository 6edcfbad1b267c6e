/** The head of a column: its rule (to be replaced or removed), whether the text follows it, and what the rule is, in words. */

import { ruleTitle, ruleWords } from "../rule_gallery.js";
import { html, set, text } from "../svg.js";
import { say } from "../words/parts/compare.js";
import { FEWEST, headWords, ruleOf, sourceWords } from "./rule_words.js";
import { fillRules } from "./walk.js";

/** @param {Element} row @param {number} index @param {any} actions */
export function createHead(row, index, actions) {
  const root = html("th", { scope: "col", class: "cmp-head" }, row);
  const box = html("div", null, root);
  const first = html("div", { class: "cmp-head-line" }, box);
  // A select shows one line and cuts a long name: it lies, unseen, over the whole name.
  const named = html("span", { class: "cmp-name" }, first), name = html("span", { "aria-hidden": "true" }, named);
  const select = /** @type {HTMLSelectElement} */ (html("select", { id: `compare-rule-${index}`, "aria-label": say("compare.head.rule", { number: index + 1 }) }, named));
  const remove = html("button", { type: "button", id: `compare-remove-${index}`, class: "sd-button small icon", title: say("compare.head.remove") }, first, "×");
  const label = html("label", { class: "cmp-follow" }, box);
  const radio = /** @type {HTMLInputElement} */ (html("input", { type: "radio", name: "compare-follow", id: `compare-follow-${index}` }, label));
  html("span", null, label, say("compare.head.follow"));
  const words = html("p", null, box);
  let rules = null, shown = "";
  select.addEventListener("change", () => {
    actions.replaceRule(index, select.value);
    if (select.value !== shown) select.value = shown;
  });
  remove.addEventListener("click", () => actions.removeRule(index));
  radio.addEventListener("change", () => radio.checked && actions.follow(shown));
  return {
    root,
    update(view) {
      if (rules !== view.config.rules) fillRules(select, (rules = view.config.rules));
      shown = view.rules[index];
      if (select.value !== shown) select.value = shown;
      for (const option of select.options) set(option, { disabled: option.value !== shown && view.rules.includes(option.value) });
      const record = ruleOf(rules, shown);
      const title = ruleTitle(shown, record.title) || ruleWords(shown);
      text(name, title.replace(/ verification$/, "")); // English alone has it as a word that can be spared
      set(select, { title: say("compare.head.choose", { rule: title }) });
      const followed = shown === view.follow;
      const said = headWords(record, view.trace ? view.trace.settings.temperature : view.form.temperature);
      if (radio.checked !== followed) radio.checked = followed;
      set(radio, { value: shown });
      set(remove, { disabled: view.rules.length <= FEWEST, "aria-label": say("compare.head.remove.label", { rule: ruleWords(shown) }) });
      set(text(words, (said.kind === "lossy" ? "⚠ " : said.kind === "lossless" ? "✓ " : "") + said.text), { class: `cmp-kind ${said.kind}` });
      set(root, { class: `cmp-head${followed ? " followed" : ""}`, "data-rule": shown, abbr: ruleWords(shown), title: sourceWords(record) });
    },
  };
}
