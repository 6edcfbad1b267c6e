/**
 * The block lane: a column for each drafted token, one more for a bonus, and the one thick line behind the kept ones.
 * In a column: token, the token that replaced it, weight bar, and the gauge on which the coin falls.
 */

import { inWindow, joining, roles } from "./derive.js";
import { createColumn } from "./column.js";
import { createWords } from "./words.js";
import { beforePaint } from "./paint.js";
import { ruleWords } from "./rule_names.js";
import { html, set, show, text } from "./svg.js";
import { say } from "./words/parts/step.js";

/** @param {Element} container @param {any} actions */
export function createLane(container, actions) {
  const root = html("section", { class: "sd-lane sd-panel", "aria-label": say("step.lane") }, container);
  const head = html("div", { class: "sd-lane-head" }, root);
  html("h3", null, head, say("step.lane.title"));
  const caption = html("p", { class: "sd-caption" }, head);
  const whatIf = html("span", { class: "sd-whatif" }, head);
  const whatIfWords = html("b", null, whatIf);
  const reset = html("button", { type: "button", class: "sd-link", id: "reset-drag" }, whatIf, say("step.reset"));
  reset.addEventListener("click", () => actions.resetDrag());
  const other = html("span", { class: "sd-other-rule", role: "status" }, head);
  const otherWords = html("span", null, other);
  const go = html("button", { type: "button", id: "continue-here", class: "sd-button small", "aria-describedby": "continue-note" }, other);
  const note = html("span", { id: "continue-note" }, other, say("step.continue.note"));
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
      text(whatIfWords, view.whatIf ? say("step.what_if") : "");
      show(whatIf, Boolean(view.whatIf));
      const foreign = view.rule !== block.verifier, barred = foreign && inWindow(block);
      const absent = !foreign && !view.saved && view.changed.includes("verifier") && !Object.hasOwn(block.verdicts, view.form.verifier);
      show(other, foreign || absent);
      text(otherWords, absent ? say("step.no_verdict", { rule: ruleWords(view.form.verifier), owner: ruleWords(block.verifier), restart: say("step.restart") }) : foreign ? say("step.verdict_of", { rule: ruleWords(view.rule), owner: ruleWords(block.verifier) }) + (barred ? inWindowWords(view.trace, block) : "") : "");
      for (const part of [go, note]) show(part, foreign && !barred && !view.saved);
      text(go, foreign ? say("step.continue", { rule: ruleWords(view.rule) }) : "");
      set(go, { disabled: view.status === "decoding" || view.status === "loading", title: say("step.continue.title") });
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

/** Why no other rule may decide this block, and where one may. */
export function inWindowWords(trace, block) {
  const at = trace.blocks.indexOf(block);
  const free = (other) => other && other.verifier === block.verifier && !inWindow(other);
  const before = trace.blocks.slice(0, at).findLast(free), after = trace.blocks.slice(at).find(free);
  const numberOf = (other) => trace.blocks.indexOf(other) + 1, slots = { rule: ruleWords(block.verifier), before: numberOf(before), after: numberOf(after) };
  if (before && after) return say("step.in_window_both", slots);
  return say(before ? "step.in_window_before" : after ? "step.in_window_after" : "step.in_window", slots);
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
  const word = past && place <= accepted ? say("step.fate.past") : revealed.cut ? say(`step.fate.${role.role}`) : !looked ? "" : say(passed ? "step.fate.passed" : "step.fate.failed");
  return { fate, word, now, looked, passed, waiting, notNeeded: revealed.cut && !looked, gone: revealed.cut && place > accepted };
}

function captionOf(view) {
  const { block, verdict } = view;
  if (block.gamma === 0) return say("step.lane.empty");
  if (view.phase === "draft") return say(block.gamma === 1 ? "step.lane.draft_one" : "step.lane.draft");
  if (view.phase === "score") return say("step.lane.score");
  if (!verdict.accept_prob) return say("step.lane.no_coins");
  if (verdict.order === "right_to_left") return say("step.lane.backwards");
  return say(view.rule === "token" ? "step.lane.forwards_token" : "step.lane.forwards");
}

