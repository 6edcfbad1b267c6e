/**
 * The grid of the Lab as the URL's hash: what is asked for and whether to measure it at once, never somebody's own prompts.
 *
 *     #page=lab&pair=stories&drafts=192&tasks=austen,verse&rules=token,block&gammas=4,8&temperatures=1&prompts=8&max=64&run=1
 */

import { wholeOf } from "../typed_numbers.js";
import { either, placeReader, quoted, readLink, wrongValue } from "../link_values.js";
import { addressFor, addressIsSettled, pageOf, writeAddress } from "../pages.js";
import { say } from "../words/parts/lab.js";
import { say as sayLink } from "../words/parts/link.js";
import { say as sayMeasure } from "../words/parts/measure.js";
import { say as sayViewer } from "../words/parts/viewer.js";
import { KINDS, readList } from "./lists.js";
import { ownOf } from "./store.js";

const COUNTS = { seed: ["seed", 0, 2 ** 53 - 100], seeds: ["seeds", 1, 20], prompts: ["prompts", 1, 1000], max: ["max_new_tokens", 1, 512] };
const DEFAULTS = { seed: 0, seeds: 1, top_ks: "0", top_ps: "1" };

/** What the page calls what its parameters set. @type {Record<string, () => string>} */
const FIELDS = {
  page: () => sayLink("link.field.page"), pair: () => sayViewer("viewer.field.pair"), run: () => say("lab.start"),
  ...Object.fromEntries(["drafts", "tasks", "rules"].map((name) => [name, () => say(`lab.${name}`)])),
  ...Object.fromEntries(Object.entries(KINDS).map(([short, { name }]) => [short, () => name])),
  ...Object.fromEntries(Object.entries(COUNTS).map(([short, [name]]) => [short, () => say(`lab.count.${name}`)])),
};

export const isOurs = (hash) => pageOf(hash) === "lab";

/** @param {any} form @param {boolean} [run] whether it has been measured, and is to be where the link is opened @returns {string} with "#" */
export function encode(form, run = false) {
  const out = new URLSearchParams({ page: "lab", pair: form.pair, drafts: form.drafts.join(","), tasks: form.tasks.join(","), rules: form.rules.join(",") });
  for (const name in KINDS) if (form[name].join(",") !== DEFAULTS[name]) out.set(name, form[name].join(","));
  for (const [short, [name]] of Object.entries(COUNTS)) if (form[name] !== DEFAULTS[short]) out.set(short, String(form[name]));
  if (run) out.set("run", "1");
  return "#" + out.toString().replaceAll("%2C", ",");
}

/**
 * The form that a hash asks for on top of `first`, null where it names none, and what of it makes no sense; null where it is another page's or asks for nothing.
 * @param {string} hash @param {any} first @param {any} config @returns {{form: any, run: boolean, wrong: string[]}|null}
 */
export function decode(hash, first, config) {
  const { given, wrong: damaged, strange, has } = readLink(hash, FIELDS), wrong = [...damaged, ...strange], list = (name) => (given.get(name) || "").split(",").filter(Boolean);
  if (!isOurs(hash)) return null;
  if (!Object.keys(FIELDS).some((name) => name !== "page" && has(name))) return wrong.length ? { form: null, run: false, wrong } : null;
  const form = { ...first, own: null }, wanted = given.get("pair") ?? first.pair, pair = config.pairs.find((entry) => entry.name === wanted);
  if (!pair && given.has("pair")) wrong.push(wrongValue(FIELDS.pair(), either(config.pairs.map((entry) => entry.name)), wanted));
  if (pair && pair.name !== first.pair) Object.assign(form, { pair: pair.name, drafts: pair.drafts.slice(0, 1).map((draft) => draft.name), ...ownOf(config, pair) });
  const known = { drafts: ((pair || config.pairs.find((entry) => entry.name === form.pair) || { drafts: [] }).drafts).map((draft) => draft.name), tasks: config.tasks.map((task) => task.name), rules: config.rules.map((rule) => rule.name) };
  for (const name in known) {
    if (!given.has(name)) continue;
    const found = [...new Set(list(name))].filter((one) => known[name].includes(one)), lost = list(name).filter((one) => !known[name].includes(one));
    if (lost.length) wrong.push(say("lab.link.unknown", { name: FIELDS[name](), values: lost.map(quoted).join(sayViewer("viewer.comma")), count: lost.length }));
    if (found.length || !lost.length) form[name] = found; // none, where the page had none: it says so
  }
  for (const name in KINDS) {
    if (!given.has(name)) continue;
    const { numbers, problem } = readList(given.get(name) || "", KINDS[name]);
    if (problem) wrong.push(problem);
    else form[name] = numbers;
  }
  for (const [short, [name, low, high]] of Object.entries(COUNTS)) {
    if (!given.has(short)) continue;
    const raw = given.get(short) || "", x = /^\d+$/.test(raw) ? wholeOf(raw) : null;
    if (x !== null && x >= low && x <= high) form[name] = x;
    else wrong.push(wrongValue(FIELDS[short](), sayMeasure("measure.whole_number", { low, high }), raw));
  }
  const run = placeReader(given, wrong).on("run", FIELDS.run());
  return { form, run: run && !wrong.length, wrong };
}

const GRID = ["pair", "drafts", "tasks", "own", "rules", "gammas", "temperatures", "top_ks", "top_ps", "prompts", "max_new_tokens", "seed", "seeds"];

/** Where two grids differ, by name; a list is the same in any order. @param {any} one @param {any} other */
export function differing(one, other) {
  const written = (value) => JSON.stringify(Array.isArray(value) ? [...value].sort() : value), found = GRID.filter((name) => written(one[name]) !== written(other[name]));
  return found.includes("pair") ? found.filter((name) => name !== "drafts") : found; // another pair has other drafts
}

/** Settings of a grid as the page calls them. @param {string[]} names */
export const settingWords = (names) => names.map((name) => (name === "own" ? say("lab.own") : FIELDS[name === "max_new_tokens" ? "max" : name]())).join(sayViewer("viewer.comma"));

/** Whether what is asked for is what has been measured. @param {any} state */
export const isMeasured = ({ form, grid, rows }) => Boolean(grid && rows.size && !form.own && !differing(form, grid).length);

/** Writes what is asked for into the address while this page is the one that is looked at. @param {() => boolean} isVisible */
export function createLink(isVisible) {
  let timer = 0;
  const link = {
    /** whether the address is this page's to write */
    claimed: false,
    written: "",
    /** @param {any} state */
    update(state) {
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        if (!link.claimed || !isVisible() || !addressIsSettled()) return;
        const hash = encode(state.form, isMeasured(state));
        link.written = hash;
        if (hash !== location.hash) writeAddress(hash);
      }, 250);
    },
    address: (state) => addressFor(encode(state.form, isMeasured(state))),
  };
  return link;
}
