/** The sentences of the page: the headline of a block (also for screen readers), what differs, and the chosen position in words. */

import { appendPart } from "../sentence.js";
import { html, set, show, text } from "../svg.js";
import { cautionWords, headline, positionWords, sentences } from "./words.js";

const placeOf = (view) => ({
  block: view.block, blockIndex: view.blockIndex, rules: view.rules, follow: view.follow, known: view.config.rules,
  temperature: view.trace.settings.temperature, pieces: view.pieces,
});

/** Writes parts into a node, only where they have changed. @param {Element} node */
function writer(node) {
  let before = "";
  return (parts, view) => {
    const signature = JSON.stringify(parts);
    if (signature === before) return;
    before = signature;
    node.textContent = "";
    for (const part of parts) appendPart(node, part, view.pieces);
  };
}

/** @param {Element} container */
export function createHeadline(container) {
  const root = html("p", { class: "sd-sentence", id: "compare-sentence", "aria-live": "polite", "aria-atomic": "true" }, container);
  const write = writer(root);
  return {
    update(view) {
      write(view.block ? headline(placeOf(view), view.trace.blocks.length) : [], view);
      set(root, { "data-empty": !view.block });
    },
    words: () => root.textContent,
  };
}

/** @param {Element} container */
export function createDifferences(container) {
  const root = html("div", { class: "cmp-differences", id: "compare-differences", "aria-live": "polite" }, container);
  const list = html("ul", null, root);
  /** @type {{root: Element, write: Function}[]} */
  const items = [];
  return {
    update(view) {
      const said = view.block && view.block.verdicts[view.follow] ? sentences(placeOf(view)) : [];
      while (items.length < said.length) {
        const item = html("li", null, list);
        items.push({ root: item, write: writer(item) });
      }
      for (const extra of items.splice(said.length)) extra.root.remove();
      said.forEach(({ rule, parts }, n) => {
        items[n].write(parts, view);
        set(items[n].root, { "data-rule": rule || null });
      });
      show(root, said.length > 0);
    },
    words: () => items.map((item) => item.root.textContent).join(" "),
  };
}

/** @param {Element} container */
export function createPositionWords(container) {
  const root = html("div", { class: "cmp-foot" }, container);
  const words = html("p", { id: "compare-position" }, root), write = writer(words);
  const caption = html("p", { class: "sd-caption" }, root);
  return {
    update(view) {
      show(root, Boolean(view.block));
      write(view.block ? positionWords(placeOf(view), view.position) : [], view);
      text(caption, view.block ? cautionWords(placeOf(view)) : "");
    },
  };
}
