/**
 * The formulas of a node's masses with the node's numbers. Three rules have closed forms; of the others it is said what was enumerated.
 * No document.
 *
 * @typedef {string | {value: number, path: string, name?: string, format?: (x: any) => string}} Bit
 */

import { say } from "../words/parts/sandbox_pictures.js";
import { pieces } from "../words/pieces.js";
import { childrenOf, EQUAL, lawOf, nodePointer } from "./blocks.js";
import { withFraction } from "./simple_fractions.js";

const name = (prefix) => prefix || "∅";
/** A mass by its name: "corrected". @param {string} which */
const massName = (which) => say(`picture.node.${which}`);
const ROUNDING = 1e-13; // less stops nowhere

/** What the formulas of one node under one rule share. @param {any} picture @param {string} rule @param {string} prefix */
function contextOf(picture, rule, prefix) {
  const parent = prefix.slice(0, -1), symbol = prefix.slice(-1), record = picture.rules[rule];
  const mass = (which, at = prefix) => ({ value: record.nodes[at][which], path: nodePointer(rule, at, which), name: `${massName(which)}(${name(at)})` });
  const result = (which) => ({ ...mass(which), format: withFraction });
  const law = (side) => {
    const { x, path } = lawOf(picture, side, parent, symbol);
    return { value: x, path, name: `${side === "draft" ? "D" : "T"}(${symbol}│${name(parent)})` };
  };
  const joint = (side, at = prefix) => ({ value: picture.tree[at][side], path: `picture:/tree/${at}/${side}`, name: `${side === "draft" ? "S" : "B"}(${name(at)})` });
  return { picture, rule, record, prefix, parent, symbol, i: prefix.length, mass, result, law, joint, D: `D(${symbol}│${name(parent)})`, T: `T(${symbol}│${name(parent)})`, S: `S(${prefix})`, B: `B(${prefix})`, own: `(${prefix})`, of: `(${name(parent)})` };
}

/** a(v) by the rules' recursions. @type {Record<string, (c: any) => Bit[]>} */
const ACCEPTED = {
  token: (c) => [`a${c.own} = a${c.of} · min(${c.D}, ${c.T}) = `, c.mass("accepted", c.parent), " · min(", c.law("draft"), ", ", c.law("target"), ") = "],
  block: (c) => [`a${c.own} = min(${c.S}, a${c.of} · ${c.T}) = min(`, c.joint("draft"), ", ", c.mass("accepted", c.parent), " · ", c.law("target"), ") = "],
  greedy_block: (c) => [`a${c.own} = min(${c.S}, ${c.B}) = min(`, c.joint("draft"), ", ", c.joint("target"), ") = "],
};

/** The mass whose correction completes v. @type {Record<string, (c: any) => Bit[]>} */
const CORRECTED = {
  token: (c) => [`${massName("corrected")}${c.own} = a${c.of} · (${c.T} − ${c.D})₊ = `, c.mass("accepted", c.parent), " · (", c.law("target"), " − ", c.law("draft"), ")₊ = "],
  block: (c) => [`${massName("corrected")}${c.own} = (a${c.of} · ${c.T} − ${c.S})₊ = (`, c.mass("accepted", c.parent), " · ", c.law("target"), " − ", c.joint("draft"), ")₊ = "],
  greedy_block(c) {
    const children = childrenOf(c.parent, c.picture.symbols), wanted = children.reduce((sum, child) => sum + Math.max(0, c.picture.tree[child].target - c.picture.tree[child].draft), 0);
    const each = (make) => children.flatMap((child, k) => [k ? " + " : "", ...make(child)]);
    if (wanted <= EQUAL) return [say("picture.formulas.unwanted", { formula: massName("corrected") + c.own, prefix: name(c.parent) })];
    return [`${massName("corrected")}${c.own} = ${massName("stopped")}${c.of} · (${c.B} − ${c.S})₊ / (${each((child) => [`(B(${child}) − S(${child}))₊`]).join("")}) = `, c.mass("stopped", c.parent), " · (", c.joint("target"), " − ", c.joint("draft"), ")₊ / (",
      ...each((child) => ["(", c.joint("target", child), " − ", c.joint("draft", child), ")₊"]), ") = "];
  },
};

/**
 * The formulas of a node under a rule.
 * @param {any} picture @param {string} rule @param {string} prefix
 * @returns {{lines: Bit[][], words: string[]}}
 */
export function nodeFormulas(picture, rule, prefix) {
  const c = contextOf(picture, rule, prefix), gamma = picture.gamma, lines = [], words = [];
  const known = rule in ACCEPTED, follows = c.record.lossless === "always" && !c.record.remembers;
  if (!prefix) lines.push(pieces("picture.formulas.root", { mass: c.mass("accepted") }));
  else {
    lines.push(known ? [...ACCEPTED[rule](c), c.result("accepted")] : [`a${c.own} = P(τ ≥ ${c.i}, ${c.i > 1 ? say("picture.formulas.up_to", { length: c.i }) : "X₁"} = ${prefix}) = `, c.result("accepted")]);
    if (!known) words.push(say("picture.formulas.enumerated", { formula: `a${c.own}`, prefix }));
    lines.push(known ? [...CORRECTED[rule](c), c.result("corrected")] : [`${massName("corrected")}${c.own} = P(τ = ${c.i - 1}, ${say("picture.formulas.kept", { prefix: name(c.parent) })}, Y = ${c.symbol}) = `, c.result("corrected")]);
    if (follows) lines.push([`${massName("continued")}${c.own} = (${massName("corrected")}${c.of} + ${massName("continued")}${c.of}) · ${c.T} = (`, c.mass("corrected", c.parent), " + ", c.mass("continued", c.parent), ") · ", c.law("target"), " = ", c.result("continued")]);
    else {
      lines.push([`${massName("continued")}${c.own} = `, c.result("continued")]);
      words.push(say(c.record.remembers ? "picture.formulas.owed" : "picture.formulas.later"));
    }
    const equal = Math.abs(c.record.nodes[prefix].emitted - picture.tree[prefix].target) <= EQUAL;
    const sum = { formula: massName("emitted") + c.own, mass: c.result("emitted"), law: c.B };
    lines.push(equal ? pieces("picture.formulas.sum", sum) : pieces("picture.formulas.sum_other", { ...sum, wanted: c.joint("target") }));
  }
  if (c.i === gamma) lines.push(pieces("picture.formulas.bonus", { formula: `a${c.own}`, mass: c.result("stopped") }));
  else {
    const stops = c.record.nodes[prefix].stopped > ROUNDING, children = childrenOf(prefix, picture.symbols).flatMap((child, k) => [k ? " + " : "", c.mass("accepted", child)]);
    const sum = [`${massName("stopped")}${prefix ? c.own : "(∅)"} = a(${name(prefix)}) − Σ a(${prefix}x) = `, c.mass("accepted"), " − (", ...children, ")"];
    lines.push(pieces(stops ? "picture.formulas.stops" : "picture.formulas.stops_not", { sum, mass: stops ? c.result("stopped") : { ...c.mass("stopped"), format: () => "0" } }));
  }
  return { lines, words };
}

/** S(v) and B(v): what the draft and the target give the prefix. @param {any} picture @param {string} prefix @returns {Bit[][]} */
export function jointLines(picture, prefix) {
  if (!prefix) return [];
  return /** @type {const} */ ([["draft", "S", "D"], ["target", "B", "T"]]).map(([side, joint, law]) => [
    `${joint}(${prefix})${prefix.length > 1 ? ` = ${Array.from(prefix, (symbol, k) => `${law}(${symbol}${k ? `│${prefix.slice(0, k)}` : ""})`).join(" · ")} = ` : ` = ${law}(${prefix}) = `}`,
    ...(prefix.length < 2 ? [] : Array.from(prefix, (symbol, k) => [k ? " · " : "", { value: lawOf(picture, side, prefix.slice(0, k), symbol).x, path: lawOf(picture, side, prefix.slice(0, k), symbol).path }]).flat()),
    ...(prefix.length < 2 ? [] : [" = "]), { value: picture.tree[prefix][side], path: `picture:/tree/${prefix}/${side}` },
  ]);
}
