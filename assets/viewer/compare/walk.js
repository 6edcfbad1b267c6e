/** Block by block through the run, all columns in lockstep; the way to the next block where they differ; one more column. */

import { html, set, show, svg, text } from "../svg.js";
import { plural } from "../format.js";
import { grouped, MOST } from "./rule_words.js";

const ICONS = { first: "M3 3v10M13 3 6 8l7 5z", previous: "M12 3 5 8l7 5z", next: "M4 3l7 5-7 5z", last: "M13 3v10M3 3l7 5-7 5z" };

/** Fills a select with rules by group; those in `taken` cannot be chosen. @param {Element} select @param {any[]} rules */
export function fillRules(select, rules) {
  for (const [group, list] of grouped(rules)) {
    const part = html("optgroup", { label: group }, select);
    for (const rule of list) html("option", { value: rule.name, title: rule.goes_wrong || rule.source || null }, part, rule.title || rule.name);
  }
}

/** @param {Element} container @param {any} actions */
export function createWalk(container, actions) {
  const root = html("div", { class: "sd-transport" }, container);
  const buttons = html("div", { class: "sd-buttons", role: "group", "aria-label": "Walk through the blocks" }, root);
  const make = (parent, name, label, title, icon) => {
    const button = html("button", { type: "button", id: `compare-${name}`, class: `sd-button${icon ? " icon" : ""}`, title, "aria-label": icon ? label : null }, parent, icon ? undefined : label);
    if (icon) svg("path", { d: ICONS[icon] }, svg("svg", { viewBox: "0 0 16 16", class: "sd-icon", "aria-hidden": "true" }, button));
    return button;
  };
  const walk = {
    first: make(buttons, "first", "First block", "first block (Home)", "first"), previous: make(buttons, "previous", "Previous block", "previous block (←)", "previous"),
    next: make(buttons, "next", "Next block", "next block (→)", "next"), last: make(buttons, "last", "Last block", "last decoded block (End)", "last"),
  };
  const place = html("span", { class: "cmp-place" }, root);
  const apart = html("div", { class: "sd-buttons", role: "group", "aria-label": "Blocks where the columns differ" }, root);
  const before = make(apart, "previous-difference", "◂ difference", "previous block where a column differs (Shift+N)");
  const after = make(apart, "next-difference", "Next difference ▸", "next block where a column differs (N)");
  const count = html("span", { class: "sd-soft" }, root);
  for (const name in walk) walk[name].addEventListener("click", () => actions[name]());
  before.addEventListener("click", () => actions.previousDifference());
  after.addEventListener("click", () => actions.nextDifference());
  const end = html("div", { class: "cmp-end" }, root);
  const step = make(end, "open-step", "Open this block on the Step page", "the same run and block, taken apart position by position");
  step.addEventListener("click", () => actions.openStep());
  const add = /** @type {HTMLSelectElement} */ (html("select", { id: "compare-add", "aria-label": "Add a column", title: `two to ${MOST} rules side by side` }, html("label", { class: "sd-field" }, end)));
  html("option", { value: "" }, add, "Add a column …");
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
      text(place, `block ${blockIndex + 1} of ${many}`);
      text(count, predict ? "" : view.differing.length ? `the columns differ in ${view.differing.length} of ${plural(many, "block")}` : many === 1 ? "the columns agree in this block" : `the columns agree in all ${many} blocks`);
      for (const button of [before, after]) set(button, { disabled: !view.differing.length || predicting });
    },
  };
}
