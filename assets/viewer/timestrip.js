/**
 * The time strip: this block's measured draft steps and target call, against plain decoding of the same tokens.
 * A plain step is not measured in a block; what is drawn for it is an upper bound, and the words say so.
 */

import { joining } from "./derive.js";
import { milliseconds, number, numeric, plural } from "./format.js";
import { frame } from "./marks.js";
import { html, onWidth, pool, present, set, svg, text, tip, value } from "./svg.js";

const BAR = 16;

/** Durations of one block in milliseconds, or null where the trace holds none. */
export function times(block) {
  const t = block.timings;
  if (!t || !(numeric(t.target) >= 0)) return null;
  const steps = (t.draft_steps || []).map(numeric);
  const drafting = Number.isFinite(numeric(t.draft)) ? numeric(t.draft) : steps.reduce((a, b) => a + b, 0);
  const between = Math.max(0, drafting - steps.reduce((a, b) => a + b, 0));
  const other = between + (numeric(t.verify) || 0) + (numeric(t.rest) || 0);
  return { steps, draft: steps.reduce((a, b) => a + b, 0), target: numeric(t.target), other, total: steps.reduce((a, b) => a + b, 0) + numeric(t.target) + other };
}

/** What the count of tokens is, where the end of the text cuts the block. */
const whichCount = (view) => (!view.whatIf && joining(view.trace, view.block, view.verdict) < view.accepted + 1 ? " gained (before the end cut)" : "");

/** @param {Element} container @param {object} actions */
export function createTimestrip(container, actions) {
  const { caption, body, instead } = frame(container, {
    name: "timestrip",
    title: "What the block cost",
    about: "The upper strip is measured: the draft’s steps one after another, one target call on all positions of the block at once, and the rest (verification, bookkeeping). "
      + "The lower strip is what plain decoding would need at most for the same tokens: one target call a token, each taken as long as this block’s call. "
      + "A call on one position costs no more than a call on several, so the saving shown is the most it can be.",
  });
  const first = html("p", { class: "pic-strip-words" }, body);
  const top = createStrip(body);
  const second = html("p", { class: "pic-strip-words" }, body);
  const bottom = createStrip(body);
  const say = { first: words(first), second: words(second) };
  let last = null, width = 0;
  onWidth(body, (w) => {
    width = w;
    if (last) draw();
  });

  function draw() {
    const t = times(last.block), tokens = last.accepted + 1, known = last.revealed.cut && !last.predicting;
    const scored = last.phase !== "draft";
    const plain = tokens * t.target, longest = Math.max(t.total, known ? plain : 0, 1e-9), base = `/blocks/${last.blockIndex}/timings`;
    const bars = t.steps.map((ms, i) => ({ ms, className: "pic-fill-draft", path: `${base}/draft_steps/${i}`, name: `draft step ${i + 1}` }));
    if (scored) bars.push({ ms: t.target, className: "pic-fill-target", path: `${base}/target`, name: "target call" }, { ms: t.other, className: "pic-fill-rejected", path: "derived:other_time", name: "verification and the rest" });
    top.draw(bars, longest, width, `This block: ${bars.map((b) => `${b.name} ${milliseconds(b.ms)}`).join(", ")}.`);
    say.first(["this block: ", [t.draft, "derived:draft_time"], ` for ${plural(t.steps.length, "draft step")}`, ...(scored ? [" + ", [t.target, `${base}/target`], " for one target call + ", [t.other, "derived:other_time"], " for verification and the rest = ", [t.total, "derived:block_time"]] : [])]);
    present(second, known);
    present(bottom.root, known);
    if (!known) return;
    bottom.draw(Array.from({ length: tokens }, (_, i) => ({ ms: t.target, className: "pic-fill-target pic-assumed", path: "derived:plain_step", name: `plain step ${i + 1}, at most` })), longest, width, `Plain decoding of ${plural(tokens, "token")}: at most ${milliseconds(plain)}.`);
    say.second([`plain decoding of the same ${plural(tokens, "token")}${whichCount(last)}: at most `, [plain, "derived:plain_time"]]);
  }

  return {
    update(view) {
      last = null;
      if (!view.block) return instead("Nothing decoded yet: take a step.");
      const t = times(view.block);
      if (!t) return instead("This trace holds no times.");
      instead(null);
      last = view;
      const tokens = view.accepted + 1, plain = tokens * t.target, known = view.revealed.cut && !view.predicting;
      text(caption, !known ? "Compare the short draft steps with the one target call that checks them all."
        : `${plural(tokens, "token")}${whichCount(view)} in ${milliseconds(t.total)}; a plain step was not measured but costs at most this block’s target call, so ${plain > t.total ? `the block was at most ${number(plain / t.total)} times as fast` : "plain decoding would have been no slower here"}.`);
      if (width) draw();
    },
  };
}

/** Running text with numbers in it, rebuilt only when its shape changes. */
function words(parent) {
  const spans = pool(() => html("span", null, parent));
  return (parts) => spans.take(parts.length).forEach((span, n) => {
    if (typeof parts[n] === "string") {
      set(span, { "data-path": null, "data-value": null, title: null });
      text(span, parts[n]);
    } else value(span, parts[n][0], parts[n][1], { format: milliseconds });
  });
}

function createStrip(parent) {
  const root = svg("svg", { class: "pic-chart", role: "img" }, parent);
  const rects = pool(() => svg("rect", { "data-kind": "time" }, root));
  return {
    root,
    draw(bars, longest, width, label) {
      let x = 0;
      rects.take(bars.length).forEach((rect, n) => {
        const { ms, className, path, name } = bars[n], w = (ms / longest) * width;
        set(rect, { x, y: 1, height: BAR, width: Math.max(w - 1, w > 0 ? 0.5 : 0), class: className, "data-value": ms, "data-path": path });
        tip(rect, `${name}: ${milliseconds(ms)}`);
        x += w;
      });
      set(root, { width, height: BAR + 2, viewBox: `0 0 ${width} ${BAR + 2}`, "aria-label": label });
    },
  };
}
