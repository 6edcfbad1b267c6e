/** The position panel's words around the bars: weights and threshold, column heads, legend with the whole-vocabulary sums. */

import { number, sub } from "./format.js";
import { explained } from "./marks.js";
import { html, present, set, svg, text, value } from "./svg.js";

const SYMBOL = { token: "", block: "w", greedy_block: "R" };

/** s as the rule calls it at row i: "w₃", "R₃", or "" where it is 1 by definition. */
export function scaleName(rule, i) {
  const symbol = SYMBOL[rule] ?? "s";
  return symbol && symbol + sub(i);
}

/** "weight arriving w₃ → leaving w₄", and the threshold that this row's laws set. */
export function arrival(parent) {
  const span = (content) => html("span", null, parent, content);
  const weight = span();
  html("span", null, weight, "weight arriving ");
  const arriving = html("span", null, weight);
  const arrow = html("span", null, weight, " → leaving ");
  const leaving = html("span", null, weight);
  const sets = html("span", { class: "pic-sets" }, parent);
  const words = html("span", null, sets);
  const threshold = html("span", null, sets);
  const after = html("span", null, sets);
  return {
    update(view, p) {
      const { verdict, block, rule } = view;
      const base = `/blocks/${view.blockIndex}/verdicts/${rule}`;
      const i = p.index, weights = verdict.prefix_weight, scored = view.phase !== "draft";
      present(weight, Boolean(weights) && scored);
      for (const node of [arrow, leaving]) present(node, !p.bonus);
      present(sets, scored);
      if (weights) {
        explained(value(arriving, weights[i], `${base}/prefix_weight/${i}`, { before: `w${sub(i)} = `, name: `w${sub(i)}` }), "prefix_weight", { i });
        if (!p.bonus) explained(value(leaving, weights[i + 1], `${base}/prefix_weight/${i + 1}`, { before: `w${sub(i + 1)} = `, name: `w${sub(i + 1)}` }), "prefix_weight", { i: i + 1 });
      }
      const backwards = verdict.order === "right_to_left";
      const which = backwards ? i : i + 1;
      const has = verdict.accept_prob && which >= 1 && which <= block.gamma;
      present(threshold, Boolean(has));
      text(words, !verdict.accept_prob ? "This rule tosses no coins." : !has ? (backwards ? "Sets no threshold: the empty prefix needs none." : "Sets no threshold: nothing is drafted here.") : p.bonus ? "The last threshold is the weight itself: " : "This panel sets ");
      if (has) explained(value(threshold, verdict.accept_prob[which - 1], `${base}/accept_prob/${which - 1}`, { before: `h${sub(which)} = `, name: `h${sub(which)}` }), "accept_prob", { i: which });
      text(after, !has ? "" : p.bonus ? "." : backwards ? `, the threshold of prefix ${which}.` : `, the threshold of token ${which} itself.`);
    },
  };
}

/** Column heads of the butterfly: draft │ s × target │ corrected, each with a second line of words. */
export function columns(chart) {
  const make = (className, anchor) => [svg("text", { class: `pic-column ${className}`, "text-anchor": anchor }, chart), svg("text", { class: "pic-column-words", "text-anchor": anchor }, chart)];
  const draft = make("pic-text-draft", "end"), target = make("pic-text-target", "start"), law = make("pic-text-residual", "start");
  const put = ([name, words], x, visible, first, second) => {
    present(name, visible);
    present(words, visible);
    text(set(name, { x, y: 13 }), first);
    text(set(words, { x, y: 27 }), second);
  };
  return {
    update(g, p, sides, scored) {
      const times = p.coupled ? `${p.scale === 1 ? "1" : number(p.scale)} × ${p.tilde ? "T̃" : "target"}` : p.tilde ? "T̃" : "target", T = p.tilde ? "T̃" : "T";
      put(draft, g.axis - 4, sides.draft, "draft", g.narrow ? "D offered" : "D, what was offered");
      put(target, g.axis + 4, sides.target, times, p.coupled ? (g.narrow ? `s·${T}, still to give` : `s·${T}, what may still be given`) : p.bonus ? `${T}, the law of Y` : T);
      put(law, g.lawX, sides.law, "corrected", p.coupled && p.total.residual <= 0 ? "never drawn" : g.narrow ? "law of Y" : "law of Y, if cut here");
      if (!scored) put(target, g.axis + 4, !p.bonus, "target", "not scored yet");
    },
  };
}

const KINDS = [["overlap", "kept", "pic-swatch-kept"], ["excess", "over-offered", "pic-swatch-draft"], ["residual", "still wanted", "pic-swatch-residual"]];

/** Swatch, name and exact sum of the three masses; of the excess, how much is corrected here and how much stopped earlier. */
export function legend(parent) {
  const root = html("ul", { class: "pic-legend" }, parent);
  const items = KINDS.map(([kind, words, swatch]) => {
    const item = html("li", null, root);
    html("i", { class: `pic-swatch ${swatch}` }, item);
    html("span", null, item, words + " ");
    return { kind, words, sum: html("span", null, item) };
  });
  return {
    update(view, p) {
      present(root, p.coupled && view.phase !== "draft");
      if (!p.coupled) return;
      const base = `/blocks/${view.blockIndex}/verdicts/${view.rule}/rows/${p.index}`;
      for (const { kind, words, sum } of items) explained(value(sum, p.total[kind], `${base}/${kind}`, { name: `${words}, whole vocabulary` }), kind, { row: p.index, token: null });
    },
  };
}
