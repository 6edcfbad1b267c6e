/**
 * What the pictures have in common: the frame with caption and definition, hatches, labels that fit, and what a click means.
 * A number that can be explained carries `data-explain` (name) and `data-args` (JSON); a token carries `data-token-id`.
 */

import { cutInside } from "./format.js";
import { say } from "./words/parts/viewer.js";
import { html, present, set, show, svg, text } from "./svg.js";

let counter = 0;

/** An id that no other picture of the page has. */
export const unique = (stem) => `${stem}-${++counter}`;

/**
 * Heading, one-sentence caption, "?" with the definition, and a body.
 * @param {Element} container @param {{name: string, title: string, about: string}} words
 */
export function frame(container, { name, title, about }) {
  const root = html("section", { class: `pic pic-${name}`, "aria-label": title }, container);
  const head = html("div", { class: "pic-head" }, root);
  const heading = html("h3", null, head, title);
  const id = unique("definition");
  const help = html("button", { type: "button", class: "pic-help", "aria-expanded": "false", "aria-controls": id, "aria-label": say("viewer.definition", { title }) }, head, "?");
  const tools = html("div", { class: "pic-tools" }, head);
  const definition = html("p", { class: "pic-definition", id }, root, about);
  const caption = html("p", { class: "pic-caption" }, root);
  const body = html("div", { class: "pic-body" }, root);
  const empty = html("p", { class: "pic-empty" }, root);
  show(definition, false);
  show(empty, false);
  help.addEventListener("click", () => {
    const open = help.getAttribute("aria-expanded") !== "true";
    set(help, { "aria-expanded": String(open) });
    show(definition, open);
  });
  return {
    root, heading, tools, caption, body,
    /** Words in place of the picture, or null for the picture. */
    instead(words) {
      text(empty, words || "");
      show(empty, Boolean(words));
      present(body, !words);
      show(caption, !words);
    },
  };
}

/** A switch between a few choices; `choose(name)` sets it without calling back. */
export function choice(parent, label, options, onChange) {
  const group = html("div", { class: "pic-choice", role: "group", "aria-label": label }, parent);
  const buttons = options.map(([name, words]) => {
    const button = html("button", { type: "button", "data-choice": name, "aria-pressed": "false" }, group, words);
    button.addEventListener("click", () => {
      choose(name);
      onChange(name);
    });
    return button;
  });
  const choose = (name) => buttons.forEach((button) => set(button, { "aria-pressed": String(button.dataset.choice === name) }));
  choose(options[0][0]);
  return { root: group, choose };
}

/** A hatch of strokes in a CSS class's colour, so that it follows dark mode. Returns `url(#…)`. */
export function hatch(defs, className, { step = 4, angle = 45 } = {}) {
  const id = unique("hatch");
  const pattern = svg("pattern", { id, width: step, height: step, patternUnits: "userSpaceOnUse", patternTransform: `rotate(${angle})` }, defs);
  svg("rect", { class: className + "-ground", width: step, height: step }, pattern);
  svg("rect", { class: className + "-stroke", width: step * 0.5, height: step }, pattern);
  return `url(#${id})`;
}

/** Clicks (and Enter or Space on what has the focus): a number is explained, a token is chosen, a position is chosen. */
export function clicks(root, actions) {
  const act = (target) => {
    const number = target.closest("[data-explain]");
    if (number && root.contains(number)) {
      if (actions.explain) actions.explain(number.getAttribute("data-explain"), JSON.parse(number.getAttribute("data-args") || "{}"));
      return true;
    }
    const token = target.closest("[data-token-id]");
    if (token && root.contains(token) && token.getAttribute("data-token-id") !== "rest") {
      if (actions.select) actions.select({ token: Number(token.getAttribute("data-token-id")) });
      return true;
    }
    return false;
  };
  root.addEventListener("click", (event) => act(event.target));
  root.addEventListener("keydown", (event) => {
    if ((event.key === "Enter" || event.key === " ") && event.target.matches("[role=button]") && act(event.target)) {
      event.preventDefault();
      event.stopPropagation();
    }
  });
}

/** A number in running text that can be clicked: a button by role, with its place in the tab order. */
export function explained(node, name, args) {
  return set(node, { class: "pic-number", role: "button", tabindex: "0", "data-explain": name, "data-args": JSON.stringify(args) });
}

/** The explanation of an SVG number: no tab stop, the formulas panel has a list for the keyboard. */
export const explains = (node, name, args) => set(node, { "data-explain": name, "data-args": JSON.stringify(args) });

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Extended_Pictographic}/u;

/** Width of text in monospaced cells: East Asian characters and emoji take two, marks and isolates none. */
export const cells = (words) => Array.from(words).reduce((sum, char) => sum + (WIDE.test(char) ? 2 : /[\p{M}\p{Cf}]/u.test(char) ? 0 : 1), 0);

/** The first of some ways to say a thing that has room, whole; else the last. @param {string[]} ways the longest first @param {number} room */
export const fitting = (ways, room) => ways.find((words) => cells(words) <= room) ?? ways[ways.length - 1];

/** Text cut to at most `room` monospaced cells, "…" at the end where something is missing. */
export const fit = (words, room) => (cells(words) <= room ? words : cutInside(words, (whole) => {
  let out = "", used = 1;
  for (const char of Array.from(whole)) {
    used += cells(char);
    if (used > room) break;
    out += char;
  }
  return out + "…";
}));
