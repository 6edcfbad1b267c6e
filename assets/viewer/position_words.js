/** The position panel's words around the bars: weights and threshold, column heads, legend with the whole-vocabulary sums. */

import { number, numeric, ROUNDING, sub } from "./format.js";
import { explained } from "./marks.js";
import { html, present, set, svg, text, value } from "./svg.js";
import { say } from "./words/parts/step_pictures.js";
import { around } from "./words/pieces.js";

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
  html("span", null, weight, say("drawn.position.weight"));
  const arriving = html("span", null, weight);
  const arrow = html("span", null, weight, say("drawn.position.leaving"));
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
      const [before, behind] = !has ? [say(!verdict.accept_prob ? "drawn.position.no_coins" : backwards ? "drawn.position.sets_none_prefix" : "drawn.position.sets_none"), ""]
        : around(p.bonus ? "drawn.position.sets_last" : backwards ? "drawn.position.sets_prefix" : "drawn.position.sets_token", { i: which }, ["threshold"]);
      text(words, before);
      if (has) explained(value(threshold, verdict.accept_prob[which - 1], `${base}/accept_prob/${which - 1}`, { before: `h${sub(which)} = `, name: `h${sub(which)}` }), "accept_prob", { i: which });
      // Between two models that agree w leaves 1 by their rounding alone, and h = A / (A + (1 − w)) is noise, though rightly computed.
      const lack = weights && 1 - numeric(weights[i]);
      const close = has && !p.bonus && backwards && lack > 0 && lack < ROUNDING && p.total.residual < ROUNDING;
      text(after, behind + (close ? say("drawn.position.rounding") : ""));
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
      const times = p.coupled ? p.tilde ? `${p.scale === 1 ? "1" : number(p.scale)} × T̃` : say("drawn.position.head.times", { scale: p.scale === 1 ? "1" : number(p.scale) }) : p.tilde ? "T̃" : say("drawn.position.head.target"), T = p.tilde ? "T̃" : "T";
      put(draft, g.axis - 4, sides.draft, say("drawn.position.head.draft"), say(g.narrow ? "drawn.position.head.draft_short" : "drawn.position.head.draft_words"));
      put(target, g.axis + 4, sides.target, times, p.coupled ? say(g.narrow ? "drawn.position.head.give_short" : "drawn.position.head.give", { T }) : p.bonus ? say("drawn.position.head.law_of", { T }) : T);
      put(law, g.lawX, sides.law, say("drawn.position.head.corrected"), say(p.coupled && p.total.residual <= 0 ? "drawn.position.head.never" : g.narrow ? "drawn.position.head.law_short" : "drawn.position.head.law"));
      if (!scored) put(target, g.axis + 4, !p.bonus, say("drawn.position.head.target"), say("drawn.position.head.unscored"));
    },
  };
}

const KINDS = [["overlap", "drawn.kept", "pic-swatch-kept"], ["excess", "drawn.over", "pic-swatch-draft"], ["residual", "drawn.wanted", "pic-swatch-residual"]];

/** Swatch, name and exact sum of the three masses; of the excess, how much is corrected here and how much stopped earlier. */
export function legend(parent) {
  const root = html("ul", { class: "pic-legend" }, parent);
  const items = KINDS.map(([kind, key, swatch]) => {
    const words = say(key);
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
      for (const { kind, words, sum } of items) explained(value(sum, p.total[kind], `${base}/${kind}`, { name: say("drawn.position.whole", { kind: words }) }), kind, { row: p.index, token: null });
    },
  };
}
