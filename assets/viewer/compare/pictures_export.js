/**
 * Any SVG picture of the page as a file of its own: styles as computed, the ground as shown (light or dark), title and caption
 * inside, fonts by generic family; and as a PNG of twice its size. Nothing is loaded from anywhere.
 */

import { html, set, svg as element, text } from "../svg.js";
import { say as sayMeasure } from "../words/parts/measure.js";
import { linesOf as inLines } from "./lines.js";
import { say as inWords } from "../words/parts/viewer.js";
import { save } from "./save.js";

const PAD = 14, TITLE = 15, LINE = 17, CAPTION = 12, FACTOR = 2, LARGEST = 16384;
const INHERITED = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "paint-order", "font-size", "font-weight", "font-style", "font-variant-numeric", "text-anchor", "letter-spacing", "visibility"];
const OWN = { opacity: "1", "clip-path": "none", "text-decoration-line": "none", "dominant-baseline": "auto", "mix-blend-mode": "normal" };
const GENERIC = [{ pattern: /mono|consolas|menlo|courier/i, name: "monospace" }, { pattern: /sans|system-ui|roboto|arial|helvetica/i, name: "sans-serif" }, { pattern: /serif|georgia|times/i, name: "serif" }];
const DROPPED = /^(class|style|tabindex|role|data-|aria-|on)/;
// What XML 1.0 cannot hold, lone surrogates included.
const ILLEGAL = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const clean = (words) => words.replace(ILLEGAL, "\uFFFD");
const generic = (families) => (GENERIC.find((entry) => entry.pattern.test(families)) || { name: "sans-serif" }).name;

/** Copies a shown SVG node with its computed style as attributes; null for what is not displayed. */
function copyOf(node, parentStyle) {
  if (node.nodeType === 3) return document.createTextNode(clean(node.data));
  if (node.nodeType !== 1) return null;
  const style = getComputedStyle(node), copy = document.createElementNS(node.namespaceURI, node.localName);
  const described = node.localName === "title" || node.localName === "desc";
  if (style.display === "none" && !described && !insideDefinitions(node)) return null;
  for (const { name, value } of node.attributes) if (!DROPPED.test(name)) copy.setAttribute(name, clean(value));
  if (!described) {
    for (const name of INHERITED) {
      const value = style.getPropertyValue(name);
      if (!parentStyle || value !== parentStyle.getPropertyValue(name)) copy.setAttribute(name, value.replace(/url\("([^"]*)"\)/g, "url($1)"));
    }
    const family = generic(style.fontFamily);
    if (!parentStyle || family !== generic(parentStyle.fontFamily)) copy.setAttribute("font-family", family);
    for (const name in OWN) {
      const value = style.getPropertyValue(name);
      if (value && value !== OWN[name]) copy.setAttribute(name === "text-decoration-line" ? "text-decoration" : name, value.replace(/url\("([^"]*)"\)/g, "url($1)"));
    }
  }
  for (const child of node.childNodes) {
    const inner = copyOf(child, described ? parentStyle : style);
    if (inner) copy.append(inner);
  }
  return copy;
}

const insideDefinitions = (node) => Boolean(node.closest("defs, clipPath, pattern, linearGradient, mask"));

/** The colour behind a node. */
function groundOf(node) {
  for (let at = node; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (colour && colour !== "transparent" && !/, 0\)$|\/ 0\)$/.test(colour)) return colour;
  }
  return "#FFFFFF";
}

/** A text broken into lines of at most `width` pixels. */
function linesOf(words, width, font) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = font;
  return inLines(words, (line) => pen.measureText(line).width <= width);
}

/** Title and caption of the picture's frame, as they stand on the page. */
function wordsOf(svg) {
  const frame = svg.closest(".pic"), find = (selector) => frame && frame.querySelector(selector);
  const title = find("h3"), caption = find(".pic-caption"), named = svg.closest("section[aria-label]");
  return { title: title ? title.textContent : named ? named.getAttribute("aria-label") : "", caption: caption ? caption.textContent : svg.getAttribute("aria-label") || "" };
}

/**
 * The picture as a standalone SVG document.
 * @param {SVGSVGElement} svg in the document, drawn
 * @param {{title?: string, caption?: string}} [words] without them those of the picture's frame
 * @returns {{text: string, width: number, height: number}}
 */
export function standalone(svg, words = {}) {
  const box = svg.viewBox.baseVal && svg.viewBox.baseVal.width ? svg.viewBox.baseVal : svg.getBoundingClientRect();
  const { title, caption } = { ...wordsOf(svg), ...words };
  const ink = getComputedStyle(svg.parentElement).color, room = Math.max(box.width, 240);
  const heads = linesOf(clean(title), room, `600 ${TITLE}px sans-serif`), lines = linesOf(clean(caption), room, `${CAPTION}px sans-serif`);
  const top = PAD + heads.length * (TITLE + 5) + lines.length * LINE + (heads.length + lines.length ? 6 : 0);
  const width = Math.ceil(room + 2 * PAD), height = Math.ceil(box.height + top + PAD);
  const root = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) root.setAttribute(name, String(value));
  element("title", null, root, clean(title));
  element("desc", null, root, clean(svg.getAttribute("aria-label") || caption));
  element("rect", { width, height, fill: groundOf(svg) }, root);
  const say = (line, y, size, weight) => element("text", { x: PAD, y, "font-family": "sans-serif", "font-size": `${size}px`, "font-weight": weight, fill: ink }, root, line);
  heads.forEach((line, n) => say(line, PAD + TITLE + n * (TITLE + 5), TITLE, 600));
  lines.forEach((line, n) => say(line, PAD + heads.length * (TITLE + 5) + CAPTION + 2 + n * LINE, CAPTION, 400));
  const body = element("g", { transform: `translate(${PAD - (box.x && svg.viewBox.baseVal.width ? box.x : 0)} ${top})` }, root);
  const inner = /** @type {Element} */ (copyOf(svg, null));
  for (const { name, value } of inner.attributes) if (INHERITED.includes(name) || name === "font-family") body.setAttribute(name, value);
  body.append(...inner.childNodes);
  return { text: `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(root)}\n`, width, height };
}

/** The picture as a PNG of twice its size (less where a canvas could not hold it). @param {SVGSVGElement} svg @param {object} [words] @returns {Promise<Blob>} */
export async function picture(svg, words) {
  const { text: source, width, height } = standalone(svg, words), factor = Math.min(FACTOR, LARGEST / Math.max(width, height));
  const url = URL.createObjectURL(new Blob([source], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    await new Promise((resolve, reject) => Object.assign(image, { onload: resolve, onerror: () => reject(new Error(sayMeasure("measure.not_drawn"))), src: url }));
    const canvas = Object.assign(document.createElement("canvas"), { width: Math.round(width * factor), height: Math.round(height * factor) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(sayMeasure("measure.too_large")))), "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}

/**
 * Two small buttons that save a picture.
 * @param {Element} container @param {SVGSVGElement} svg @param {string} name of the files @param {() => {title?: string, caption?: string}} [words]
 */
export function exportButtons(container, svg, name, words = () => ({})) {
  const root = html("span", { class: "export-buttons", role: "group", "aria-label": inWords("viewer.save_picture") }, container);
  const make = (label, ending, work) => {
    const button = html("button", { type: "button", class: "pic-toggle", "data-export": `${name}.${ending}`, title: inWords("viewer.save_picture_as", { kind: label }), "aria-label": inWords("viewer.save_picture_as", { kind: label }) }, root, label);
    button.addEventListener("click", async () => {
      try {
        save(`specdemo-${name}.${ending}`, await work());
        text(button, label);
      } catch (error) {
        text(button, sayMeasure("measure.named", { name: label, what: error.message }));
      }
    });
  };
  make("SVG", "svg", async () => new Blob([standalone(svg, words()).text], { type: "image/svg+xml" }));
  make("PNG", "png", () => picture(svg, words()));
  return root;
}

/** Lets a picture be saved, or says on the buttons why not. @param {Element} buttons of `exportButtons` @param {string|null} reason null: it can be saved */
export function allowSaving(buttons, reason) {
  for (const button of buttons.querySelectorAll("button")) {
    button.disabled = Boolean(reason);
    set(button, { title: reason || button.getAttribute("aria-label") });
  }
}
