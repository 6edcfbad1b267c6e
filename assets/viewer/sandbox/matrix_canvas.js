/** Many cells at once: on a canvas for the screen, as a few paths for an export. Both tint as the retained cells do. */

import { html, set } from "../svg.js";
import { isZero, kindOf, shade } from "./matrix_sheets.js";

const KINDS = ["kept", "corrected", "more", "less"];
const VARIABLES = { kept: "--kept", corrected: "--residual", more: "--more", less: "--less" };
const LEVELS = 24; // tints of an export
const STRIPE = 0.3; // of the tint between the stripes of "less"

/** The colours of the page as it is now, light or dark: red, green and blue of each kind. @param {Element} node @returns {Record<string, number[]>} */
export function coloursOf(node) {
  const style = getComputedStyle(node), pen = document.createElement("canvas").getContext("2d");
  return Object.fromEntries(KINDS.map((kind) => {
    pen.fillStyle = style.getPropertyValue(VARIABLES[kind]).trim() || "#777777";
    const text = String(pen.fillStyle);
    return [kind, [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16))];
  }));
}

/** @param {Element} parent */
export function createMatrixCanvas(parent) {
  const root = /** @type {HTMLCanvasElement} */ (html("canvas", { class: "sbx-canvas", "aria-hidden": "true" }, parent));
  return {
    root,
    /** @param {import("./matrix_sheets.js").Sheet} sheet @param {import("./matrix_layout.js").Layout} g @param {number} largest @param {Record<string, number[]>} colours @param {{x: number, y: number}} corner */
    draw(sheet, g, largest, colours, corner) {
      const { w, h } = g.cell, width = g.n * w, height = g.n * h;
      if (root.width !== width || root.height !== height) Object.assign(root, { width, height });
      root.style.cssText = `left:${corner.x + g.left}px;top:${corner.y + g.top}px;width:${width}px;height:${height}px`;
      set(root, { "data-panel": sheet.kind, "data-waiting": sheet.waiting });
      const image = new ImageData(width, height), pixels = image.data;
      for (let row = 0; row < g.n; row++) for (let column = 0; column < g.n; column++) {
        const mass = sheet.at(row, column);
        if (isZero(sheet, mass)) continue;
        const kind = kindOf(sheet, row, column, mass), [red, green, blue] = colours[kind], tint = shade(mass, largest, g.cell.written) * 255;
        for (let y = row * h; y < (row + 1) * h; y++) for (let x = column * w; x < (column + 1) * w; x++) {
          const at = 4 * (y * width + x);
          pixels[at] = red;
          pixels[at + 1] = green;
          pixels[at + 2] = blue;
          pixels[at + 3] = kind === "less" && (x + y) % 4 > 1 ? tint * STRIPE : tint;
        }
      }
      root.getContext("2d").putImageData(image, 0, 0);
    },
  };
}

/** The cells as paths, one for each kind and tint. @param {import("./matrix_sheets.js").Sheet} sheet @param {import("./matrix_layout.js").Layout} g @param {number} largest @param {string} stripes the fill of "less" */
export function tintsOf(sheet, g, largest, stripes) {
  const found = new Map(), { w, h } = g.cell, most = shade(1, 1, g.cell.written);
  for (let row = 0; row < g.n; row++) for (let column = 0; column < g.n; column++) {
    const mass = sheet.at(row, column);
    if (isZero(sheet, mass)) continue;
    const kind = kindOf(sheet, row, column, mass), level = Math.round((shade(mass, largest, g.cell.written) / most) * LEVELS), key = `${kind} ${level}`;
    found.set(key, `${found.get(key) || ""}M${g.left + column * w} ${g.top + row * h}h${w}v${h}h${-w}z`);
  }
  const classes = { kept: "pic-fill-kept", corrected: "pic-fill-residual", more: "sbx-fill-more", less: "sbx-less" };
  return [...found].map(([key, d]) => {
    const [kind, level] = key.split(" ");
    return { d, className: classes[kind], fill: kind === "less" ? stripes : null, opacity: ((Number(level) / LEVELS) * most).toFixed(3) };
  });
}
