/**
 * The block lane: a column for each drafted token, one more for a bonus, and the one thick line behind the kept ones.
 * In a column: token, the token that replaced it, weight bar, and the gauge on which the coin falls.
 */

import { inWindow, joining, roles } from "./derive.js";
import { createColumn } from "./column.js";
import { createWords } from "./words.js";
import { beforePaint } from "./paint.js";
import { html, set, show, text } from "./svg.js";

const WORDS = { carried: "kept", rescued: "rescued", decides: "decides", struck: "rejected", unneeded: "not needed" };

/** @param {Element} container @param {any} actions */
export function createLane(container, actions) {
  const root = html("section", { class: "sd-lane sd-panel", "aria-label": "The drafted block" }, container);
  const head = html("div", { class: "sd-lane-head" }, root);
  html("h3", null, head, "Which prefix survives?");
  const caption = html("p", { class: "sd-caption" }, head);
  const whatIf = html("span", { class: "sd-whatif" }, head);
  const whatIfWords = html("b", null, whatIf);
  const reset = html("button", { type: "button", class: "sd-link", id: "reset-drag" }, whatIf, "reset");
  reset.addEventListener("click", () => actions.resetDrag());
  const other = html("span", { class: "sd-other-rule", role: "status" }, head);
  const otherWords = html("span", null, other);
  const go = html("button", { type: "button", id: "continue-here", class: "sd-button small" }, other);
  go.addEventListener("click", () => actions.continueHere());
  const body = html("div", { class: "sd-lane-body" }, root);
  const scroller = html("div", { class: "sd-columns", tabindex: "-1" }, body);
  const row = html("div", { class: "sd-columns-row" }, scroller);
  const cut = html("div", { class: "sd-cut", "aria-hidden": "true" }, row);
  const words = createWords(body, actions);
  const columns = [];

  function take(count) {
    while (columns.length < count) columns.push(createColumn(columns.length, actions));
    columns.forEach((column, i) => {
      if (i < count && column.root.parentNode !== row) row.append(column.root);
      else if (i >= count) column.root.remove();
    });
    return columns.slice(0, count);
  }

  return {
    update(view) {
      const { block, verdict, accepted, revealed } = view;
      show(root, Boolean(block));
      if (!block) return;
      const gamma = block.gamma;
      const bonus = revealed.next && accepted === gamma;
      const list = take(gamma + (bonus ? 1 : 0));
      const dims = roles(block, verdict, view.uniforms);
      const end = view.phase === "commit" && !view.whatIf ? joining(view.trace, block, verdict) : Infinity; // of the text, where it falls in this block
      const waiting = view.phase === "draft" || view.phase === "score";
      list.forEach((column, i) => column.update(view, i < gamma ? stateOf(view, i, dims[i], waiting, i >= end) : { bonus: true, past: i >= end }));
      set(row, { style: `--slots:${Math.max(gamma + 1, 5)}` });
      text(caption, captionOf(view));
      text(whatIfWords, view.whatIf ? "What if: " : "");
      show(whatIf, Boolean(view.whatIf));
      const foreign = view.rule !== block.verifier, barred = foreign && inWindow(block);
      show(other, foreign);
      text(otherWords, foreign ? `Verdict of ${ruleWords(view.rule)}; ${ruleWords(block.verifier)} decided this block. ` + (barred ? inWindowWords(view.trace, block) : "") : "");
      show(go, foreign && !barred && !view.saved);
      text(go, foreign ? `Continue from here with ${ruleWords(view.rule)}` : "");
      set(go, { disabled: view.status === "decoding" || view.status === "loading", title: "decide this block anew with this rule, on the same draft and uniforms, and go on from there" });
      set(cut, { style: `--at: ${revealed.cut ? accepted : 0};`, hidden: !revealed.cut });
      set(cut, { "data-at": revealed.cut ? accepted : null });
      words.update(view);
      const chosen = list[view.position];
      if (chosen) beforePaint(scroller, () => scroll(chosen.root));
    },
  };

  /** The chosen column in the middle, where the lane is longer than its place. */
  function scroll(box) {
    if (scroller.scrollWidth > scroller.clientWidth) scroller.scrollLeft = Math.max(0, box.offsetLeft - (scroller.clientWidth - box.offsetWidth) / 2);
  }
}

const ruleWords = (rule) => rule.replace(/_/g, " ");

/** Why no other rule may decide this block, and where one may. */
export function inWindowWords(trace, block) {
  const at = trace.blocks.indexOf(block);
  const free = (other) => other && other.verifier === block.verifier && !inWindow(other);
  const before = trace.blocks.slice(0, at).findLast(free), after = trace.blocks.slice(at).find(free);
  const places = [before, after].flatMap((other) => (other ? [trace.blocks.indexOf(other) + 1] : [])).join(" or ");
  return `${ruleWords(block.verifier)} is inside its modified window here: what it owes, only it can pay. Another rule can take over ${places ? `at block ${places}` : ""}${after ? "." : `${places ? ", or " : ""}when the window has closed.`}`;
}

/** What a drafted column shows in this phase. */
function stateOf(view, i, role, waiting, past) {
  const place = i + 1;
  const { coins, tried, revealed, accepted } = view;
  const at = coins.indexOf(place);
  const looked = view.phase === "verify" ? at >= 0 && at < tried : !waiting && at >= 0;
  const now = view.phase === "verify" && at === tried - 1;
  const passed = looked && view.uniforms[i] < view.verdict.accept_prob[i];
  let fate = "";
  if (revealed.cut) fate = role.role;
  else if (looked) fate = view.verdict.order === "right_to_left" || !passed ? "struck" : "carried";
  const word = past && place <= accepted ? "past the end" : revealed.cut ? WORDS[role.role] : !looked ? "" : passed ? "passed" : "failed";
  return { fate, word, now, looked, passed, waiting, notNeeded: revealed.cut && !looked, gone: revealed.cut && place > accepted };
}

function captionOf(view) {
  const { block, verdict } = view;
  if (block.gamma === 0) return "Nothing was drafted here: one plain step of the target.";
  if (view.phase === "draft") return block.gamma === 1 ? "The draft model proposed this token." : "The draft model proposed these tokens, one after another.";
  if (view.phase === "score") return "One target call gave T for all of them. The filled zone of a gauge, 0 up to the threshold h, is where its coin η must fall.";
  if (!verdict.accept_prob) return "This rule tosses no coins: it compares tokens.";
  return verdict.order === "right_to_left"
    ? "From the right: the first coin η inside its zone (below h) drops the line. All before it is kept, even tokens that failed their own test."
    : `From the left: each coin η must lie inside its zone, below h${view.rule === "token" ? " = min(1, r)" : ""}. The first one outside stops the block.`;
}

