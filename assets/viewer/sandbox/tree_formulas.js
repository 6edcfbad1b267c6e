/** The formulas panel of the prefix tree: the chosen node's masses under both rules, with their numbers. */

import { phrase } from "../compare/measure_parts.js";
import { ruleWords } from "../rule_gallery.js";
import { FOREIGN, html, pool, set, text } from "../svg.js";
import { say } from "../words/parts/sandbox_pictures.js";
import { rulesOf, within } from "./blocks.js";
import { pictureFrame } from "./picture_frame.js";
import { captioned } from "./saving.js";
import { jointLines, nodeFormulas } from "./tree_formula_book.js";

/** @param {Element} container @param {any} actions */
export function createTreeFormulas(container, actions) {
  const { root, heading, caption, body, instead } = pictureFrame(container, {
    name: "tree-formulas",
    title: say("picture.formulas.title"),
    about: say("picture.formulas.about", { size: "|v|" }),
  });
  const joint = html("div", { class: "pic-formula", ...FOREIGN }, body), jointPool = linesIn(joint);
  const columns = html("div", { class: "sbx-formula-columns" }, body);
  const sections = pool(() => {
    const section = html("div", { class: "sbx-formulas" }, columns);
    const title = html("p", { class: "pic-formula-title" }, section), lines = html("div", { class: "pic-formula", ...FOREIGN }, section), note = html("p", { class: "pic-note" }, section);
    return { root: section, title, lines: linesIn(lines), note };
  });
  void actions;
  return {
    update(view) {
      if (!view.picture) return instead(say("picture.formulas.waits"));
      instead(null);
      const { picture } = view, chosen = within(view.selected, picture).prefix, prefix = chosen === null ? "A" : chosen, rules = rulesOf(view);
      text(heading, prefix ? say("picture.formulas.of", { prefix }) : say("picture.formulas.of_root"));
      text(caption, captioned(view, say(chosen === null ? "picture.formulas.first" : "picture.formulas.caption")));
      set(root, { "data-prefix": prefix, "data-stale": view.old, "data-pending": view.pending.picture });
      jointPool(jointLines(picture, prefix));
      const drawn = rules[0] === rules[1] ? [rules[0]] : rules;
      sections.take(drawn.length).forEach(({ root: section, title, lines, note }, k) => {
        const found = nodeFormulas(picture, drawn[k], prefix);
        set(section, { "data-rule": drawn[k] });
        text(title, ruleWords(drawn[k]));
        lines(found.lines);
        text(note, found.words.join(" "));
      });
    },
  };
}

/** Formula lines in a node; returns a function of them. @param {Element} parent */
function linesIn(parent) {
  const lines = pool(() => {
    const root = html("p", { class: "pic-formula-line" }, parent);
    return { root, tell: phrase(root) };
  });
  return (found) => lines.take(found.length).forEach((line, k) => line.tell(found[k]));
}
