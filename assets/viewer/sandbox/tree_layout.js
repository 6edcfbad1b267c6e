/** Where the mass on the prefix tree stands: widths are masses, children tile what their parent emits. Pure geometry, no document. */

import { childrenOf, prefixAt, rankOf } from "./blocks.js";

export const BAR = 26, LEVEL = 68, TOP = 20; // a node's bar; from one level's bars to the next's; the labels above the first

/**
 * @typedef {object} Node
 * @property {string} prefix @property {number} level @property {number} x @property {number} width @property {number} y of its bar
 * @property {{name: "accepted"|"stopped"|"corrected"|"continued", mass: number, x: number, width: number}[]} parts `stopped` lies at the end of `accepted`
 */

/**
 * The nodes of a rule's tree, level by level, in lexicographic order.
 * @param {any} picture @param {any} rule picture.rules[name] @param {number} width of the mass 1
 * @returns {Node[]}
 */
export function treeLayout(picture, rule, width) {
  const { symbols, gamma } = picture;
  /** @type {Node[]} */
  const out = [];
  let level = [{ prefix: "", x: 0 }];
  for (let depth = 0; depth <= gamma; depth++) {
    const next = [];
    for (const { prefix, x } of level) {
      const masses = rule.nodes[prefix];
      const after = x + masses.accepted * width, later = after + masses.corrected * width, stops = depth < gamma ? Math.min(masses.stopped, masses.accepted) : 0;
      out.push({
        prefix, level: depth, x, width: masses.emitted * width, y: TOP + depth * LEVEL,
        parts: [
          { name: "accepted", mass: masses.accepted, x, width: masses.accepted * width },
          { name: "stopped", mass: stops, x: after - stops * width, width: stops * width },
          { name: "corrected", mass: masses.corrected, x: after, width: masses.corrected * width },
          { name: "continued", mass: masses.continued, x: later, width: masses.continued * width },
        ],
      });
      if (depth === gamma) continue;
      let at = x;
      for (const child of childrenOf(prefix, symbols)) {
        next.push({ prefix: child, x: at });
        at += rule.nodes[child].emitted * width;
      }
    }
    level = next;
  }
  return out;
}

/** The height of a tree. @param {number} gamma */
export const treeHeight = (gamma) => TOP + gamma * LEVEL + BAR + 8;

/**
 * The bands from what stops at a node to what is corrected just below it, each as wide as its mass.
 * @param {Node[]} nodes @returns {{from: string, to: string, mass: number, d: string}[]}
 */
export function correctionBands(nodes) {
  const at = new Map(nodes.map((node) => [node.prefix, node])), used = new Map(), out = [];
  for (const node of nodes) {
    const corrected = node.parts[2], parent = at.get(node.prefix.slice(0, -1));
    if (!node.level || corrected.mass <= 0) continue;
    const stopped = parent.parts[1], start = stopped.x + (used.get(parent.prefix) || 0), top = parent.y + BAR, bottom = node.y, bend = (top + bottom) / 2;
    used.set(parent.prefix, (used.get(parent.prefix) || 0) + corrected.width);
    const c = (x) => x.toFixed(2);
    out.push({
      from: parent.prefix, to: node.prefix, mass: corrected.mass,
      d: `M${c(start)} ${top}C${c(start)} ${bend} ${c(corrected.x)} ${bend} ${c(corrected.x)} ${bottom}H${c(corrected.x + corrected.width)}C${c(corrected.x + corrected.width)} ${bend} ${c(start + corrected.width)} ${bend} ${c(start + corrected.width)} ${top}Z`,
    });
  }
  return out;
}

/** The node a key leads to, null where there is none. @param {string} prefix @param {string} key @param {number} symbols @param {number} gamma */
export function neighbour(prefix, key, symbols, gamma) {
  if (key === "ArrowUp") return prefix.length ? prefix.slice(0, -1) : null;
  if (key === "ArrowDown") return prefix.length < gamma ? childrenOf(prefix, symbols)[0] : null;
  if (key !== "ArrowLeft" && key !== "ArrowRight") return null;
  const rank = rankOf(prefix, symbols) + (key === "ArrowRight" ? 1 : -1);
  return rank >= 0 && rank < symbols ** prefix.length ? prefixAt(rank, prefix.length, symbols) : null;
}
