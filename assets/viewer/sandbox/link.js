/**
 * The Sandbox's state as the URL's hash, texts as they were typed:
 *
 *     #page=sandbox&s=2,2,free:2/3,1/3:1/3,2/3&rules=token,block&at=A
 *
 * `s` is alphabet, γ and context, then the draft's and the target's rows (";" between them, level after level); an empty row
 * repeats the one before it. Within a text "~" escapes the signs that separate. `at` is the chosen prefix, `cell` the chosen
 * cell, `diff` and `pour` the two switches.
 */

import { LONGEST } from "../link.js";
import { addressIsSettled, writeAddress } from "../pages.js";
import { CONTEXTS, FEWEST_SYMBOLS, MOST_GAMMA, MOST_SYMBOLS, shapeOf, SIDES, tooMany } from "./laws.js";
import { refusal } from "./typed.js";

const PAGE = "#page=sandbox";
const SIGNS = "~,;:";

const escaped = (typed) => typed.replace(/[~,;:]/g, (sign) => "~" + SIGNS.indexOf(sign));
const unescaped = (text) => text.replace(/~([0-3])/g, (_, digit) => SIGNS[Number(digit)]);

/** What a hash may hold as it is stays readable. */
const readable = (text) => encodeURIComponent(text).replace(/%(2F|2C|3B|3A)/g, (code) => decodeURIComponent(code));

/** Whether a hash is this page's. @param {string} hash */
export const isOurs = (hash) => new URLSearchParams(hash.replace(/^#/, "")).get("page") === "sandbox";

/** @param {string[][][]} levels */
function rowsText(levels) {
  let before = "";
  return levels.flat().map((row) => {
    const text = row.map(escaped).join(",");
    const same = text === before;
    before = text;
    return same ? "" : text;
  }).join(";");
}

/** @param {string} text @returns {string[][][]|null} */
function levelsOf(text, context, symbols, gamma) {
  const shape = shapeOf(context, symbols, gamma), rows = text.split(";");
  if (rows.length !== shape.reduce((a, b) => a + b, 0)) return null;
  const made = [];
  for (const row of rows) {
    if (row === "" && made.length) made.push(made[made.length - 1].slice());
    else made.push(row.split(",").map(unescaped));
    if (made[made.length - 1].length !== symbols || made[made.length - 1].some(refusal)) return null;
  }
  let at = 0;
  return shape.map((count) => made.slice(at, (at += count)));
}

/** @param {import("./laws.js").State} state */
export const stateText = (state) => [`${state.symbols},${state.gamma},${state.context}`, ...SIDES.map((side) => rowsText(state[side]))].join(":");

/** The laws of a state's text, null where it is none. @param {string} text */
export function readState(text) {
  const [head, ...laws] = text.split(":");
  const match = /^(\d),(\d),(\w+)$/.exec(head);
  if (!match || laws.length !== 2) return null;
  const symbols = Number(match[1]), gamma = Number(match[2]), context = CONTEXTS.find((name) => name === match[3]);
  if (!context || symbols < FEWEST_SYMBOLS || symbols > MOST_SYMBOLS || gamma < 1 || gamma > MOST_GAMMA || tooMany(symbols, gamma)) return null;
  const [draft, target] = laws.map((side) => levelsOf(side, context, symbols, gamma));
  return draft && target ? { symbols, gamma, context, draft, target } : null;
}

/** The hash that shows a state. @param {import("./laws.js").State} state @param {Record<string, string>} [more] */
export function hashOf(state, more = {}) {
  const out = { s: stateText(state), rules: state.rules.join(","), ...more };
  return `${PAGE}&${Object.entries(out).map(([name, text]) => `${name}=${readable(text)}`).join("&")}`;
}

/** The hash of a view, whatever its length. @param {any} view */
export function encode(view) {
  const { selected, picture, difference, fromTarget, state } = view;
  /** @type {Record<string, string>} */
  const more = {};
  if (selected.prefix !== null) more.at = selected.prefix;
  if (picture && selected.row !== null && selected.column !== null) more.cell = `${picture.blocks[selected.row]},${picture.blocks[selected.column]}`;
  if (difference) more.diff = "1";
  if (fromTarget) more.pour = "target";
  return hashOf(state, more);
}

/**
 * What a hash asks for, null where it is another page's. Broken parts are null, never guessed.
 * @param {string} hash
 */
export function decode(hash) {
  if (!isOurs(hash)) return null;
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const rules = (given.get("rules") || "").split(",").filter((name) => /^[a-z_0-9]{1,60}$/.test(name));
  const cell = /^([A-E]{1,4}),([A-E]{1,4})$/.exec(given.get("cell") || "");
  return {
    asks: given.has("s"), laws: given.has("s") ? readState(given.get("s") || "") : null, rules: rules.length === 2 ? rules : null,
    at: /^[A-E]{0,4}$/.test(given.get("at") ?? "-") ? given.get("at") : null, cell: cell ? [cell[1], cell[2]] : null,
    difference: given.get("diff") === "1", fromTarget: given.get("pour") === "target",
  };
}

/** Writes the hash of the latest view, at most every 250 ms, and only while the page is shown. @param {() => boolean} isVisible */
export function createLink(isVisible) {
  let waiting = null, timer = 0;
  const write = () => {
    timer = 0;
    const view = waiting;
    waiting = null;
    if (!view || !isVisible() || !addressIsSettled()) return;
    const hash = encode(view), kept = hash.length > LONGEST ? PAGE : hash; // too long for a link: no link rather than that of another state
    link.written = kept;
    if (kept !== location.hash) writeAddress(kept);
  };
  const link = {
    paused: true,
    /** the last hash written or read: coming back to it changes nothing */
    written: "",
    update(view) {
      if (link.paused) return;
      waiting = view;
      if (!timer) timer = setTimeout(write, 250);
    },
    /** The whole address of the present state, or null where it would be too long. */
    address(view) {
      const hash = encode(view);
      return hash.length > LONGEST ? null : location.href.split("#")[0] + hash;
    },
  };
  return link;
}
