/**
 * The Sandbox's state as the URL's hash, texts as they were typed:
 *
 *     #page=sandbox&s=2,2,free:2/3,1/3:1/3,2/3&rules=token,block&at=A
 *
 * `s` is the laws (state_text.js), `at` the chosen prefix, `cell` the chosen cell, `diff` and `pour` the two switches.
 */

import { LONGEST } from "../link.js";
import { placeReader, readLink, wrongValue } from "../link_values.js";
import { addressFor, addressIsSettled, writeAddress } from "../pages.js";
import { say as sayLink } from "../words/parts/link.js";
import { say } from "../words/parts/sandbox.js";
import { say as sayPictures } from "../words/parts/sandbox_pictures.js";
import { say as sayViewer } from "../words/parts/viewer.js";
import { readState, stateText } from "./state_text.js";

const PAGE = "#page=sandbox";

/** What the page calls what its parameters set. @type {Record<string, () => string>} */
export const FIELDS = {
  page: () => sayLink("link.field.page"), s: () => sayLink("link.field.laws"), rules: () => [say("sandbox.left"), say("sandbox.right")].join(sayViewer("viewer.comma")),
  at: () => sayLink("link.field.prefix"), cell: () => sayLink("link.field.cell"), diff: () => sayPictures("picture.coupling.difference"), pour: () => say("sandbox.pour.mode"),
};

/** What a hash may hold as it is stays readable. */
const readable = (text) => encodeURIComponent(text).replace(/%(2F|2C|3B|3A)/g, (code) => decodeURIComponent(code));

/** Whether a hash is this page's. @param {string} hash */
export const isOurs = (hash) => new URLSearchParams(hash.replace(/^#/, "")).get("page") === "sandbox";

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
 * What a hash asks for, null where it is another page's. Broken parts are null, never guessed; `written` is what stands there, `wrong` says
 * what cannot be read without knowing the state (restore.js says the rest).
 * @param {string} hash
 */
export function decode(hash) {
  if (!isOurs(hash)) return null;
  const { given, wrong: damaged, strange, has } = readLink(hash, FIELDS), wrong = [...damaged, ...strange], reader = placeReader(given, wrong);
  const names = (given.get("rules") ?? "").split(","), cell = /^([A-E]{1,4}),([A-E]{1,4})$/.exec(given.get("cell") || ""), laws = given.has("s") ? readState(given.get("s") || "") : null;
  if (given.has("s") && !laws) wrong.push(wrongValue(FIELDS.s(), sayLink("link.laws", { example: "2,1,free:1/2,1/2:1/3,2/3" }), given.get("s")));
  return {
    asks: Object.keys(FIELDS).some((name) => name !== "page" && has(name)), laws, rules: names.length === 2 && names.every((name) => /^[a-z_0-9]{1,60}$/.test(name)) ? names : null,
    at: /^[A-E]{0,4}$/.test(given.get("at") ?? "-") ? given.get("at") : null, cell: cell ? [cell[1], cell[2]] : null,
    difference: reader.on("diff", FIELDS.diff()), fromTarget: reader.on("pour", FIELDS.pour(), "target"),
    written: { rules: given.get("rules"), at: given.get("at"), cell: given.get("cell") }, wrong,
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
      return hash.length > LONGEST ? null : addressFor(hash);
    },
  };
  return link;
}
