/**
 * The formulas of a node's masses with the node's numbers. Three rules have closed forms; of the others it is said what was enumerated.
 * No document.
 *
 * @typedef {string | {value: number, path: string, name?: string, format?: (x: any) => string}} Bit
 */

import { childrenOf, EQUAL, lawOf, nodePointer } from "./blocks.js";
import { withFraction } from "./simple_fractions.js";

const name = (prefix) => prefix || "∅";
const ROUNDING = 1e-13; // less stops nowhere

/** What the formulas of one node under one rule share. @param {any} picture @param {string} rule @param {string} prefix */
function contextOf(picture, rule, prefix) {
  const parent = prefix.slice(0, -1), symbol = prefix.slice(-1), record = picture.rules[rule];
  const mass = (which, at = prefix) => ({ value: record.nodes[at][which], path: nodePointer(rule, at, which), name: `${which}(${name(at)})` });
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
  token: (c) => [`corrected${c.own} = a${c.of} · (${c.T} − ${c.D})₊ = `, c.mass("accepted", c.parent), " · (", c.law("target"), " − ", c.law("draft"), ")₊ = "],
  block: (c) => [`corrected${c.own} = (a${c.of} · ${c.T} − ${c.S})₊ = (`, c.mass("accepted", c.parent), " · ", c.law("target"), " − ", c.joint("draft"), ")₊ = "],
  greedy_block(c) {
    const children = childrenOf(c.parent, c.picture.symbols), wanted = children.reduce((sum, child) => sum + Math.max(0, c.picture.tree[child].target - c.picture.tree[child].draft), 0);
    const each = (make) => children.flatMap((child, k) => [k ? " + " : "", ...make(child)]);
    if (wanted <= EQUAL) return [`corrected${c.own}: nothing is wanted below ${name(c.parent)} that the draft does not offer: `];
    return [`corrected${c.own} = stopped${c.of} · (${c.B} − ${c.S})₊ / (${each((child) => [`(B(${child}) − S(${child}))₊`]).join("")}) = `, c.mass("stopped", c.parent), " · (", c.joint("target"), " − ", c.joint("draft"), ")₊ / (",
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
  if (!prefix) lines.push(["a(∅) = ", c.mass("accepted"), ": every block begins with nothing"]);
  else {
    lines.push(known ? [...ACCEPTED[rule](c), c.result("accepted")] : [`a${c.own} = P(τ ≥ ${c.i}, X${c.i > 1 ? " up to " + c.i : "₁"} = ${prefix}) = `, c.result("accepted")]);
    if (!known) words.push(`No closed form is known for this rule: a${c.own} was enumerated over every drafted block that begins with ${prefix} and every outcome of the rule’s coins.`);
    lines.push(known ? [...CORRECTED[rule](c), c.result("corrected")] : [`corrected${c.own} = P(τ = ${c.i - 1}, kept ${name(c.parent)}, Y = ${c.symbol}) = `, c.result("corrected")]);
    if (follows) lines.push([`continued${c.own} = (corrected${c.of} + continued${c.of}) · ${c.T} = (`, c.mass("corrected", c.parent), " + ", c.mass("continued", c.parent), ") · ", c.law("target"), " = ", c.result("continued")]);
    else {
      lines.push([`continued${c.own} = `, c.result("continued")]);
      words.push(c.record.remembers ? "What follows a correction is drawn from the modified target T̃ that the rule owes, not from T." : "What follows a correction is what this rule’s later blocks make of it.");
    }
    const equal = Math.abs(c.record.nodes[prefix].emitted - picture.tree[prefix].target) <= EQUAL;
    lines.push([`emitted${c.own} = accepted + corrected + continued = `, c.result("emitted"), equal ? `, which is ${c.B}` : `, but the target wants ${c.B} = `, ...(equal ? [] : [c.joint("target")])]);
  }
  if (c.i === gamma) lines.push(["all of a" + c.own + " is followed by a bonus token: ", c.result("stopped")]);
  else lines.push([`stopped${prefix ? c.own : "(∅)"} = a(${name(prefix)}) − Σ a(${prefix}x) = `, c.mass("accepted"), " − (", ...childrenOf(prefix, picture.symbols).flatMap((child, k) => [k ? " + " : "", c.mass("accepted", child)]), ") = ", ...(c.record.nodes[prefix].stopped > ROUNDING ? [c.result("stopped"), ": it is corrected just below"] : [{ ...c.mass("stopped"), format: () => "0" }, ": nothing stops here"])]);
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
