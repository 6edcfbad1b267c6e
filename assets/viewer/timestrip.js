/**
 * The time strip: this block's measured draft steps and target call, against plain decoding of the same tokens.
 * A plain step is not measured in a block; what is drawn for it is an upper bound, and the words say so.
 */

import { joining } from "./derive.js";
import { milliseconds, number, numeric } from "./format.js";
import { frame } from "./marks.js";
import { html, onWidth, pool, present, set, svg, text, tip, value } from "./svg.js";
import { say } from "./words/parts/step_pictures.js";
import { pieces } from "./words/pieces.js";

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

/** Whether the end of the text cuts the block, so that fewer tokens are shown than were gained. */
const isCut = (view) => !view.whatIf && joining(view.trace, view.block, view.verdict) < view.accepted + 1;

/** @param {Element} container @param {object} actions */
export function createTimestrip(container, actions) {
  const { caption, body, instead } = frame(container, {
    name: "timestrip",
    title: say("drawn.time.title"),
    about: say("drawn.time.about"),
  });
  const first = html("p", { class: "pic-strip-words" }, body);
  const top = createStrip(body);
  const second = html("p", { class: "pic-strip-words" }, body);
  const bottom = createStrip(body);
  const put = { first: words(first), second: words(second) };
  let last = null, width = 0;
  onWidth(body, (w) => {
    width = w;
    if (last) draw();
  });

  function draw() {
    const t = times(last.block), tokens = last.accepted + 1, known = last.revealed.cut && !last.predicting;
    const scored = last.phase !== "draft";
    const plain = tokens * t.target, longest = Math.max(t.total, known ? plain : 0, 1e-9), base = `/blocks/${last.blockIndex}/timings`;
    const bars = t.steps.map((ms, i) => ({ ms, className: "pic-fill-draft", path: `${base}/draft_steps/${i}`, name: say("drawn.time.step", { number: i + 1 }) }));
    if (scored) bars.push({ ms: t.target, className: "pic-fill-target", path: `${base}/target`, name: say("drawn.time.call") }, { ms: t.other, className: "pic-fill-rejected", path: "derived:other_time", name: say("drawn.time.rest") });
    top.draw(bars, longest, width, say("drawn.time.label", { times: bars.map((b) => `${b.name} ${milliseconds(b.ms)}`).join(", ") }));
    put.first(pieces(scored ? "drawn.time.block" : "drawn.time.drafting", {
      count: t.steps.length, draft: { ms: t.draft, path: "derived:draft_time" }, target: { ms: t.target, path: `${base}/target` }, other: { ms: t.other, path: "derived:other_time" }, total: { ms: t.total, path: "derived:block_time" },
    }));
    present(second, known);
    present(bottom.root, known);
    if (!known) return;
    bottom.draw(Array.from({ length: tokens }, (_, i) => ({ ms: t.target, className: "pic-fill-target pic-assumed", path: "derived:plain_step", name: say("drawn.time.plain", { number: i + 1 }) })), longest, width, say("drawn.time.plain_label", { count: tokens, time: milliseconds(plain) }));
    put.second(pieces(isCut(last) ? "drawn.time.decoding_cut" : "drawn.time.decoding", { count: tokens, time: { ms: plain, path: "derived:plain_time" } }));
  }

  return {
    update(view) {
      last = null;
      if (!view.block) return instead(say("drawn.nothing"));
      const t = times(view.block);
      if (!t) return instead(say("drawn.time.none"));
      instead(null);
      last = view;
      const tokens = view.accepted + 1, plain = tokens * t.target, known = view.revealed.cut && !view.predicting;
      const outcome = (plain > t.total ? "faster" : "slower") + (isCut(view) ? "_cut" : "");
      text(caption, !known ? say("drawn.time.compare") : say(`drawn.time.${outcome}`, { count: tokens, time: milliseconds(t.total), factor: number(plain / t.total) }));
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
    } else value(span, parts[n].ms, parts[n].path, { format: milliseconds });
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
