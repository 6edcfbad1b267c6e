/**
 * The formulas panel: the formula behind the number that was clicked, with this step's numbers.
 * `actions.explain(name, args)` should end in `show(name, args)`; names and args are those of formula_book.js.
 */

import { formula } from "./formula_book.js";
import { clicks, frame } from "./marks.js";
import { FOREIGN, html, pool, present, set, text, value } from "./svg.js";
import { say } from "./words/parts/step_formulas.js";

/** The keyboard's way to every formula: name, its sign where that says enough, and whether the bonus row has it. @type {[string, string|null, boolean][]} */
const LIST = [
  ["accept_prob", null, false], ["prefix_weight", null, false], ["ratio", null, false], ["residual", null, false], ["overlap", null, false],
  ["stopped", null, false], ["length_law", "P(τ)", true], ["expected_accepted", "E[τ]", true], ["tv", "TV", false], ["entropy", null, true],
];

/** @param {Element} container @param {object} actions */
export function createFormulas(container, actions) {
  const { root, caption, body, instead } = frame(container, {
    name: "formulas",
    title: say("formula.panel"),
    about: say("formula.about"),
  });
  const title = html("p", { class: "pic-formula-title", ...FOREIGN }, body);
  const live = html("div", { class: "pic-formula", "aria-live": "polite", ...FOREIGN }, body);
  const lines = pool(() => {
    const node = html("p", { class: "pic-formula-line" }, live);
    return { root: node, bits: pool(() => html("span", null, node)) };
  });
  const words = html("p", { class: "pic-note" }, body);
  const list = html("div", { class: "pic-formula-list", role: "group", "aria-label": say("formula.list") }, body);
  const buttons = LIST.map(([name, sign]) => {
    const button = html("button", { type: "button", "data-formula": name, "aria-pressed": "false" }, list, sign || say(`formula.button.${name}`));
    button.addEventListener("click", () => open(name, {}));
    return button;
  });
  clicks(root, actions);
  let last = null, asked = null, seen = null;

  function open(name, args) {
    asked = { name, args: args || {} };
    if (last) draw();
  }

  /** What to show without being asked: the threshold that this position's laws set. */
  function usual(view) {
    const { verdict, position, block } = view;
    const i = verdict.order === "right_to_left" ? position : position + 1;
    if (!verdict.accept_prob || i < 1 || i > block.gamma) return position < block.gamma ? { name: "prefix_weight", args: { i: position + 1 } } : { name: "entropy", args: { row: position } };
    return { name: "accept_prob", args: { i } };
  }

  function draw() {
    const wanted = asked || usual(last);
    const found = formula(last, wanted.name, wanted.args) || formula(last, "entropy", { row: last.position });
    text(title, found.title);
    lines.take(found.lines.length).forEach((line, n) => {
      const parts = found.lines[n];
      line.bits.take(parts.length).forEach((span, k) => {
        const bit = parts[k];
        if (typeof bit === "string") {
          set(span, { class: null, "data-path": null, "data-value": null, title: null });
          text(span, bit);
        } else value(set(span, { class: "pic-figure" }), bit.x, bit.path, { format: bit.format });
      });
    });
    text(words, found.words || "");
    buttons.forEach((button, n) => {
      present(button, LIST[n][2] || last.position < last.block.gamma);
      set(button, { "aria-pressed": String(button.dataset.formula === wanted.name) });
    });
  }

  return {
    show: open,
    update(view) {
      last = null;
      if (!view.block) return instead(say("formula.nothing"));
      if (view.phase === "draft") return instead(say("formula.unscored"));
      instead(null);
      const place = `${view.blockIndex} ${view.rule}`;
      if (asked && seen !== null) {
        // A formula stays while one looks at where it belongs, and goes when one looks elsewhere.
        const found = seen === place ? formula(view, asked.name, asked.args) : null;
        if (!found || (found.rows.length && !found.rows.includes(view.position))) asked = null;
      }
      seen = place;
      last = view;
      text(caption, say("formula.caption"));
      draw();
    },
  };
}
