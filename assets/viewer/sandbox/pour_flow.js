/**
 * Three stacks of mass 1: the draft's law, what comes out, the target's law. The overlap runs across; the excess runs through one
 * knot, because where a token goes does not depend on where it comes from. The draft's parts are sliders.
 */

import { number } from "../format.js";
import { hatch } from "../marks.js";
import { pool, present, set, svg, text, tip, value } from "../svg.js";
import { say } from "../words/parts/sandbox.js";
import { movable, takeFocused } from "./dragging.js";
import { pour } from "./pour.js";

const TOP = 22, HEIGHT = 190, GAP = 5, NODE = 24, LINE = 13; // px

const ribbon = (x1, y1, x2, y2, h) => {
  const bend = (x1 + x2) / 2, c = (n) => n.toFixed(1);
  return `M${c(x1)} ${c(y1)}C${c(bend)} ${c(y1)} ${c(bend)} ${c(y2)} ${c(x2)} ${c(y2)}V${c(y2 + h)}C${c(bend)} ${c(y2 + h)} ${c(bend)} ${c(y1 + h)} ${c(x1)} ${c(y1 + h)}Z`;
};

/** The tops of a stack's parts. @param {number[]} masses */
function topsOf(masses) {
  let y = TOP;
  return masses.map((mass) => {
    const top = y;
    y += mass * HEIGHT + GAP;
    return top;
  });
}

/** Label lines at the middles of a stack's parts, none on another. */
function linesOf(tops, masses, bottom) {
  const out = [];
  for (let i = 0; i < masses.length; i++) out.push(Math.max(tops[i] + (masses[i] * HEIGHT) / 2 + 4, i ? out[i - 1] + LINE : TOP + 9));
  for (let i = masses.length - 1, floor = bottom; i >= 0; i--, floor -= LINE) out[i] = Math.min(out[i], floor);
  return out;
}

/** @param {Element} parent @param {any} actions drag(symbol, share, moving), rest(), choose(symbol) */
export function createPourFlow(parent, actions) {
  const root = svg("svg", { class: "pic-chart sb-flow", role: "group" }, parent);
  const defs = svg("defs", null, root), arrived = hatch(defs, "pic-hatch-residual", { step: 4, angle: -45 });
  const layer = () => svg("g", null, root);
  const layers = { bands: layer(), stacks: layer(), labels: layer(), parts: layer() };
  const band = (className, kind) => pool(() => svg("path", { class: `pic-band ${className}`, "data-kind": kind }, layers.bands));
  const bands = { overlap: band("pic-fill-kept", "overlap"), excess: band("pic-band-residual", "excess"), arriving: band("pic-band-residual", "arriving") };
  const boxes = (className) => pool(() => svg("rect", { class: className, width: NODE }, layers.stacks));
  const stacks = { kept: boxes("pic-fill-kept"), arriving: boxes("pic-edge-residual"), target: boxes("sb-target-part") };
  const steps = pool(() => svg("line", { class: "sb-level" }, layers.stacks));
  const figure = (anchor, className) => pool(() => svg("text", { class: `pic-figure ${className}`, "text-anchor": anchor }, layers.labels));
  const figures = { draft: figure("end", "pic-text-draft"), out: figure("start", ""), target: figure("start", "pic-text-target") };
  const heads = [say("sandbox.side.draft"), say("sandbox.flow.out"), say("sandbox.side.target")].map((words) => svg("text", { class: "pic-column", "text-anchor": "middle", y: 12 }, layers.labels, words));
  const knot = svg("rect", { class: "pic-knot", width: 6 }, layers.stacks), knotName = svg("text", { class: "pic-halo pic-text-residual", "text-anchor": "middle" }, layers.labels);
  const parts = pool(() => createPart(layers.parts, root, actions));
  let x = { draft: 0, out: 0, target: 0, knot: 0 };

  /** Only shapes: also between two states. @param {number[]} draft @param {number[]} target @param {number} mixed 0: from the residual, 1: from the target */
  function shapes(draft, target, mixed) {
    const right = pour(draft, target), wrong = pour(draft, target, true), n = draft.length;
    const arriving = right.arriving.map((mass, v) => mass + mixed * (wrong.arriving[v] - mass)), out = right.overlap.map((mass, v) => mass + arriving[v]);
    const tops = { draft: topsOf(draft), out: topsOf(out), target: topsOf(target) };
    const thick = right.tv * HEIGHT, middle = TOP + (HEIGHT + (n - 1) * GAP) / 2;
    let into = middle - thick / 2, outOf = into;
    const take = (lists) => Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.take(n)]));
    const flows = take(bands), ends = take(stacks), drawn = { ...take({ steps }), parts: takeFocused(parts, n) };
    const put = (node, mass, attributes) => set(present(node, mass > 1e-12), attributes);
    for (let v = 0; v < n; v++) {
      const same = right.overlap[v] * HEIGHT, leaves = right.excess[v] * HEIGHT, comes = arriving[v] * HEIGHT;
      const from = tops.draft[v], to = tops.out[v];
      put(flows.overlap[v], right.overlap[v], { d: ribbon(x.draft + NODE, from, x.out, to, same) });
      put(flows.excess[v], right.excess[v], { d: ribbon(x.draft + NODE, from + same, x.knot - 3, into, leaves) });
      put(flows.arriving[v], arriving[v], { d: ribbon(x.knot + 3, outOf, x.out, to + same, comes) });
      into += leaves;
      outOf += comes;
      put(ends.kept[v], right.overlap[v], { x: x.out, y: to, height: same });
      put(ends.arriving[v], arriving[v], { x: x.out, y: to + same, height: comes, fill: arrived });
      put(ends.target[v], target[v], { x: x.target + 1, width: NODE - 2, y: tops.target[v] + 1, height: Math.max(target[v] * HEIGHT - 2, 0.5) });
      // Level lines while both stacks agree, slanted ones where they do not.
      set(drawn.steps[v], { x1: x.out + NODE, y1: to + same + comes, x2: x.target, y2: tops.target[v] + target[v] * HEIGHT });
      drawn.parts[v].shape(x.draft, from, draft, v);
    }
    put(knot, right.tv, { x: x.knot - 3, y: middle - thick / 2, height: Math.max(thick, 1.5) });
    set(present(knotName, right.tv > 1e-12), { x: x.knot, y: middle - thick / 2 - 5 });
  }

  return {
    root, shapes,
    /** The places of the stacks in this width. */
    layout(width, n) {
      x = { draft: 62, out: width - 134, target: width - 64, knot: 0 };
      x.knot = (x.draft + NODE + x.out) / 2;
      const height = TOP + HEIGHT + (n - 1) * GAP + 8;
      set(root, { width, height, viewBox: `0 0 ${width} ${height}` });
      [x.draft, x.out, x.target].forEach((at, i) => set(heads[i], { x: at + NODE / 2 }));
    },
    /**
     * Numbers and words of the laws shown.
     * @param {{draft: number[], target: number[], fromTarget: boolean, names: string[], paths: {draft: string, target: string}, chosen: number|null}} given
     */
    words({ draft, target, fromTarget, names, paths, chosen }) {
      const made = pour(draft, target, fromTarget), n = draft.length, bottom = TOP + HEIGHT + (n - 1) * GAP + 2;
      const lists = { draft, out: made.out, target };
      for (const name of /** @type {const} */ (["draft", "out", "target"])) {
        const lines = linesOf(topsOf(lists[name]), lists[name], bottom), at = name === "draft" ? x.draft - 5 : x[name] + NODE + 4;
        figures[name].take(n).forEach((node, v) => {
          const path = name === "out" ? `derived:pour_out/${v}` : `${paths[name]}/${v}`;
          value(set(node, { x: at, y: lines[v] }), lists[name][v], path, { before: name === "draft" ? `${names[v]} ` : "", name: name === "out" ? say("sandbox.flow.out_of", { symbol: names[v] }) : `${name === "draft" ? "D" : "T"}(${names[v]})` });
        });
      }
      value(knotName, made.tv, "derived:pour_moved", { before: say("sandbox.flow.moved"), name: "Σ (D − T)₊" });
      for (const [kind, masses] of Object.entries({ overlap: made.overlap, excess: made.excess, arriving: made.arriving })) {
        bands[kind].take(n).forEach((node, v) => {
          set(node, { "data-path": `derived:pour_${kind}/${v}`, "data-value": masses[v], class: `${node.getAttribute("class").replace(/ is-chosen/g, "")}${v === chosen ? " is-chosen" : ""}` });
          tip(node, say(`sandbox.flow.${kind}`, { symbol: names[v], mass: number(masses[v]) }));
        });
      }
      parts.take(n).forEach((part, v) => part.words(names[v], draft, v, `${paths.draft}/${v}`, v === chosen));
      set(root, { "aria-label": say("sandbox.flow.label", { kept: number(1 - made.tv), moved: number(made.tv) }) });
      return made;
    },
  };
}

/** A part of the draft's stack: taken at the edge that moves most, so that it stays under the pointer. */
function createPart(parent, chart, actions) {
  const root = svg("g", { class: "sb-part", role: "slider", tabindex: "0", "aria-valuemin": "0", "aria-valuemax": "1", "aria-orientation": "vertical" }, parent);
  const box = svg("rect", { class: "pic-fill-draft", width: NODE }, root), grip = svg("rect", { class: "sb-grip", width: NODE - 8, height: 4, rx: 2 }, root);
  const hit = svg("rect", { class: "sb-hit", width: NODE + 16 }, root);
  let at = { symbol: 0, share: 0, draft: [1] };
  const before = (draft, symbol) => draft.slice(0, symbol).reduce((a, b) => a + b, 0);

  movable(root, hit, {
    share: () => at.share,
    drag: (share, moving) => actions.drag(at.symbol, share, moving),
    rest: actions.rest,
    click: () => actions.choose(at.symbol),
    begin(event) {
      const { symbol, share, draft } = at, others = 1 - share;
      // Of the mass of the others, this part lies above: scaling moves the edges at these rates.
      const above = others > 1e-12 ? before(draft, symbol) / others : symbol / Math.max(draft.length - 1, 1);
      const rate = above > 0.5 ? -above : 1 - above, scale = chart.getBoundingClientRect().height / Number(chart.getAttribute("height"));
      return (moved) => share + (moved.clientY - event.clientY) / scale / HEIGHT / rate;
    },
  });

  return {
    root,
    /** Where it is drawn. @param {number[]} draft */
    shape(x, y, draft, symbol) {
      const height = draft[symbol] * HEIGHT, above = before(draft, symbol) / Math.max(1 - draft[symbol], 1e-12);
      set(box, { x, y, height: Math.max(height, 0.75) });
      set(grip, { x: x + 4, y: above > 0.5 ? y - 1 : y + height - 3 });
      set(hit, { x: x - 8, y: y - Math.max(0, (14 - height) / 2), height: Math.max(height, 14) });
    },
    /** What it says, and what a pointer starts from. @param {number[]} draft */
    words(name, draft, symbol, path, chosen) {
      const share = draft[symbol];
      at = { symbol, share, draft };
      set(root, { "aria-label": say("sandbox.flow.part", { symbol: name }), "aria-valuenow": share.toFixed(4), "aria-valuetext": number(share), class: `sb-part${chosen ? " is-chosen" : ""}`, "data-symbol": name });
      set(box, { "data-path": path, "data-value": share });
      tip(root, say("sandbox.flow.part.title", { symbol: name, value: number(share) }));
    },
  };
}
