/**
 * The mass on the prefix tree under one rule or both: how much of every prefix is accepted, how much is corrected exactly there,
 * and how much passes after an earlier correction. The masses' widths are true, so deep levels are thin: the tree can be widened.
 */

import { phrase } from "../compare/measure_parts.js";
import { exportButtons } from "../compare/pictures_export.js";
import { ruleWords } from "../rule_gallery.js";
import { createScroller } from "../scroller.js";
import { html, onWidth, pool, set, svg, text } from "../svg.js";
import { say } from "../words/parts/sandbox_pictures.js";
import { pieces } from "../words/pieces.js";
import { placeOf, rulesOf, samePlace, within } from "./blocks.js";
import { exactly } from "./matrix_sheets.js";
import { pictureFrame } from "./picture_frame.js";
import { csvButton, treeRows } from "./sandbox_tables.js";
import { lawsWords } from "./sandbox_words.js";
import { allowSaves, captioned, unsaved } from "./saving.js";
import { createTreeChart } from "./tree_chart.js";
import { createTreeLegend } from "./tree_legend.js";
import { neighbour, treeHeight } from "./tree_layout.js";

const ZOOMS = [1, 2, 4, 8, 16], GAP = 18;
const THREE = ["token", "block", "greedy_block"]; // the rules whose masses have closed forms

/** @param {Element} container @param {any} actions */
export function createTree(container, actions) {
  const { root, tools, caption, body, instead } = pictureFrame(container, {
    name: "tree",
    title: say("picture.tree.title"),
    about: say("picture.tree.about", { size: "|v|" }),
  });
  const tabs = html("div", { class: "pic-choice", role: "group", "aria-label": say("picture.tree.whose") }, tools);
  const others = html("span", { class: "sbx-others" }, tools), zooms = html("span", { class: "pic-choice", role: "group", "aria-label": say("picture.tree.width") }, tools);
  const tabButtons = pool(() => named("button", tabs)), otherButtons = pool(() => named("button", others, "pic-toggle"));
  const narrower = html("button", { type: "button", "aria-label": say("picture.tree.narrower") }, zooms, "−"), wider = html("button", { type: "button", "aria-label": say("picture.tree.wider") }, zooms, "+");
  const legend = createTreeLegend(body);
  const scroll = createScroller(body);
  const stage = html("div", { class: "sbx-stage", tabindex: 0, role: "group", "aria-roledescription": say("picture.tree.role"), "aria-label": say("picture.tree.nodes") }, scroll);
  const chart = /** @type {SVGSVGElement} */ (svg("svg", { class: "pic-chart sbx-tree", role: "img" }, stage));
  const charts = pool(() => createTreeChart(chart));
  const sums = html("div", { class: "sbx-sums" }, body);
  const sumLines = pool(() => {
    const line = html("p", { class: "pic-note" }, sums);
    return { root: line, tell: phrase(line) };
  });
  const spoken = html("p", { class: "sbx-spoken", "aria-live": "polite" }, body);
  csvButton(tools, "prefix-tree", () => treeRows(last.picture));
  tools.addEventListener("click", (event) => /** @type {Element} */ (event.target).closest("[data-export]") && legend.during(chart, charts.all[0].fills), true);
  exportButtons(tools, chart, "prefix-tree", () => ({ caption: `${caption.textContent} ${lawsWords(last.picture)}` }));
  let last = null, width = 0, zoom = 0, tab = "both", drawn = null, shown = [], over = placeOf(null);

  function named(tag, parent, className) {
    const button = html(tag, { type: "button", class: className }, parent);
    button.addEventListener("click", () => press(button.dataset.name));
    return button;
  }
  function press(name) {
    // A third rule takes the place of the one whose tree is shown.
    if (!["left", "right", "both"].includes(name)) return actions.setRule(tab === "left" ? 0 : 1, name);
    tab = name;
    draw();
  }
  const widen = (by) => {
    const centre = (scroll.scrollLeft + scroll.clientWidth / 2) / Math.max(scroll.scrollWidth, 1);
    zoom = Math.min(ZOOMS.length - 1, Math.max(0, zoom + by));
    draw();
    scroll.scrollLeft = centre * scroll.scrollWidth - scroll.clientWidth / 2;
  };
  narrower.addEventListener("click", () => widen(-1));
  wider.addEventListener("click", () => widen(1));
  onWidth(body, (w) => {
    width = w;
    draw();
  });

  function draw() {
    if (!last || !width) return;
    const { picture } = last, rules = rulesOf(last), pair = rules[0] !== rules[1];
    shown = !pair ? [rules[0]] : tab === "both" ? rules : [rules[tab === "left" ? 0 : 1]];
    const wanted = pair ? [["left", ruleWords(rules[0])], ["right", ruleWords(rules[1])], ["both", say("picture.tree.both")]] : [["left", ruleWords(rules[0])]];
    tabButtons.take(wanted.length).forEach((button, k) => set(text(button, wanted[k][1]), { "data-name": wanted[k][0], "aria-pressed": String(!pair || wanted[k][0] === tab) }));
    const missing = actions.setRule ? THREE.filter((name) => !rules.includes(name)) : [];
    otherButtons.take(missing.length).forEach((button, k) => set(text(button, say("picture.tree.show", { rule: ruleWords(missing[k]) })), { "data-name": missing[k], title: say("picture.tree.in_place", { rule: ruleWords(rules[tab === "left" ? 0 : 1]) }) }));
    Object.assign(narrower, { disabled: zoom === 0 });
    Object.assign(wider, { disabled: zoom === ZOOMS.length - 1 });
    const inner = Math.max(width - 4, 200) * ZOOMS[zoom], each = treeHeight(picture.gamma);
    charts.take(shown.length).forEach((one, k) => {
      set(one.root, { transform: `translate(2 ${k * (each + GAP)})` });
      one.draw(picture, shown[k], inner);
    });
    const height = shown.length * (each + GAP) - GAP;
    set(chart, { width: inner + 4, height, viewBox: `0 0 ${inner + 4} ${height}`, "aria-label": labelOf(shown.map(ruleWords), picture.gamma) });
    sumLines.take(shown.length).forEach((line, k) => line.tell(sumOf(picture, shown[k])));
    drawn = { picture, rules: rules.join(" ") };
    mark();
  }

  function mark() {
    const selected = within(last.selected, last.picture), hovered = within(last.hovered, last.picture);
    charts.all.slice(0, shown.length).forEach((one) => one.mark(last.picture, selected, hovered));
  }

  const prefixAt = (event) => {
    const node = event.target.closest("[data-prefix]");
    return node ? node.getAttribute("data-prefix") : null;
  };
  function hover(place, title) {
    set(stage, { title });
    if (samePlace(place, over)) return;
    over = place;
    actions.hover(place);
  }
  stage.addEventListener("pointerover", (event) => {
    const prefix = prefixAt(event), one = charts.all.find((item) => item.root.contains(/** @type {Node} */ (event.target)));
    hover({ ...placeOf(null), prefix }, prefix === null || !one ? null : one.words(last.picture, prefix));
  });
  stage.addEventListener("pointerleave", () => hover(placeOf(null), null));
  const choose = (prefix) => actions.select({ ...placeOf(last.selected), prefix });
  stage.addEventListener("click", (event) => {
    const prefix = prefixAt(event);
    if (prefix !== null) choose(prefix);
  });
  stage.addEventListener("keydown", (event) => {
    if (!last || event.ctrlKey || event.metaKey || event.altKey || !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    event.stopPropagation();
    const { prefix } = within(last.selected, last.picture), next = prefix === null ? "" : neighbour(prefix, event.key, last.picture.symbols, last.picture.gamma);
    if (next === null) return;
    choose(next);
    text(spoken, charts.all.slice(0, shown.length).map((one) => one.words(last.picture, next)).reduce((one, other) => say("picture.node.next", { one, other })));
    const place = charts.all[0].placeOf(next);
    if (place) scroll.scrollLeft = Math.max(Math.min(scroll.scrollLeft, place.x - 20), place.x + place.width - scroll.clientWidth + 20);
  });

  return {
    update(view) {
      allowSaves(tools, unsaved(view));
      if (!view.picture) {
        last = null;
        return instead(say("picture.tree.waits"));
      }
      instead(null);
      last = view;
      text(caption, captioned(view, say("picture.tree.caption")));
      set(root, { "data-stale": view.old, "data-pending": view.pending.picture });
      if (drawn && drawn.picture === view.picture && drawn.rules === rulesOf(view).join(" ")) mark();
      else draw();
    },
  };
}

/** @param {string[]} rules in words, one or two @param {number} gamma */
const labelOf = ([first, second], gamma) => (second ? say("picture.tree.label_both", { first, second, gamma }) : say("picture.tree.label", { rule: first, gamma }));

/** "block: E[τ] 1.22 = 11/9 is the accepted mass of all levels: 0.778 + 0.444", as parts of a phrase. */
export function sumOf(picture, name) {
  const rule = picture.rules[name], levels = Array.from({ length: picture.gamma }, (_, k) => k + 1);
  const level = (length) => Object.keys(picture.tree).filter((prefix) => prefix.length === length).reduce((sum, prefix) => sum + rule.nodes[prefix].accepted, 0);
  return pieces("picture.tree.sum", {
    rule: ruleWords(name), mean: exactly(rule.expected, `picture:/rules/${name}/expected`, rule.expected_fraction),
    levels: levels.flatMap((length, k) => [k ? " + " : "", { value: level(length), path: "derived:accepted_level", name: `P(τ ≥ ${length})` }]),
  });
}
