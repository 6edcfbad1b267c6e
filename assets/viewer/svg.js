/**
 * Retained-mode helpers: nodes are built once, later only their attributes and text change.
 * Text reaches the page through textContent alone; nothing here knows a trace.
 */

import { dataValue, full, number } from "./format.js";

const SVG = "http://www.w3.org/2000/svg";

/** What a model or a person wrote: no translator of pages touches it. */
export const FOREIGN = { translate: "no" };
/** A whole such text, which runs in the direction of its own letters. */
export const FOREIGN_TEXT = { ...FOREIGN, dir: "auto" };

/** Sets attributes that differ; null, undefined and false remove one. Returns the node. A token's text is FOREIGN by its `data-token-id`. */
export function set(node, attributes) {
  if ("data-token-id" in attributes) set(node, /^\d/.test(String(attributes["data-token-id"])) ? FOREIGN : { translate: null });
  for (const name in attributes) {
    const value = attributes[name];
    if (value === null || value === undefined || value === false) {
      if (node.hasAttribute(name)) node.removeAttribute(name);
    } else {
      const text = value === true ? "" : typeof value === "number" && !Number.isInteger(value) && !name.startsWith("data-") ? value.toFixed(2) : String(value);
      if (node.getAttribute(name) !== text) node.setAttribute(name, text);
    }
  }
  return node;
}

/** Sets the text of a node that has no element children. Returns the node. */
export function text(node, content) {
  const value = content === null || content === undefined ? "" : String(content);
  if (node.firstChild && node.firstChild === node.lastChild && node.firstChild.nodeType === 3) {
    if (node.firstChild.data !== value) node.firstChild.data = value;
  } else if (node.textContent !== value) node.textContent = value;
  return node;
}

/** A new HTML element. @param {string} tag @param {object} [attributes] @param {Element} [parent] @param {string} [content] */
export function html(tag, attributes, parent, content) {
  const node = document.createElement(tag);
  if (attributes) set(node, attributes);
  if (content !== undefined) node.textContent = content;
  if (parent) parent.append(node);
  return node;
}

/** A new SVG element. @param {string} tag @param {object} [attributes] @param {Element} [parent] @param {string} [content] */
export function svg(tag, attributes, parent, content) {
  const node = document.createElementNS(SVG, tag);
  if (attributes) set(node, attributes);
  if (content !== undefined) node.textContent = content;
  if (parent) parent.append(node);
  return node;
}

/** Shows or hides a node without taking it out of the tree. */
export function show(node, visible) {
  const display = visible ? "" : "none";
  if (node.style.display !== display) node.style.display = display;
  if (visible && node.getAttribute("style") === "") node.removeAttribute("style");
  return node;
}

const places = new WeakMap();

/** Puts a node into the document or takes it out, a comment keeping its place: for marks whose numbers must not outlive their step. */
export function present(node, wanted) {
  const place = places.get(node);
  if (wanted && place && place.parentNode) place.replaceWith(node);
  else if (!wanted && node.parentNode) {
    if (!place) places.set(node, document.createComment(""));
    node.replaceWith(places.get(node));
  }
  return node;
}

/**
 * A growing list of like nodes: `take(n)` returns the first n, made where missing. The others leave the document, so that
 * no number of another step stays in it; a comment keeps their place. A maker may return a node or a record with a `root` node.
 * @template T
 * @param {() => T} make appends its own node
 * @returns {{take(n: number): T[], all: T[]}}
 */
export function pool(make) {
  const all = [], marks = [];
  let shown = 0;
  const rootOf = (item) => item.root || item;
  return {
    all,
    take(n) {
      while (all.length < n) all.push(make());
      for (let i = shown; i < n; i++) if (marks[i] && marks[i].parentNode) marks[i].replaceWith(rootOf(all[i]));
      for (let i = n; i < shown; i++) rootOf(all[i]).replaceWith((marks[i] = marks[i] || document.createComment("")));
      shown = n;
      return all.slice(0, n);
    },
  };
}

/** The tooltip of an SVG or HTML node. */
export function tip(node, content) {
  if (!(node instanceof SVGElement)) return set(node, { title: content });
  let title = node.querySelector(":scope > title");
  if (!title) title = svg("title", null, node);
  text(title, content);
  return node;
}

/**
 * Puts a number on a node: three digits as text, the full value in `data-value` and the tooltip, its source in `data-path`.
 * @param {Element} node an element for this number alone (SVG: a <text> whose first child is kept for the text)
 * @param {number|string|null} value
 * @param {string} path JSON pointer in the trace, or "derived:NAME"
 * @param {{format?: (x: any) => string, before?: string, after?: string, name?: string}} [options] `name` goes before the full value in the tooltip
 */
export function value(node, value_, path, options = {}) {
  const shown = (options.before || "") + (options.format || number)(value_) + (options.after || "");
  if (node instanceof SVGElement) {
    let span = node.firstElementChild;
    if (!span || span.tagName !== "tspan") span = svg("tspan", null, node);
    text(span, shown);
  } else text(node, shown);
  set(node, { "data-path": path, "data-value": dataValue(value_) });
  return tip(node, (options.name ? options.name + " = " : "") + full(value_));
}

/** Calls `draw(width)` now and whenever the width of the container changes (also when a hidden tab is opened). */
export function onWidth(container, draw) {
  let last = -1;
  const check = () => {
    const width = Math.floor(container.clientWidth);
    if (width > 0 && width !== last) {
      last = width;
      draw(width);
    }
  };
  const observer = new ResizeObserver(check);
  observer.observe(container);
  check();
  return () => observer.disconnect();
}
