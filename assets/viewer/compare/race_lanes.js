/**
 * The lanes of the first run: one a rule, on a common axis. A segment is a target call; in it the tokens it gained are
 * stacked, kept ones first (bars), the extra one on top (triangle: correction, circle: bonus, diamond: plain step).
 */

import { isolated, milliseconds, number, pieceText } from "../format.js";
import { cells, choice, fit, frame, unique } from "../marks.js";
import { beforePaint } from "../paint.js";
import { createScroller } from "../scroller.js";
import { FOREIGN_TEXT, html, onWidth, pool, present, set, svg, text } from "../svg.js";
import { say as sayMeasure } from "../words/parts/measure.js";
import { say } from "../words/parts/racing.js";
import { pieces as phraseOf } from "../words/pieces.js";
import { phrase, spoken } from "./measure_parts.js";
import { factsOf, laneWords, losslessHere, tag as tagWords } from "./measure_rules.js";
import { allowSaving, exportButtons } from "./pictures_export.js";
import { createAxisChoice } from "./race_controls.js";
import { createDetail, legend, legendWords } from "./race_detail.js";
import { costsOf, firstRun, laneOf } from "./race_model.js";
import { createPlay } from "./race_play.js";
import { endOf } from "./race_texts.js";
import { costWords, laneCaption } from "./race_words.js";
import { ticks, tickText } from "./scale.js";

const HEAD = 19, TAGLINE = 14, BELOW = 10, AXIS = 34, CHAR = 6.2, MONO = 7.25;
const TICK = { height: 6, gap: 1.5 }, CHIP = { height: 16, gap: 2 };
const READABLE = 58, LARGEST = 16000; // pixels: a segment whose tokens can be read; a picture that a canvas still holds

/** @param {Element} container @param {any} actions */
export function createLanes(container, actions) {
  const { root, heading, tools, caption, body, instead } = frame(container, {
    name: "race-lanes",
    title: say("racing.lanes.title"),
    about: say("racing.lanes.about"),
  });
  const axisChoice = createAxisChoice(tools, actions);
  let reading = false, width = 0, last = null, shown = null, at = { rule: null, index: 0 };
  choice(tools, say("racing.lanes.size"), [["fit", say("racing.lanes.fit")], ["read", say("racing.lanes.read")]], (name) => {
    reading = name === "read";
    redraw();
  });
  const prompt = html("p", { class: "race-begun", ...FOREIGN_TEXT }, body);
  legend(body);
  const scroll = createScroller(body);
  const chart = /** @type {SVGSVGElement} */ (svg("svg", { class: "pic-chart race-chart", role: "group" }, scroll));
  const opening = svg("rect", { x: 0 }, svg("clipPath", { id: unique("lanes") }, svg("defs", null, chart)));
  const ground = svg("g", null, chart), layer = svg("g", null, chart);
  const grid = pool(() => svg("line", { class: "race-grid" }, ground));
  const head = svg("line", { class: "race-playhead", y1: 0 }, chart);
  const marks = pool(() => svg("text", { class: "pic-text-soft", "text-anchor": "middle" }, chart));
  const title = svg("text", { class: "pic-text-soft" }, chart);
  const lanes = pool(() => createLane(layer, opening.parentElement.id));
  const detail = createDetail(body);
  const play = createPlay(tools, { clip: opening, line: head }, () => shown, (fraction) => lanes.all.forEach((lane) => lane.count(shown, fraction)));
  const saves = exportButtons(tools, chart, "race-lanes", () => ({ caption: last ? captionOf(last) : "" }));
  present(head, false);
  onWidth(body, (w) => {
    width = w;
    redraw();
  });

  const choose = (rule, index, focus = false) => {
    at = { rule, index };
    for (const lane of lanes.all) lane.mark(at, focus);
    const lane = shown && shown.lanes.find((one) => one.rule === rule);
    detail.update(last && last.record, lane && lane.calls[index] ? lane : null, index);
  };
  const segmentOf = (event) => /** @type {Element} */ (event.target).closest("[data-call]");
  for (const kind of ["pointerover", "focusin", "click"]) {
    chart.addEventListener(kind, (event) => {
      const segment = segmentOf(event);
      if (segment) choose(segment.getAttribute("data-rule"), Number(segment.getAttribute("data-call")));
    });
  }
  chart.addEventListener("keydown", (event) => {
    if (!segmentOf(event) || !shown) return;
    const rules = shown.lanes.filter((lane) => lane.calls.length).map((lane) => lane.rule), row = rules.indexOf(at.rule);
    const next = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -Infinity], End: [0, Infinity] }[event.key];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    const rule = rules[Math.min(Math.max(row + next[0], 0), rules.length - 1)];
    const calls = shown.lanes.find((lane) => lane.rule === rule).calls.length;
    choose(rule, Math.min(Math.max(at.index + next[1], 0), calls - 1), true);
  });

  /** The caption of a picture that leaves the page. */
  function captionOf({ record, options, sets }) {
    const costs = options.axis === "predicted" ? `${costWords(costsOf(record, options))} ` : "";
    return `${caption.textContent} ${legendWords(reading)} ${costs}${factsOf(record, sets, firstRun(record))}`;
  }

  function redraw() {
    if (last && width) beforePaint(root, draw);
  }

  function draw() {
    const { record, options } = last, { axis } = options, costs = costsOf(record, options);
    const drawn = record.rules.map((rule) => laneOf(record, 0, rule, axis, costs));
    const longest = Math.max(...drawn.map((lane) => lane.end), 1e-9), calls = drawn.flatMap((lane) => lane.calls);
    const lengths = calls.map((call) => call.length).sort((a, b) => a - b), typical = lengths[Math.floor(lengths.length / 2)] || 1;
    const whole = (width - 3) / longest;
    const scale = reading ? Math.min(Math.max(whole, READABLE / typical), Math.max(whole, LARGEST / longest)) : whole;
    const size = reading ? CHIP : TICK, full = longest * scale;
    shown = { lanes: drawn, scale, longest, axis };
    let y = 2;
    const pieces = (id) => record.pieces[id];
    lanes.take(drawn.length).forEach((lane, n) => (y = lane.draw(drawn[n], { y, scale, size, width: Math.max(full, width - 3), view: width, axis, reading, record, pieces })));
    const floor = y + 2, steps = ticks(0, longest, Math.max(2, full / 70));
    grid.take(steps.length).forEach((line, n) => set(line, { x1: 1 + steps[n] * scale, x2: 1 + steps[n] * scale, y1: 0, y2: floor + 4 }));
    marks.take(steps.length).forEach((mark, n) => {
      const words = tickText(steps[n]), half = words.length * CHAR / 2;
      text(set(mark, { x: Math.min(Math.max(1 + steps[n] * scale, half), full + 2 - half), y: floor + 15 }), words);
    });
    text(set(title, { x: 1, y: floor + 29 }), say(`racing.scale.${axis}`));
    set(opening, { y: 0, height: floor });
    set(head, { y2: floor + 4 });
    set(chart, { width: full + 3, height: floor + AXIS, viewBox: `0 0 ${(full + 3).toFixed(2)} ${floor + AXIS}`, "aria-label": say("racing.lanes.label", { axis: say(`racing.scale.${axis}`), lanes: drawn.map((lane) => sayMeasure("measure.named", { name: laneWords(lane.rule), what: spoken(endWords(lane, axis)) })).join(". ") }) });
    const begun = firstRun(record);
    text(caption, laneCaption(drawn, axis, record));
    text(heading, say("racing.lanes.heading", { run: begun.words }));
    text(set(prompt, { title: begun.text }), `${isolated(endOf(begun.text), begun.text)} …`);
    if (!drawn.some((lane) => lane.rule === at.rule && lane.calls[at.index])) at = { rule: (drawn.find((lane) => lane.calls.length) || { rule: null }).rule, index: 0 };
    choose(at.rule, at.index);
    play.moved();
  }

  return {
    update({ race, config }) {
      const ready = Boolean(race.record && race.record.runs[0]);
      const settled = ready && !race.record.rules.some((rule) => !(race.record.runs[0].lanes[rule] || {}).finish);
      axisChoice.update(race.options.axis);
      play.update(settled);
      if (!ready) {
        last = shown = null;
        text(heading, say("racing.lanes.title"));
        allowSaving(saves, say("racing.lanes.unsaved"));
        return instead(say("racing.lanes.none"));
      }
      instead(null);
      allowSaving(saves, null);
      const before = last;
      last = { record: race.record, options: race.options, sets: config && config.prompt_sets };
      const same = before && before.record.runs[0] === last.record.runs[0] && before.record.costs === last.record.costs && ["axis", "c", "v"].every((name) => before.options[name] === last.options[name]);
      if (!same) redraw();
    },
  };
}

/** What stands at a lane's end. */
function endWords(lane, axis, tokens = lane.tokens, calls = lane.calls.length, end = lane.end) {
  return phraseOf(`racing.end.${axis}`, {
    tokens: { value: tokens, path: "derived:race_tokens", format: String }, calls: { value: calls, path: "derived:race_calls", format: String }, time: { value: end, path: "derived:race_time", format: milliseconds },
    steps: { value: end, path: "derived:race_predicted", format: number }, finish: lane.finish === "eos" ? say("racing.end.eos") : lane.finish === "context" ? say("racing.end.context") : "",
  });
}

/** The outline of a token's mark: its shape says what kind it is. */
function shapeOf(kind, x, y, width, height, chip) {
  const w = Math.max(width, 0.8), middle = x + w / 2, half = Math.min(w / 2, height * 0.8);
  if (chip || kind === "kept") return `M${x} ${y}h${w}v${height}h${-w}z`;
  if (kind === "correction") return `M${middle - half} ${y + height}L${middle} ${y}L${middle + half} ${y + height}z`;
  if (kind === "bonus") return `M${middle - half} ${y + height / 2}a${half} ${height / 2} 0 1 1 ${2 * half} 0a${half} ${height / 2} 0 1 1 ${-2 * half} 0z`;
  return `M${middle - half} ${y + height / 2}L${middle} ${y}L${middle + half} ${y + height / 2}L${middle} ${y + height}z`;
}

function createLane(parent, clip) {
  const root = svg("g", { class: "race-lane" }, parent), inside = svg("g", null, root), layer = svg("g", null, inside);
  const name = svg("text", { class: "race-name" }, root), tag = svg("text", { class: "race-tag" }, root);
  const label = svg("text", { class: "race-label" }, root), writeLabel = phrase(label);
  const segments = pool(() => svg("rect", { class: "race-call", role: "img", tabindex: "-1" }, layer));
  const tokens = pool(() => svg("path", null, layer));
  const words = pool(() => svg("text", { class: "pic-token race-word" }, layer));
  const end = svg("line", { class: "race-end" }, inside);
  let drawn = null, place = null;

  function write(parts, x = place.x) {
    writeLabel(parts);
    const length = cells(spoken(parts)) * CHAR, { y, top, view, width, named } = place;
    const right = Math.max(Math.min(x - 4, width), Math.min(named + 12 + length, view - 3));
    set(label, { x: right, "text-anchor": "end" });
    set(end, { y1: right < x ? y : top - 4 }); // a line through words would be read as a stroke
  }

  return {
    root,
    draw(lane, { y, scale, size, width, view, axis, reading, record, pieces }) {
      drawn = lane;
      const lossless = losslessHere(record, lane.rule), narrow = view < 620;
      const called = laneWords(lane.rule), wide = cells(called) * 7, named = wide + (lossless || narrow ? 0 : cells(tagWords()) * CHAR + 10);
      text(set(name, { x: 1, y: y + 13 }), called);
      present(tag, !lossless);
      if (!lossless) text(set(tag, narrow ? { x: 1, y: y + HEAD + 8 } : { x: wide + 10, y: y + 13 }), tagWords());
      const top = y + HEAD + (!lossless && narrow ? TAGLINE : 0);
      const rows = Math.max(1, ...lane.calls.map((call) => call.kinds.length)), pitch = size.height + size.gap, height = rows * pitch + size.gap;
      set(root, { "data-rule": lane.rule, class: `race-lane${lossless ? "" : " is-lossy"}` });
      segments.take(lane.calls.length).forEach((rect, n) => {
        const { from, length, kinds, call } = lane.calls[n];
        set(rect, { x: 1 + from * scale, y: top, width: Math.max(length * scale, 0.5), height, "data-call": n, "data-rule": lane.rule, "data-value": length, "data-path": "derived:race_call_length",
          "aria-label": say("racing.call.label", { rule: called, number: n + 1, count: call.shown, kept: kinds.filter((kind) => kind === "kept").length, gamma: call.gamma }) });
      });
      const flat = lane.calls.flatMap((call) => call.kinds.map((kind, row) => ({ call, kind, row })));
      tokens.take(flat.length).forEach((path, n) => {
        const { call, kind, row } = flat[n], space = Math.min(call.length * scale * 0.12, 2);
        set(path, { class: `race-token is-${kind}${reading ? " is-chip" : ""}`, "data-kind": kind, d: shapeOf(kind, Number((1 + call.from * scale + space).toFixed(2)), Number((top + height - (row + 1) * pitch).toFixed(2)), Number((call.length * scale - 2 * space).toFixed(2)), size.height, reading) });
      });
      words.take(reading && lane.ids ? flat.length : 0).forEach((word, n) => {
        const { call, row } = flat[n], id = lane.ids[n];
        set(word, { x: 1 + call.from * scale + 5, y: top + height - row * pitch - size.gap - 4, "data-token-id": id });
        text(word, fit(pieceText(pieces(id)), Math.max(1, Math.floor((call.length * scale - 9) / MONO))));
      });
      const x = 1 + lane.end * scale;
      present(end, lane.calls.length > 0);
      set(end, { x1: x, x2: x, y2: top + height + 3 });
      place = { x, y: y + 3, top, view, width, named, axis };
      set(label, { y: y + 13 });
      write(endWords(lane, axis));
      return top + height + BELOW;
    },
    /** The label while the lanes play: what the lane has by now. Null: the whole. */
    count(shown, fraction) {
      if (!drawn || !place || !root.parentNode) return;
      set(inside, { "clip-path": fraction === null ? null : `url(#${clip})` });
      if (fraction === null) return write(endWords(drawn, place.axis));
      const now = shown.longest * fraction, done = drawn.calls.filter((call) => call.from + call.length <= now * (1 + 1e-9));
      const tokens = done.reduce((sum, call) => sum + call.call.shown, 0);
      write(endWords(drawn, place.axis, tokens, done.length, Math.min(now, drawn.end)), Math.min(place.x, 1 + now * shown.scale));
    },
    /** One tab stop in all lanes: the chosen segment. */
    mark(at, focus) {
      segments.all.forEach((rect, n) => {
        const chosen = drawn && drawn.rule === at.rule && n === at.index;
        set(rect, { tabindex: chosen ? "0" : "-1", class: chosen ? "race-call is-chosen" : "race-call" });
        if (chosen && focus) /** @type {any} */ (rect).focus();
      });
    },
  };
}
