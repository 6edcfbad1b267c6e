/** Block by block through the run, all columns in lockstep; the way to the next block where they differ; one more column. */

import { groupWords, mistakeWords, ruleTitle } from "../rule_gallery.js";
import { html, set, show, svg, text } from "../svg.js";
import { say } from "../words/parts/compare.js";
import { grouped, MOST, sourceWords } from "./rule_words.js";

const ICONS = { first: "M3 3v10M13 3 6 8l7 5z", previous: "M12 3 5 8l7 5z", next: "M4 3l7 5-7 5z", last: "M13 3v10M3 3l7 5-7 5z" };

/** Fills a select with rules by group; those in `taken` cannot be chosen. @param {Element} select @param {any[]} rules */
export function fillRules(select, rules) {
  for (const [, list] of grouped(rules)) {
    const part = html("optgroup", { label: groupWords(list[0]) }, select);
    for (const rule of list) html("option", { value: rule.name, title: mistakeWords(rule.name, rule.goes_wrong) || sourceWords(rule) }, part, ruleTitle(rule.name, rule.title));
  }
}

/** @param {Element} container @param {any} actions */
export function createWalk(container, actions) {
  const root = html("div", { class: "sd-transport" }, container);
  const buttons = html("div", { class: "sd-buttons", role: "group", "aria-label": say("compare.walk") }, root);
  const make = (parent, name, label, title, icon) => {
    const button = html("button", { type: "button", id: `compare-${name}`, class: `sd-button${icon ? " icon" : ""}`, title, "aria-label": icon ? label : null }, parent, icon ? undefined : label);
    if (icon) svg("path", { d: ICONS[icon] }, svg("svg", { viewBox: "0 0 16 16", class: "sd-icon", "aria-hidden": "true" }, button));
    return button;
  };
  const walk = {
    first: make(buttons, "first", say("compare.walk.first"), say("compare.walk.first.title"), "first"), previous: make(buttons, "previous", say("compare.walk.previous"), say("compare.walk.previous.title"), "previous"),
    next: make(buttons, "next", say("compare.walk.next"), say("compare.walk.next.title"), "next"), last: make(buttons, "last", say("compare.walk.last"), say("compare.walk.last.title"), "last"),
  };
  const place = html("span", { class: "cmp-place" }, root);
  const apart = html("div", { class: "sd-buttons", role: "group", "aria-label": say("compare.walk.differences") }, root);
  const before = make(apart, "previous-difference", say("compare.walk.previous_difference"), say("compare.walk.previous_difference.title"));
  const after = make(apart, "next-difference", say("compare.walk.next_difference"), say("compare.walk.next_difference.title"));
  const count = html("span", { class: "sd-soft" }, root);
  for (const name in walk) walk[name].addEventListener("click", () => actions[name]());
  before.addEventListener("click", () => actions.previousDifference());
  after.addEventListener("click", () => actions.nextDifference());
  const end = html("div", { class: "cmp-end" }, root);
  const step = make(end, "open-step", say("compare.walk.step"), say("compare.walk.step.title"));
  step.addEventListener("click", () => actions.openStep());
  const add = /** @type {HTMLSelectElement} */ (html("select", { id: "compare-add", "aria-label": say("compare.walk.add"), title: say("compare.walk.add.title", { most: MOST }) }, html("label", { class: "sd-field" }, end)));
  html("option", { value: "" }, add, say("compare.walk.add.option"));
  add.addEventListener("change", () => {
    const rule = add.value;
    add.value = "";
    if (rule) actions.addRule(rule);
  });
  let filled = false;

  return {
    update(view) {
      if (!filled) fillRules(add, view.config.rules);
      filled = true;
      for (const option of add.options) if (option.value) set(option, { disabled: view.rules.includes(option.value) });
      set(add, { disabled: view.rules.length >= MOST });
      const { block, trace, blockIndex, predict, predicting } = view, any = Boolean(block) || predicting, many = any ? trace.blocks.length : 0;
      for (const part of [buttons, place, apart, count]) show(part, any);
      show(step, Boolean(block) && actions.canOpenStep(block.verifier));
      if (!any) return;
      set(walk.first, { disabled: blockIndex === 0 });
      set(walk.previous, { disabled: blockIndex === 0 });
      set(walk.next, { disabled: blockIndex === many - 1 });
      set(walk.last, { disabled: blockIndex === many - 1 });
      text(place, say("compare.walk.place", { number: blockIndex + 1, count: many }));
      text(count, predict ? "" : view.differing.length ? say("compare.walk.differ", { apart: view.differing.length, count: many }) : many === 1 ? say("compare.walk.agree_one") : say("compare.walk.agree", { count: many }));
      for (const button of [before, after]) set(button, { disabled: !view.differing.length || predicting });
    },
  };
}
