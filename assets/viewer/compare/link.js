/**
 * The state of the Compare page as the URL's hash: settings, columns, place, digest, and which measurements are shown.
 * It is read only where it is this page's, and written only while this page is the one that is looked at; no history entry is made.
 *
 *     #page=compare&prompt=Once&pair=stories&draft=192&gamma=5&…&rules=token,block&follow=block&b=3&pos=2&digest=sha256:…&race=1&seeds=10&axis=calls
 */

import { labelOf } from "../controls.js";
import { LONGEST } from "../link.js";
import { placeReader, readLink } from "../link_values.js";
import { addressFor, addressIsSettled, pageOf, writeAddress } from "../pages.js";
import { modeOf } from "../prompt_modes.js";
import { say } from "../words/parts/compare.js";
import { say as sayLink } from "../words/parts/link.js";
import { finishedRuns } from "./race_model.js";
import { optionWords } from "./option_words.js";
import { madeWith } from "./records.js";

const NUMBERS = { gamma: "gamma", temperature: "temperature", top_k: "top_k", top_p: "top_p", seed: "seed", max: "max_new_tokens" };
const OPTIONS = { race: { seeds: "seeds", prompt_set: "set", axis: "axis", c: "c", v: "v" }, law: { samples: "samples" } };

/** What the page calls what its parameters set. @type {Record<string, () => string>} */
const FIELDS = {
  page: () => sayLink("link.field.page"), mode: () => labelOf("prompt_mode"), b: () => sayLink("link.field.block"), pos: () => sayLink("link.field.position"),
  digest: () => sayLink("link.field.digest"), rules: () => optionWords("rules"), follow: () => say("compare.head.follow"),
  ...Object.fromEntries(["prompt", "pair", "draft"].map((name) => [name, () => labelOf(name)])),
  ...Object.fromEntries(Object.entries(NUMBERS).map(([short, name]) => [short, () => labelOf(name)])),
  ...Object.fromEntries(Object.entries({ ...OPTIONS.race, ...OPTIONS.law, race: "race", law: "law" }).map(([name, short]) => [short, () => optionWords(name)])),
};

/** Whether a hash is this page's. @param {string} hash */
export const isOurs = (hash) => pageOf(hash) === "compare";

/** The hash of a view, without "#". What is shown counts; a form not decoded yet only where nothing is. @param {any} view */
export function encode(view) {
  const { trace, block, form, race, law } = view, out = new URLSearchParams({ page: "compare" });
  const settings = trace ? trace.settings : form;
  out.set("prompt", trace ? trace.prompt.text : form.prompt);
  out.set("pair", trace ? trace.pair.name : form.pair);
  out.set("draft", trace ? trace.pair.draft : form.draft);
  for (const [short, name] of Object.entries(NUMBERS)) out.set(short, String(settings[name]));
  if (modeOf(settings) !== "text") out.set("mode", settings.prompt_mode);
  out.set("rules", form.rules.join(","));
  out.set("follow", trace ? settings.verifier : form.follow);
  if (block) {
    out.set("b", String(view.blockIndex));
    out.set("pos", String(view.position));
    out.set("digest", trace.digest);
  }
  const shown = trace ? { ...settings, prompt: trace.prompt.text, pair: trace.pair.name, draft: trace.pair.draft, rules: form.rules } : form;
  if (race.record && finishedRuns(race.record) && madeWith(race.record, shown, race.record.settings.prompt_set ? shown.prompt : (race.record.prompts[0] || {}).text)) {
    out.set("race", "1");
    out.set("seeds", String(race.record.settings.seeds));
    if (race.record.settings.prompt_set) out.set("set", race.record.settings.prompt_set);
    out.set("axis", race.options.axis);
    for (const name of ["c", "v"]) if (race.options[name] !== null) out.set(name, String(race.options[name]));
  }
  if (law.record && law.record.pairs.done && madeWith(law.record, shown, law.record.prompt.text)) {
    out.set("law", "1");
    out.set("samples", String(law.record.settings.samples));
  }
  return out.toString();
}

/**
 * What a hash asks for, or null where it is another page's. Values are as they are written, for checked.js; only those of the place
 * are read here, and `wrong` says which make no sense. `decodes` says whether it names a run, `#page=compare` alone does not; `asks`
 * whether it names anything at all.
 * @param {string} hash
 * @returns {{form: any, asks: boolean, decodes: boolean, place: {blockIndex: number, position: number|null}, digest: string|null, options: {race: any, law: any}, measures: ("race"|"law")[], damaged: string[], wrong: string[]} | null}
 */
export function decode(hash) {
  if (!isOurs(hash)) return null;
  const { given, wrong: damaged, strange: wrong, has } = readLink(hash, FIELDS), kinds = /** @type {("race"|"law")[]} */ (["race", "law"]);
  const reader = placeReader(given, wrong);
  /** The parameters that are given, under their long names. @param {any} names long: short */
  const written = (names) => Object.fromEntries(Object.entries(names).filter(([, short]) => given.has(short)).map(([name, short]) => [name, given.get(short)]));
  /** @type {any} */
  const form = { ...written({ prompt: "prompt", pair: "pair", draft: "draft", follow: "follow" }), ...written(Object.fromEntries(Object.entries(NUMBERS).map(([short, name]) => [name, short]))) };
  if (has("prompt") || given.has("mode")) form.prompt_mode = given.get("mode") ?? "text"; // whatever the pair's own is: a link says all
  if (given.has("rules")) form.rules = (given.get("rules") || "").split(",").filter(Boolean);
  const place = { blockIndex: reader.count("b", FIELDS.b()) ?? 0, position: reader.count("pos", FIELDS.pos()) };
  return {
    form, asks: Object.keys(FIELDS).some((name) => name !== "page" && has(name)), decodes: has("prompt"), place, digest: reader.digest(),
    options: { race: written(OPTIONS.race), law: written(OPTIONS.law) }, measures: kinds.filter((kind) => reader.on(kind, FIELDS[kind]())), damaged, wrong,
  };
}

/** Writes the hash of the latest view, at most every 250 ms. @param {() => boolean} isVisible */
export function createLink(isVisible) {
  let waiting = null, timer = 0;
  const write = () => {
    timer = 0;
    const view = waiting;
    waiting = null;
    if (!view || !isVisible() || !addressIsSettled() || !(link.claimed || isOurs(location.hash))) return;
    const shown = view.trace || view.race.record || view.law.record;
    const hash = shown ? "#" + encode(view) : "#page=compare"; // what is only typed stays in this tab
    const kept = hash.length > LONGEST ? "#page=compare" : hash; // too long for a link: no link rather than that of another state
    link.written = kept;
    if (kept === location.hash) return;
    writeAddress(kept);
  };
  const link = {
    paused: true,
    /** while a link's run is decoded again */
    restoring: false,
    /** whether the address is this page's although it names another: this page has come into view since */
    claimed: false,
    /** the last hash written or read, so that coming back to this page does not decode again what is shown */
    written: "",
    update(view) {
      if (link.paused) return;
      waiting = view;
      if (!timer) timer = setTimeout(write, 250);
    },
    /** Nothing is written while the run of a hash is decoded again. @param {string} hash */
    hold(hash) {
      link.paused = link.restoring = true;
      link.written = hash;
      waiting = null;
    },
    /** The address has been given to another page: what waits is not written any more. */
    release() {
      link.claimed = false;
      waiting = null;
    },
    /** The whole address of the present state, or null where it would be too long. */
    address(view) {
      const hash = "#" + encode(view);
      return hash.length > LONGEST ? null : addressFor(hash);
    },
  };
  return link;
}
