/**
 * The coupling as a flow. Every token has a lane: drafted mass on the left, emitted mass on the right, on one scale.
 * Kept bands run straight; corrections run through one knot, because the off-diagonal part has rank one.
 */

import { number, pieceText, sub } from "./format.js";
import { explains, fit, fitting, hatch } from "./marks.js";
import { pool, present, set, svg, text, tip, value } from "./svg.js";
import { say } from "./words/parts/step_pictures.js";

const TOP = 24, GAP = 4, NODE = 9, HEIGHT = 250, NARROW = 520;

const ribbon = (x1, y1, x2, y2, h) => {
  const bend = (x1 + x2) / 2;
  const c = (n) => n.toFixed(1);
  return `M${c(x1)} ${c(y1)}C${c(bend)} ${c(y1)} ${c(bend)} ${c(y2)} ${c(x2)} ${c(y2)}V${c(y2 + h)}C${c(bend)} ${c(y2 + h)} ${c(bend)} ${c(y1 + h)} ${c(x1)} ${c(y1 + h)}Z`;
};

/** @param {Element} parent */
export function createFlow(parent) {
  const root = svg("svg", { class: "pic-chart", role: "img" }, parent);
  const grey = hatch(svg("defs", null, root), "pic-hatch-rejected", { step: 5, angle: -45 });
  const layer = () => svg("g", null, root);
  const layers = { kept: layer(), stopped: layer(), moved: layer(), nodes: layer(), labels: layer() };
  const paths = (where, className, kind, fill) => pool(() => svg("path", { class: className, "data-kind": kind, fill }, where));
  const kept = paths(layers.kept, "pic-band pic-fill-kept", "overlap");
  const stopped = paths(layers.stopped, "pic-band pic-fill-rejected", "stopped");
  const out = paths(layers.moved, "pic-band pic-band-residual", "corrected_from");
  const into = paths(layers.moved, "pic-band pic-band-residual", "corrected");
  const ends = pool(() => svg("rect", null, layers.nodes));
  const stopEnd = svg("rect", { class: "pic-edge-rejected", fill: grey }, layers.nodes);
  const makeLabel = (anchor) => () => {
    const group = svg("g", { class: "pic-row" }, layers.labels);
    return { root: group, name: svg("text", { class: "pic-token", "text-anchor": anchor }, group), mass: svg("text", { class: "pic-figure", "text-anchor": anchor }, group) };
  };
  const left = pool(makeLabel("end")), right = pool(makeLabel("start"));
  const heads = ["end", "start"].map((anchor) => svg("text", { class: "pic-column", "text-anchor": anchor }, layers.labels));
  const knot = svg("rect", { class: "pic-knot" }, layers.nodes);
  const knotName = svg("text", { class: "pic-halo pic-text-residual", "text-anchor": "middle" }, layers.labels);
  const stoppedName = svg("text", { class: "pic-text-soft" }, layers.labels), stoppedMass = svg("text", { class: "pic-figure pic-text-soft" }, layers.labels);

  /** @param {object} view @param {import("./derive.js").Part} p a folded part @param {number} width */
  function draw(view, p, width) {
    const narrow = width < NARROW, n = p.ids.length + 1, least = narrow ? 27 : 15;
    const at = (name, v) => (v < n - 1 ? p[name][v] : p.rest[name]);
    const xl = narrow ? 76 : 194, xr = width - (narrow ? 76 : 202), xm = (xl + xr) / 2;
    const share = p.total.residual > 0 ? p.coin : 0;
    let wanted = p.total.stopped;
    for (let v = 0; v < n; v++) wanted += Math.max(at("draft", v), at("overlap", v) + at("corrected", v));
    const k = HEIGHT / Math.max(wanted, 1e-9);
    const lanes = [];
    let y = TOP;
    for (let v = 0; v < n; v++) {
      const height = Math.max(at("draft", v), at("overlap", v) + at("corrected", v)) * k;
      lanes.push({ y: y + Math.max(0, (least - height) / 2), middle: y + Math.max(least, height) / 2 });
      y += Math.max(least, height) + GAP;
    }
    const stop = { y: y + 6, height: p.total.stopped * k };
    const hasStop = p.total.stopped > 1e-12;
    if (hasStop) y = stop.y + Math.max(least, stop.height) + GAP;
    stop.y += hasStop ? Math.max(0, (least - stop.height) / 2) : 0;

    // The knot sits where its flows balance, so that they bend least.
    const moved = p.total.corrected;
    let centre = 0;
    for (let v = 0; v < n; v++) centre += (share * at("excess", v) + at("corrected", v)) * lanes[v].middle;
    centre = moved > 0 ? centre / (2 * moved) : (TOP + y) / 2;
    const knotHeight = moved * k;
    let knotIn = centre - knotHeight / 2, knotOut = knotIn, stopAt = stop.y;

    const bands = { kept: kept.take(n), out: out.take(n), into: into.take(n), stopped: stopped.take(n) };
    const names = { left: left.take(n), right: right.take(n) };
    const rects = ends.take(2 * n);
    for (let v = 0; v < n; v++) {
      const id = v < n - 1 ? p.ids[v] : "rest", name = v < n - 1 ? pieceText(view.pieces(id)) : say("drawn.others", { count: p.rest.count });
      const lane = lanes[v].y, same = at("overlap", v), arrives = at("corrected", v), leaves = share * at("excess", v), stops = at("excess", v) - leaves;
      const band = (node, mass, d, key) => {
        present(node, mass > 0);
        set(node, { d: mass > 0 ? d : null, "data-value": mass, "data-path": `derived:${node.getAttribute("data-kind")}`, "data-token-id": id, class: node.getAttribute("class").replace(/ is-\w+/g, "") + (id === view.token ? " is-chosen" : "") });
        tip(node, say(key, { name, mass: number(mass) }));
      };
      band(bands.kept[v], same, `M${xl} ${lane}H${xr}V${lane + same * k}H${xl}Z`, "drawn.flow.kept");
      band(bands.out[v], leaves, ribbon(xl, lane + same * k, xm - 3, knotIn, leaves * k), "drawn.flow.leaves");
      band(bands.into[v], arrives, ribbon(xm + 3, knotOut, xr, lane + same * k, arrives * k), "drawn.flow.arrives");
      band(bands.stopped[v], stops, ribbon(xl, lane + (same + leaves) * k, xr, stopAt, stops * k), "drawn.flow.stops");
      knotIn += leaves * k;
      knotOut += arrives * k;
      stopAt += stops * k;
      const end = (node, className, x, height) => set(node, { class: className, x, y: lane, width: NODE, height: Math.max(height, 0.75) });
      end(rects[2 * v], "pic-fill-draft", xl - NODE, at("draft", v) * k);
      end(rects[2 * v + 1], "pic-fill-ink", xr, (same + arrives) * k);
      const label = (mark, side, mass, path, explain) => {
        set(mark.root, { "data-token-id": id, class: `pic-row${id === view.token ? " is-chosen" : ""}${id === view.block.paths[0].tokens[p.index] && side === "left" ? " is-drafted" : ""}` });
        const x = side === "left" ? xl - NODE - 5 : xr + NODE + 5, dir = side === "left" ? -1 : 1;
        const room = narrow ? 8 : 15, middle = lanes[v].middle;
        const short = id === "rest" ? fitting([name, say("drawn.others_short", { count: p.rest.count })], room) : name;
        text(set(mark.name, { x: narrow ? x : x + dir * 71, y: narrow ? middle - 2 : middle + 4 }), fit(short, room));
        value(set(mark.mass, { x, y: narrow ? middle + 11 : middle + 4, class: `pic-figure ${side === "left" ? "pic-text-draft" : ""}` }), mass, path);
        explains(mark.mass, explain, { row: p.index, token: id });
      };
      const listed = view.block.paths[0].rows[p.index].shown.ids.indexOf(id);
      label(names.left[v], "left", at("draft", v), listed < 0 ? "derived:others_draft" : `/blocks/${view.blockIndex}/paths/0/rows/${p.index}/shown/draft/${listed}`, "draft");
      label(names.right[v], "right", same + arrives, "derived:emitted", "column");
    }
    for (const node of [stoppedName, stoppedMass, stopEnd]) present(node, hasStop);
    set(stopEnd, { x: xr, y: stop.y, width: NODE, height: Math.max(stop.height, 0.75) });
    const middle = stop.y + stop.height / 2;
    text(set(stoppedName, { x: xr + NODE + (narrow ? 5 : 76), y: narrow ? middle - 2 : middle + 4 }), say(narrow ? "drawn.stopped" : "drawn.flow.stopped"));
    explains(value(set(stoppedMass, { x: xr + NODE + 5, y: narrow ? middle + 11 : middle + 4 }), p.total.stopped, "derived:stopped_mass", { name: say("drawn.stopped_name") }), "stopped", { row: p.index });
    present(knot, moved > 0);
    present(knotName, moved > 0);
    set(knot, { x: xm - 3, y: centre - knotHeight / 2, width: 6, height: Math.max(knotHeight, 1.5) });
    explains(value(set(knotName, { x: xm, y: centre - knotHeight / 2 - 6 }), moved, "derived:corrected_mass", { before: say("drawn.flow.corrected"), name: say("drawn.flow.corrected_name") }), "corrected", { row: p.index });
    // Where there is little room a head begins, or ends, at the edge: it may be wider than the names below it.
    text(set(heads[0], { x: narrow ? 0 : xl, y: 12, "text-anchor": narrow ? "start" : "end" }), say("drawn.flow.drafted_head"));
    text(set(heads[1], { x: narrow ? width : xr, y: 12, "text-anchor": narrow ? "end" : "start" }), say("drawn.flow.emitted"));
    set(root, { class: narrow ? "pic-chart is-narrow" : "pic-chart", width, height: y + 6, viewBox: `0 0 ${width} ${y + 6}`, "aria-label": say("drawn.flow.label", { position: p.index + 1, kept: number(p.total.overlap), corrected: number(moved), stopped: number(p.total.stopped), scale: number(p.scale), threshold: p.index ? "h" + sub(p.index) : "1", coin: number(p.coin) }) });
  }
  return { root, draw };
}
