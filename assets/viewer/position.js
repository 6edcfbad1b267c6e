/**
 * The position panel: what the draft offers against what the target may still take, token by token, and who gets the correction.
 * Butterfly bars on one scale: draft │ s × target; beside them the law of the correction.
 */

import { arrival, columns, legend } from "./position_words.js";
import { butterfly, emittedAt } from "./arrange.js";
import { part, rowsOf } from "./derive.js";
import { number, percent, pieceText } from "./format.js";
import { cells, clicks, explains, fit, fitting, frame, hatch } from "./marks.js";
import { html, onWidth, pool, present, set, svg, text, tip, value } from "./svg.js";
import { say } from "./words/parts/step_pictures.js";

const HEAD = 34, ROW = 18, GROUP = 23, NARROW = 520, NARROW_ROW = 33, CHAR = 7.25, LABEL = 132;

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
    title: say("drawn.position.title"),
    about: say("drawn.position.about"),
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
        text(set(titles[groupCount++], { x: 0, y: y + 16 }), groupWords(item.group, p, emitted, g.short));
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
      y, g, p, sides, v: -1, id: "rest", base, view, top, drafted: false, emitted: false, name: g.narrow ? say("drawn.position.rest") : fitting([say("drawn.others", { count }), say("drawn.others_short", { count })], g.room),
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
      const words = say(g.narrow ? "drawn.position.rest_share" : "drawn.position.shown_rest", { shown: percent(1 - share), rest: percent(share) });
      text(set(shown[n], { x: { draft: g.axis - 4, target: g.axis + 4, law: g.lawX }[side], y: y + g.row + 10, "text-anchor": side === "draft" ? "end" : "start" }), words);
    });
    return y + g.row + 18;
  }

  return {
    update(view) {
      last = view.block ? view : null;
      if (!view.block) return instead(say("drawn.nothing"));
      instead(null);
      const p = part(view.block, view.verdict, view.position);
      text(heading, p.bonus ? say("drawn.position.heading_bonus") : say("drawn.position.heading", { position: view.position + 1 }));
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
  const [short, long] = drafted && emitted ? [say("drawn.position.flag.kept"), say("drawn.position.flag.kept")] : drafted ? ["x", say("drawn.position.flag.drafted")] : emitted ? ["Y", say("drawn.position.flag.emitted")] : ["", ""];
  const room = g.room - (g.narrow && short ? cells(short) : 0), used = Math.min(cells(name), room) * CHAR + 8;
  const flag = !g.narrow && used + cells(long) * 6.1 < (g.short ? g.axis : LABEL + 6) ? long : short;
  tip(text2(set(mark.label, { x: 4, y: baseline }), fit(name, room)), say(v < 0 ? "drawn.position.tip.rest" : drafted && emitted ? "drawn.position.tip_both" : drafted ? "drawn.position.tip_drafted" : emitted ? "drawn.position.tip_emitted" : "drawn.position.tip", { name, id }));
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
  figure(mark.law, sides.law, g.narrow ? g.lawX : g.lawX + g.law + 6, law, "derived:next_law", "next_law", say("drawn.position.law_name", { name }));
}

/** Text of a node that also has a tooltip. */
function text2(node, words) {
  let span = node.firstElementChild;
  if (!span || span.tagName !== "tspan") span = svg("tspan", null, node);
  text(span, words);
  return node;
}

function captionFor(view, p) {
  if (view.phase === "draft" && !p.bonus) return say("drawn.position.caption.draft");
  if (p.bonus) return say(p.tilde ? "drawn.position.caption.bonus_modified" : "drawn.position.caption.bonus");
  if (p.modified) return say("drawn.position.caption.modified");
  if (!p.coupled) return say("drawn.position.caption.uncoupled");
  if (p.total.residual <= 0) return say("drawn.position.caption.nothing");
  return say(p.tilde ? "drawn.position.caption.tilde" : "drawn.position.caption");
}

function summary(view, p, emitted) {
  const count = rowsOf(view.block)[p.index].shown.ids.length;
  if (p.bonus) return say("drawn.position.summary_bonus", { count, others: p.rest.count, share: percent(p.rest.target) });
  return say("drawn.position.summary", {
    position: p.index + 1, count, others: p.rest.count,
    masses: p.coupled ? say("drawn.position.summary.masses", { kept: number(p.total.overlap), over: number(p.total.excess), wanted: number(p.total.residual) }) : "",
    emitted: emitted.id === null ? "" : say(`drawn.position.summary.${emitted.kind}`, { token: pieceText(view.pieces(emitted.id)) }),
  });
}

/** What a group of rows is called. @param {string} group of butterfly() @param {any} p @param {any} emitted @param {boolean} short where there is little room */
function groupWords(group, p, emitted, short) {
  const name = group === "target" && p.bonus ? "target_bonus" : group;
  if (short) return say(`drawn.position.group_short.${name}`);
  return say(`drawn.position.group.${group !== "emitted" ? name : emitted.kind === "kept" ? "kept_token" : emitted.kind}`);
}
