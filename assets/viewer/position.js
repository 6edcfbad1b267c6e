/**
 * The position panel: what the draft offers against what the target may still take, token by token, and who gets the correction.
 * Butterfly bars on one scale: draft │ s × target; beside them the law of the correction.
 */

import { arrival, columns, legend } from "./position_words.js";
import { butterfly, emittedAt } from "./arrange.js";
import { part, rowsOf } from "./derive.js";
import { number, percent, pieceText } from "./format.js";
import { cells, clicks, explains, fit, frame, hatch } from "./marks.js";
import { html, onWidth, pool, present, set, svg, text, tip, value } from "./svg.js";

const HEAD = 34, ROW = 18, GROUP = 23, NARROW = 520, NARROW_ROW = 33, CHAR = 7.25, LABEL = 132;
const GROUPS = {
  emitted: "emitted here",
  over: "over-offered: the draft offers more than s·target",
  wanted: "still wanted: s·target is more than the draft offers",
  kept: "kept as offered: the two agree within a tenth",
  target: "the largest in either law",
  offered: "what the draft offers",
};

/** Bars end at least this wide when their value is not 0, so that a sliver is seen. */
const sliver = (width) => (width > 0 ? Math.max(width, 0.75) : 0);

function geometry(width, bonus) {
  const narrow = width < NARROW;
  if (bonus) {
    const axis = narrow ? 84 : LABEL + 4, bar = Math.min(420, width - axis - 72);
    return { narrow: false, short: narrow, row: ROW, bar, law: 0, axis, lawX: axis + bar + 8, bars: 3, thick: 12, room: narrow ? 10 : 15, figure: 60 };
  }
  if (narrow) {
    const bar = Math.floor((width - 22) * 0.37);
    return { narrow, short: true, row: NARROW_ROW, bar, law: width - 22 - 2 * bar, axis: bar + 2, lawX: 2 * bar + 20, bars: 16, thick: 11, room: 7 };
  }
  const label = LABEL, figure = 68, free = width - label - 3 * figure - 34;
  const law = Math.floor(free * 0.24), bar = Math.floor((free - law) / 2), axis = label + figure + 6 + bar;
  return { narrow, short: false, row: ROW, bar, law, axis, lawX: axis + bar + figure + 22, bars: 3, thick: 12, room: 15, figure };
}

/** @param {Element} container @param {object} actions */
export function createPosition(container, actions) {
  const { root, heading, caption, body, instead } = frame(container, {
    name: "position",
    title: "What the draft offers, what the target still wants",
    about: "D is the law the drafted token was sampled from, T the target’s law, s the factor the rule puts on T here. "
      + "Kept is min(D, s·T), over-offered is (D − s·T)₊, still wanted is (s·T − D)₊, the residual: a correction made here is drawn from the residual, "
      + "divided by its sum. All sums run over the whole vocabulary.",
  });
  const facts = html("p", { class: "pic-facts" }, body);
  const arrive = arrival(facts);
  const key = legend(body);
  const chart = svg("svg", { class: "pic-chart", role: "img" }, body);
  const defs = svg("defs", null, chart);
  const wantedHatch = hatch(defs, "pic-hatch-residual");
  const heads = columns(chart);
  const layer = svg("g", null, chart);
  const groups = pool(() => svg("text", { class: "pic-group" }, layer));
  const rows = pool(() => makeRow(layer, wantedHatch));
  const axis = svg("line", { class: "pic-axis" }, chart);
  const broken = pool(() => svg("path", { class: "pic-break" }, chart));
  const shares = pool(() => svg("text", { class: "pic-share" }, chart));
  clicks(root, actions);

  let last = null, width = 0;
  onWidth(body, (w) => {
    width = w;
    if (last) draw(last);
  });

  function draw(view) {
    const p = part(view.block, view.verdict, view.position);
    const g = geometry(width, p.bonus);
    const scored = view.phase !== "draft";
    const emitted = emittedAt(view);
    const list = butterfly(p, emitted.id, scored);
    const base = `/blocks/${view.blockIndex}/paths/0/rows/${p.index}`;
    const sides = { draft: !p.bonus, target: scored, law: scored && p.coupled };
    let top = 0;
    for (const v of list) top = Math.max(top, p.draft[v.place], scored ? scaledOf(p, v.place) : 0);
    const largestLaw = Math.max(...p.law, 1e-12);
    const x = { mass: (m) => sliver((Math.min(m, top) / top) * g.bar), law: (m) => sliver((m / largestLaw) * g.law) };

    heads.update(g, p, sides, scored);
    let y = HEAD, groupCount = 0, previous = null;
    const marks = rows.take(list.length + 1);
    const titles = groups.take(new Set(list.map((item) => item.group)).size);
    list.forEach((item, n) => {
      if (item.group !== previous) {
        previous = item.group;
        const words = item.group === "target" && p.bonus ? "the target’s largest" : item.group === "emitted" && emitted.kind !== "kept" ? `emitted here: the ${emitted.kind}` : item.group === "emitted" ? "emitted here: the drafted token, kept" : GROUPS[item.group];
        text(set(titles[groupCount++], { x: 0, y: y + 16 }), g.short ? words.split(":")[0] : words);
        y += GROUP;
      }
      const v = item.place, id = p.ids[v];
      drawRow(marks[n], { y, g, x, p, sides, v, id, base, view, top, name: pieceText(view.pieces(id)), drafted: id === view.block.paths[0].tokens[p.index], emitted: id === emitted.id && emitted.kind });
      y += g.row;
    });
    y = drawRest(view, p, g, { y: y + 8, mark: marks[list.length], base, sides, top, largestLaw });
    set(axis, { x1: g.axis, x2: g.axis, y1: HEAD - 4, y2: y - 16 });
    set(chart, { class: g.narrow ? "pic-chart is-narrow" : "pic-chart", width, height: y + 4, viewBox: `0 0 ${width} ${y + 4}`, "aria-label": summary(view, p, emitted) });
  }

  function drawRest(view, p, g, { y, mark, base, sides, top, largestLaw }) {
    const shown = shares.take(3), zigzags = broken.take(3);
    const count = p.rest.count;
    const totals = [["draft", p.rest.draft, 1], ["target", scaledRest(p), p.coupled ? p.scale : 1], ["law", p.rest.law, 1]];
    // The rest is one number for many tokens: where it does not fit the scale of single tokens its bar is broken.
    const longest = { draft: top, target: top, law: largestLaw };
    // Both sides of the axis break together, so that what is kept has one length.
    const both = Math.max(p.bonus ? 0 : p.rest.draft, sides.target ? scaledRest(p) : 0);
    const scale = { draft: Math.max(top, both), target: Math.max(top, both), law: Math.max(largestLaw, p.rest.law) };
    drawRow(mark, {
      y, g, p, sides, v: -1, id: "rest", base, view, top, drafted: false, emitted: false, name: g.narrow ? "(rest)" : count === 1 ? "(1 other)" : `(${count} others)`,
      x: { mass: (m, side) => sliver((m / scale[side]) * g.bar), law: (m) => sliver((m / scale.law) * g.law) },
    });
    const middle = y + g.bars + g.thick / 2;
    const place = { draft: g.axis - g.bar * 0.82, target: g.axis + g.bar * 0.82, law: g.lawX + g.law * 0.82 };
    totals.forEach(([side, mass, whole], n) => {
      const visible = sides[side] && (side !== "target" || whole > 0);
      present(zigzags[n], visible && scale[side] > longest[side] && mass > 0.5 * longest[side]);
      set(zigzags[n], { d: `M${place[side] - 4} ${middle + 8}l5 -16l4 0l-5 16z` });
      present(shown[n], visible);
      const share = whole > 0 ? mass / whole : 0;
      const words = `shown ${percent(1 - share)} · rest ${percent(share)}`;
      text(set(shown[n], { x: { draft: g.axis - 4, target: g.axis + 4, law: g.lawX }[side], y: y + g.row + 10, "text-anchor": side === "draft" ? "end" : "start" }), g.narrow ? `rest ${percent(share)}` : words);
    });
    return y + g.row + 18;
  }

  return {
    update(view) {
      last = view.block ? view : null;
      if (!view.block) return instead("Nothing decoded yet: take a step.");
      instead(null);
      const p = part(view.block, view.verdict, view.position);
      text(heading, p.bonus ? "After the block: the target alone" : `Position ${view.position + 1}: what the draft offers, what the target still wants`);
      text(caption, captionFor(view, p));
      arrive.update(view, p);
      key.update(view, p);
      if (width) draw(view);
    },
  };
}

const scaledOf = (p, v) => (p.coupled ? p.scaled[v] : p.target[v]);
const scaledRest = (p) => (p.coupled ? p.rest.scaled : p.rest.target);

function makeRow(parent, wantedHatch) {
  const root = svg("g", { class: "pic-row" }, parent);
  const rect = (kind, className, fill) => svg("rect", { class: className, "data-kind": kind, fill }, root);
  return {
    root,
    ground: svg("rect", { class: "pic-ground" }, root),
    label: svg("text", { class: "pic-token" }, root),
    flag: svg("text", { class: "pic-flag" }, root),
    draft: svg("text", { class: "pic-figure pic-text-draft", "text-anchor": "end" }, root),
    target: svg("text", { class: "pic-figure pic-text-target" }, root),
    law: svg("text", { class: "pic-figure pic-text-residual" }, root),
    overlap: rect("overlap", "pic-fill-kept"),
    mirror: rect("overlap-mirror", "pic-fill-kept"),
    excess: rect("excess", "pic-fill-draft"),
    residual: rect("residual", "pic-edge-residual", wantedHatch),
    plain: rect("target", "pic-fill-target"),
    corrected: rect("next_law", "pic-edge-residual", wantedHatch),
  };
}

function drawRow(mark, { y, g, x, p, sides, v, id, base, view, name, drafted, emitted }) {
  const at = (list, restName) => (v < 0 ? p.rest[restName] : p[list][v]);
  const [draft, overlap, excess, residual, law] = ["draft", "overlap", "excess", "residual", "law"].map((k) => at(k, k));
  const scaled = v < 0 ? scaledRest(p) : scaledOf(p, v);
  const where = (side) => (v < 0 ? `${base}/rest/${side}` : `${base}/shown/${side}/${v}`);
  const args = { row: p.index, token: v < 0 ? "rest" : id };
  set(mark.root, { "data-token-id": id, class: `pic-row${id === view.token ? " is-chosen" : ""}${drafted ? " is-drafted" : ""}${emitted ? ` is-emitted is-${emitted}` : ""}` });
  set(mark.ground, { x: 0, y, width: g.lawX + g.law + (g.narrow ? 0 : g.figure + 4), height: g.row });
  const baseline = g.narrow ? y + 12 : y + 13;
  const [short, long] = drafted && emitted ? ["kept", "kept"] : drafted ? ["x", "drafted"] : emitted ? ["Y", "emitted"] : ["", ""];
  const room = g.room - (g.narrow && short ? short.length : 0), used = Math.min(cells(name), room) * CHAR + 8;
  const flag = !g.narrow && used + long.length * 6.1 < LABEL + 6 ? long : short;
  tip(text2(set(mark.label, { x: 4, y: baseline }), fit(name, room)), `${name}${v < 0 ? ": tokens not listed" : `, token ${id}${drafted ? ", drafted here" : ""}${emitted ? ", emitted here" : ""}`}`);
  text(set(mark.flag, { x: used, y: baseline }), flag);

  const coupled = p.coupled && sides.target;
  const bar = (node, shown, from, length, mass, dir = 1) => {
    present(node, shown);
    if (shown) set(node, { x: dir > 0 ? from : from - length, y: y + g.bars, width: length, height: g.thick, "data-value": mass, "data-path": `derived:${node.getAttribute("data-kind")}` });
  };
  const side = (m, s) => x.mass(m, s);
  const kept = side(overlap, "draft"), keptRight = side(overlap, "target");
  bar(mark.overlap, coupled, g.axis, kept, overlap, -1);
  bar(mark.excess, sides.draft, g.axis - (coupled ? kept : 0), side(coupled ? excess : draft, "draft"), coupled ? excess : draft, -1);
  bar(mark.mirror, coupled, g.axis, keptRight, overlap);
  bar(mark.residual, coupled, g.axis + keptRight, side(residual, "target"), residual);
  bar(mark.plain, sides.target && !p.coupled, g.axis, side(scaled, "target"), scaled);
  bar(mark.corrected, sides.law, g.lawX, x.law(law), law);

  const figure = (node, shown, left, number_, path, explain, words) => {
    present(node, shown);
    if (shown) explains(value(set(node, { x: left, y: baseline }), number_, path, { name: words }), explain, args);
  };
  figure(mark.draft, sides.draft, g.narrow ? g.axis - 4 : g.axis - g.bar - 6, draft, where("draft"), "draft", `D(${name})`);
  figure(mark.target, sides.target, g.narrow ? g.axis + 4 : g.axis + g.bar + 6, scaled, p.tilde || (p.coupled && p.scale !== 1) ? "derived:scaled" : where("target"), "scaled", `${p.coupled ? "s·" : ""}${p.tilde ? "T̃" : "T"}(${name})`);
  figure(mark.law, sides.law, g.narrow ? g.lawX : g.lawX + g.law + 6, law, "derived:next_law", "next_law", `P(Y = ${name}), if the cut is here`);
}

/** Text of a node that also has a tooltip. */
function text2(node, words) {
  let span = node.firstElementChild;
  if (!span || span.tagName !== "tspan") span = svg("tspan", null, node);
  text(span, words);
  return node;
}

function captionFor(view, p) {
  if (view.phase === "draft" && !p.bonus) return "The draft’s own law at this position; the target has not scored the block yet.";
  if (p.bonus) return `There is no draft here: if every drafted token is kept, one more token is drawn from the target ${p.tilde ? "T̃, which is still modified here" : "as it is"}.`;
  if (p.modified) return "The rule works with a modified target here, whose masses the trace does not list: compare the draft with the plain target.";
  if (!p.coupled) return "This rule uses no residual: compare the draft with the target directly.";
  if (p.total.residual <= 0) return "The target wants nothing more than the draft offers here, so nothing can be corrected at this position.";
  if (p.tilde) return "The target is T̃ here, modified by what this rule still owes its last correction. Green can be kept; hatched is what T̃ still wants.";
  return "Green can be kept; hatched is what the target still wants, and where a correction comes from.";
}

function summary(view, p, emitted) {
  const count = rowsOf(view.block)[p.index].shown.ids.length;
  if (p.bonus) return `Target law after the block: ${count} tokens listed, the other ${p.rest.count} hold ${percent(p.rest.target)}.`;
  const words = p.coupled ? ` Kept ${number(p.total.overlap)}, over-offered ${number(p.total.excess)}, still wanted ${number(p.total.residual)}.` : "";
  const who = emitted.id === null ? "" : ` Emitted: ${pieceText(view.pieces(emitted.id))}, ${emitted.kind}.`;
  return `Draft and target at position ${p.index + 1}, ${count} tokens listed, ${p.rest.count} others together.${words}${who}`;
}
