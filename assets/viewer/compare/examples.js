/** A few comparisons worth seeing, decoded on a click: what a fresh page offers; later they are in a menu (tools.js). */

import { html, show } from "../svg.js";
import { say } from "../words/parts/compare.js";

const EXAMPLES = [
  { words: "compare.example.three", prompt: "It is a truth universally acknowledged, that", rules: ["token", "block", "greedy_block"], follow: "block", gamma: 6 },
  { words: "compare.example.mistake", prompt: "Once upon a time there was", rules: ["block", "break_at_first_failure", "residual_without_weight"], follow: "block", gamma: 5 },
  { words: "compare.example.exact", prompt: "Once upon a time there was", rules: ["token", "sampled_match", "exact_match"], follow: "token", gamma: 5 },
];

/** The examples whose rules there are: [title, what it opens]. @param {any[]} rules config.rules */
export function examplesOf(rules) {
  const names = rules.map((rule) => rule.name);
  return EXAMPLES.filter((one) => one.rules.every((rule) => names.includes(rule))).map(({ words, ...form }) => /** @type {[string, any]} */ ([say(words), { ...form, temperature: 1, top_k: 0, top_p: 1, prompt_mode: "text" }]));
}

/** @param {Element} container @param {any} actions */
export function createExamples(container, actions) {
  const root = html("nav", { class: "sd-examples", "aria-label": say("compare.examples") }, container);
  html("span", null, root, say("compare.examples"));
  const list = html("span", { class: "sd-examples-list" }, root);
  let made = false;
  return {
    update(view) {
      if (!made) {
        for (const [title, form] of examplesOf(view.config.rules)) html("button", { type: "button", class: "sd-link" }, list, title).addEventListener("click", () => actions.openExample(form));
        made = true;
      }
      show(root, !view.trace && view.status === "empty" && list.childElementCount > 0);
    },
  };
}
