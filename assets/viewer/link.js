/**
 * The state of the page as the URL's hash: settings, number of decoded blocks, place, choice, digest; or an example's name.
 * Opening it decodes the same blocks again and restores the same place. Written without a history entry, at most a few times a second.
 *
 *     #prompt=Once&pair=stories&draft=128&rules=block*7&gamma=5&…&b=3&phase=verify&tried=2&pos=4&digest=sha256:…
 */

import { labelOf } from "./controls.js";
import { either, leftOut, named, placeReader, readLink, wrongValue } from "./link_values.js";
import { addressFor, addressIsSettled, FIRST, pageOf, PAGES, writeAddress } from "./pages.js";
import { modeOf, MODES } from "./prompt_modes.js";
import { PHASES } from "./steps.js";
import { say as sayLink } from "./words/parts/link.js";
import { say as sayMeasure } from "./words/parts/measure.js";
import { say } from "./words/parts/step.js";

export const LONGEST = 8000; // characters of a hash that still travels well
const OWN = ["example", "prompt", "pair", "draft", "rules", "verifier", "gamma", "temperature", "top_k", "top_p", "seed", "max", "mode", "b", "phase", "tried", "pos", "tok", "rule", "digest"];
const NUMBERS = { gamma: "gamma", temperature: "temperature", top_k: "top_k", top_p: "top_p", seed: "seed", max: "max_new_tokens" };

/** What the page calls what its parameters set. @type {Record<string, () => string>} */
const FIELDS = {
  page: () => sayLink("link.field.page"), example: () => say("step.examples"), rules: () => sayMeasure("measure.setting.rules"), mode: () => labelOf("prompt_mode"),
  b: () => sayLink("link.field.block"), phase: () => say("step.phases"), tried: () => sayLink("link.field.tried"), pos: () => sayLink("link.field.position"),
  tok: () => sayLink("link.field.token"), rule: () => sayLink("link.field.shown"), digest: () => sayLink("link.field.digest"),
  ...Object.fromEntries(["prompt", "pair", "draft", "verifier"].map((name) => [name, () => labelOf(name)])),
  ...Object.fromEntries(Object.entries(NUMBERS).map(([short, name]) => [short, () => labelOf(name)])),
};

/** Whether the page has a field for every setting of a run. @param {any} settings of a trace */
export const linkable = ({ stream, eos_token_ids, prompt_mode }) => !stream && !eos_token_ids && Object.hasOwn(MODES, prompt_mode);

/** Runs of the same rule, in order: [["block", 7], ["token", 2]]. @param {any[]} blocks */
export function segmentsOf(blocks) {
  const out = [];
  for (const block of blocks) {
    const last = out[out.length - 1];
    if (last && last[0] === block.verifier) last[1] += 1;
    else out.push([block.verifier, 1]);
  }
  return out;
}

/** The hash of a view, without "#". Parts of other programs in the present hash are kept. @param {any} view @param {string} before */
export function encode(view, before = "") {
  const out = new URLSearchParams();
  const others = pageOf(before) === FIRST ? before.replace(/^#/, "") : "";
  for (const [name, text] of new URLSearchParams(others)) if (!OWN.includes(name)) out.append(name, text);
  const { trace, block, form } = view;
  if (view.example) out.set("example", view.example);
  else {
    const settings = trace ? trace.settings : form;
    out.set("prompt", trace ? trace.prompt.text : form.prompt);
    out.set("pair", trace ? trace.pair.name : form.pair);
    out.set("draft", trace ? trace.pair.draft : form.draft);
    if (block) out.set("rules", segmentsOf(trace.blocks).map(([rule, count]) => `${rule}*${count}`).join(","));
    else out.set("verifier", settings.verifier);
    for (const [short, name] of Object.entries(NUMBERS)) out.set(short, String(settings[name]));
    if (modeOf(settings) !== "text") out.set("mode", settings.prompt_mode);
  }
  if (block) {
    out.set("b", String(view.blockIndex));
    out.set("phase", view.phase);
    if (view.tried) out.set("tried", String(view.tried));
    out.set("pos", String(view.position));
    if (view.token !== null) out.set("tok", String(view.token));
    if (view.rule !== block.verifier) out.set("rule", view.rule);
    if (!view.example) out.set("digest", trace.digest);
  }
  return out.toString();
}

/**
 * The Compare page's hash for the run of a view, or for the form where there is none: the same settings, the rules whose verdicts
 * are here, and the block, where one rule decoded the whole text (the other page follows one rule).
 * @param {any} view
 */
export function compareHash(view) {
  const { trace, block, form } = view;
  const settings = trace ? trace.settings : form;
  const rules = [...new Set([...(trace ? trace.verifiers : []), "token", "block"])].slice(0, 4);
  const out = new URLSearchParams({
    page: "compare", prompt: trace ? trace.prompt.text : form.prompt, pair: trace ? trace.pair.name : form.pair, draft: trace ? trace.pair.draft : form.draft,
  });
  for (const [short, name] of Object.entries(NUMBERS)) out.set(short, String(settings[name]));
  if (modeOf(settings) !== "text") out.set("mode", settings.prompt_mode);
  out.set("rules", rules.join(","));
  const follow = block ? block.verifier : settings.verifier;
  if (rules.includes(follow)) out.set("follow", follow);
  if (block && segmentsOf(trace.blocks).length === 1) out.set("b", String(view.blockIndex));
  return "#" + out;
}

/**
 * The runs of rules in a link's text; null where it is none of ours.
 * @param {string} text "block*7,token*2"
 * @returns {[string, number][]|null}
 */
function segmentsIn(text) {
  const found = text.split(",").map((part) => /^([a-z_0-9]{1,40})\*(\d{1,4})$/.exec(part));
  return found.every((match) => match && Number(match[2]) > 0) ? found.map((match) => [/** @type {any} */ (match)[1], Number(/** @type {any} */ (match)[2])]) : null;
}

/**
 * What is said of a hash that names a page that there is not, or several, or nothing that anything here reads. @param {string} hash @returns {string[]}
 */
export function strayWords(hash) {
  const page = pageOf(hash), { wrong, strange } = readLink(hash, FIELDS);
  if (!PAGES.includes(page)) return [leftOut([wrongValue(FIELDS.page(), sayLink("link.page", { names: either(PAGES) }), page)])];
  const said = page === FIRST ? [...wrong, ...strange] : [];
  return said.length ? [leftOut(said)] : [];
}

/**
 * What a hash asks for, or null where it asks for nothing of ours. What belongs to the form is as it is written, for who checks it
 * (checked.js); of the rest broken values are left out, never guessed. `damaged`: in words what of the run's own parameters cannot be
 * read, `misplaced`: what of the place cannot.
 * @param {string} hash
 */
export function decode(hash) {
  const { given, wrong, strange, has } = readLink(hash, FIELDS);
  if (pageOf(hash) !== FIRST || !OWN.some(has)) return null;
  const place = ["b", "phase", "tried", "pos", "tok", "rule", "digest"], form = {}, misplaced = [...strange], reader = placeReader(given, misplaced);
  for (const name of ["prompt", "pair", "draft", "verifier"]) if (given.has(name)) form[name] = given.get(name);
  for (const [short, name] of Object.entries(NUMBERS)) if (given.has(short)) form[name] = given.get(short);
  form.prompt_mode = given.get("mode") ?? "text"; // whatever the pair's own is: a link says all that its run was made with
  const segments = given.has("rules") ? segmentsIn(given.get("rules") || "") : [];
  if (segments && segments.length) form.verifier = segments[0][0];
  const phase = given.get("phase"), [b, tried, pos, tok] = ["b", "tried", "pos", "tok"].map((name) => reader.count(name, FIELDS[name]()));
  if (phase !== null && !PHASES.includes(phase)) misplaced.push(wrongValue(FIELDS.phase(), either(PHASES.map((name) => named(name, say(`step.phase.${name}`)))), phase));
  const digest = reader.digest();
  return {
    example: given.get("example"), beside: besideExample(given), form, segments, written: given.get("rules"), digest, damaged: wrong, misplaced, placed: place.some((name) => given.has(name)),
    place: {
      blockIndex: b ?? undefined, phase: PHASES.includes(phase || "") ? phase : "draft", tried: phase === "verify" ? tried ?? 1 : 0, position: pos ?? undefined, token: tok, pinned: given.get("rule"),
    },
  };
}

/** What a link to an example says of a run besides, by parameter: what it is called, and what it is to be. @param {URLSearchParams} given */
const besideExample = (given) => OWN.slice(1, OWN.indexOf("b")).filter((name) => given.has(name)).map((name) => ({ name, field: FIELDS[name](), value: given.get(name) || "" }));

/** What of that an example's run, finished long ago, is not, as the page calls it. @param {{name: string, field: string, value: string}[]} beside @param {any} trace */
export function unlike(beside, trace) {
  const run = new URLSearchParams(encode({ trace, block: trace.blocks[0], blockIndex: 0, phase: "", position: 0, token: null }));
  run.set("verifier", trace.settings.verifier);
  run.set("mode", modeOf(trace.settings));
  return beside.filter(({ name, value }) => (Object.hasOwn(NUMBERS, name) ? Number(value) !== Number(run.get(name)) || !value.trim() : value !== run.get(name))).map(({ field }) => field);
}

/**
 * Writes the hash of the latest view, at most every 250 ms, and only while the page is shown.
 * @param {() => boolean} isVisible @param {(view: any) => string[]} missing what of a run its link would leave out (checked.js)
 */
export function createLink(isVisible = () => true, missing = () => []) {
  let waiting = null, timer = 0;
  const write = () => {
    timer = 0;
    if (!isVisible() || !addressIsSettled()) return;
    const hash = "#" + encode(waiting, location.hash), kept = hash.length > LONGEST || missing(waiting).length ? "" : hash; // no link rather than that of another state
    waiting = null;
    if (kept === location.hash) return;
    writeAddress(kept);
    document.dispatchEvent(new CustomEvent("specdemo:link"));
  };
  const link = {
    paused: true,
    update(view) {
      if (link.paused || (!view.trace && view.status === "loading")) return;
      waiting = view;
      if (!timer) timer = setTimeout(write, 250);
    },
    missing,
    /** Whether the address brings the present state back. */
    holds: (view) => encode(view, location.hash).length < LONGEST && !missing(view).length,
    /** The whole address of the present state, or null where it would be too long. */
    address(view) {
      if (timer) clearTimeout(timer);
      waiting = view;
      write();
      const hash = "#" + encode(view, location.hash);
      return hash.length > LONGEST ? null : addressFor(hash);
    },
  };
  return link;
}

/** Copies a text; true where that worked. Works without a secure context too. @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.cssText = "position:fixed;opacity:0";
    document.body.append(area);
    area.select();
    let done = false;
    try {
      done = document.execCommand("copy");
    } catch {
      done = false;
    }
    area.remove();
    return done;
  }
}
