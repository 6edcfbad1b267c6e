/** The sentences of the page: the headline of a block (also for screen readers), what differs, and the chosen position in words. */

import { ruleWords } from "../rule_gallery.js";
import { appendPart } from "../sentence.js";
import { html, set, show, text } from "../svg.js";
import { say } from "../words/parts/column.js";
import { afreshWords, cautionWords, headline, plainWords, positionWords, sentences, sharedWords } from "./words.js";

const placeOf = (view) => ({
  trace: view.trace, block: view.block, blockIndex: view.blockIndex, rules: view.rules, follow: view.follow, known: view.config.rules,
  temperature: view.trace.settings.temperature, pieces: view.pieces,
});

/** Writes parts into a node, only where they have changed. @param {Element} node @param {(rule: string) => void} [go] to a rule's column */
function writer(node, go) {
  let before = "";
  return (parts, view) => {
    const signature = JSON.stringify(parts);
    if (signature === before) return;
    before = signature;
    node.textContent = "";
    for (const part of parts) {
      if (typeof part !== "string" && "rule" in part) html("button", { type: "button", class: "cmp-go", disabled: true }, node, ruleWords(part.rule)).addEventListener("click", () => go(part.rule));
      else appendPart(node, part, view.pieces);
    }
  };
}

/** @param {Element} container */
export function createHeadline(container) {
  const root = html("p", { class: "sd-sentence", id: "compare-sentence", "aria-live": "polite", "aria-atomic": "true" }, container);
  const write = writer(root);
  let words = "";
  return {
    update(view) {
      const parts = view.block ? headline(placeOf(view), view.trace.blocks.length) : [];
      write(parts, view);
      words = plainWords(parts, view.pieces);
      set(root, { "data-empty": !view.block });
    },
    words: () => words,
  };
}

/** @param {Element} container @param {(rule: string) => void} go brings a rule's column into sight */
export function createDifferences(container, go) {
  const root = html("div", { class: "cmp-differences", id: "compare-differences", "aria-live": "polite" }, container);
  const list = html("ul", null, root);
  /** @type {{root: Element, write: Function}[]} */
  const items = [];
  let words = "", hidden = [];
  /** A rule's name is a button where its column is out of sight; not written anew, so that it is not read out again. */
  function mark() {
    for (const { root: item } of items) {
      const button = item.querySelector(".cmp-go"), out = hidden.includes(item.getAttribute("data-rule"));
      if (button) set(button, { disabled: !out, title: out ? say("column.bring") : null });
    }
  }
  return {
    /** @param {string[]} rules whose columns are out of sight */
    hide(rules) {
      hidden = rules;
      mark();
    },
    update(view) {
      const said = view.block && view.block.verdicts[view.follow] ? sentences(placeOf(view)) : [];
      while (items.length < said.length) {
        const item = html("li", null, list);
        items.push({ root: item, write: writer(item, go) });
      }
      for (const extra of items.splice(said.length)) extra.root.remove();
      said.forEach(({ rule, parts }, n) => {
        items[n].write(parts, view);
        set(items[n].root, { "data-rule": rule || null });
      });
      mark();
      words = said.map(({ parts }) => plainWords(parts, view.pieces)).join(" ");
      show(root, said.length > 0);
    },
    words: () => words,
  };
}

/** @param {Element} container */
export function createPositionWords(container) {
  const root = html("div", { class: "cmp-foot" }, container);
  const words = html("p", { id: "compare-position" }, root), write = writer(words);
  const shared = html("p", { id: "compare-shared" }, root), writeShared = writer(shared); // where the table has no room for them
  const afresh = html("p", { class: "sd-caption", id: "compare-afresh" }, root);
  const caption = html("p", { class: "sd-caption" }, root);
  return {
    update(view) {
      show(root, Boolean(view.block));
      write(view.block ? positionWords(placeOf(view), view.position) : [], view);
      writeShared(view.block ? sharedWords(placeOf(view), view.position) : [], view);
      text(afresh, view.block ? afreshWords(placeOf(view)) : "");
      show(afresh, afresh.textContent !== "");
      text(caption, view.block ? cautionWords(placeOf(view)) : "");
    },
    words: () => afresh.textContent,
  };
}
