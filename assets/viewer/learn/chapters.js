/**
 * The chapters of the tour, in order: for each its picture, its question, its formulas, the terms it introduces, and where there is
 * something to do on the pages themselves. Their words are under the keys that `keysOf` lists.
 */

import { pour } from "../sandbox/pour.js";
import { decode as sandboxOf, hashOf } from "../sandbox/link.js";
import { numbers } from "../sandbox/laws.js";
import { say } from "../words/parts/learn.js";
import { acceptance } from "./questions/acceptance.js";
import { bonus } from "./questions/bonus.js";
import { cell } from "./questions/cell.js";
import { correction } from "./questions/correction.js";
import { gain } from "./questions/gain.js";
import { kept } from "./questions/kept.js";
import { longRun } from "./questions/long_run.js";
import { nextLaw } from "./questions/next_law.js";
import { ratio } from "./questions/ratio.js";
import { speedup } from "./questions/speedup.js";
import { MISTAKE, surplus } from "./questions/surplus.js";

/**
 * @typedef {object} Seen what a page shows while somebody follows a chapter there
 * @property {string} hash  @property {Record<string, string|undefined>} data the data attributes of the page's root  @property {Element|null} root
 *
 * @typedef {object} Chapter
 * @property {string} id  @property {any} scene  @property {any} question  @property {string[]} formulas  @property {number} paragraphs
 * @property {"step"|"compare"|"sandbox"|"audit"} page where there is something to do
 * @property {string} at what is to be in view there, as a selector
 * @property {(config: any) => string} hash of the page in the state that is needed  @property {(seen: Seen) => boolean} done whether it has been done there
 */

/** @returns {import("../sandbox/laws.js").State} */
const state = (gamma, draft, target, rules) => ({ symbols: draft.length, gamma, context: "free", draft: [[draft]], target: [[target]], rules });
const THREE = [["0.6", "0.1", "0.3"], ["0.2", "0.3", "0.5"]], PAPER = [["2/3", "1/3"], ["1/3", "2/3"]];
const residual = state(1, THREE[0], THREE[1], ["token", MISTAKE]);
const apart = state(1, ["0.7", "0.2", "0.1"], ["0.2", "0.3", "0.5"], ["token", "sampled_match"]);
const paper = state(2, PAPER[0], PAPER[1], ["token", "block"]), long = state(3, PAPER[0], PAPER[1], ["block", "greedy_block"]);
const wrong = state(1, THREE[0], THREE[1], ["token", MISTAKE]);

const late = ({ data }) => data.phase === "correct" || data.phase === "commit";
const given = (hash) => new URLSearchParams(hash.replace(/^#/, ""));

/** What a position accepts under the laws of a Sandbox address; 0 where they are none. @param {string} hash */
export function acceptedAt(hash) {
  const found = sandboxOf(hash), [draft, target] = found && found.laws ? [found.laws.draft, found.laws.target].map((side) => numbers(side[0][0])) : [[], []];
  return draft.length && draft.length === target.length ? 1 - pour(draft, target).tv : 0;
}

/** The Compare page on a prompt that both rules continue, with the first pair that can be had. */
function compareHash(config) {
  const pair = config.pairs.find((one) => one.available !== false) || config.pairs[0] || { name: "", drafts: [] };
  return "#" + new URLSearchParams({
    page: "compare", prompt: "It is a truth universally acknowledged, that", pair: pair.name, draft: pair.drafts[0] ? pair.drafts[0].name : "",
    gamma: "4", temperature: "1", top_k: "0", top_p: "1", seed: "0", max: "48", rules: "token,block", follow: "block",
  });
}

/** @type {Chapter[]} */
export const CHAPTERS = [
  {
    id: "why", paragraphs: 3, formulas: ["gain"], question: gain, scene: { kind: "trace", example: "all-kept", rule: "block", parts: ["lane"], place: { phase: "correct" } },
    page: "step", at: ".sd-text", hash: () => "#example=all-kept&b=3&phase=draft&pos=0", done: ({ data }) => data.phase === "commit",
  },
  {
    id: "law", paragraphs: 3, formulas: ["output"], question: nextLaw, scene: { kind: "trace", example: "rescue", rule: "token", parts: ["position"], place: { phase: "score", position: 0 } },
    page: "step", at: ".sd-stage", hash: () => "#example=rescue&b=1&phase=score&pos=0&rule=token", done: ({ data }) => data.position !== undefined && data.position !== "0",
  },
  {
    id: "ratio", paragraphs: 3, formulas: ["token_keeps", "kept_mass"], question: ratio, scene: { kind: "trace", example: "rescue", rule: "token", parts: ["lane"], place: { phase: "draft" } },
    page: "step", at: ".sd-stage", hash: () => "#example=rescue&b=1&phase=score&pos=0&rule=token", done: late,
  },
  {
    id: "residual", paragraphs: 3, formulas: ["residual", "mending"], question: correction, scene: { kind: "sandbox", state: residual, parts: ["pour"] },
    page: "sandbox", at: ".pic-pour", hash: () => hashOf(residual), done: ({ hash }) => given(hash).get("pour") === "target",
  },
  {
    id: "bonus", paragraphs: 2, formulas: ["all_kept"], question: bonus, scene: { kind: "trace", example: "all-kept", rule: "token", parts: ["lane"], after: ["lengths"], place: { blockIndex: 5, phase: "score" } },
    page: "step", at: ".sd-stage", hash: () => "#example=all-kept&b=3&phase=score&pos=0&rule=token", done: late,
  },
  {
    id: "acceptance", paragraphs: 3, formulas: ["overlap", "variation"], question: acceptance, scene: { kind: "sandbox", state: apart, parts: ["editor"], after: ["pour"] },
    page: "sandbox", at: ".sb-headline", hash: () => hashOf(apart), done: ({ hash }) => acceptedAt(hash) >= 0.9 - 1e-9,
  },
  {
    id: "block", paragraphs: 4, formulas: ["weight", "block_coin", "block_mass"], question: kept, scene: { kind: "trace", example: "rescue", rule: "block", parts: ["lane"], place: { phase: "score" } },
    page: "step", at: ".sd-stage", hash: () => "#example=rescue&b=1&phase=score&pos=4", done: (seen) => late(seen) && seen.data.rule === "token",
  },
  {
    id: "transport", paragraphs: 3, formulas: ["cell", "cost"], question: cell, scene: { kind: "sandbox", state: paper, parts: ["matrix"], after: ["tree"] },
    page: "sandbox", at: ".pic-coupling-matrix", hash: () => hashOf(paper), done: ({ hash }) => given(hash).get("diff") === "1",
  },
  {
    id: "long_run", paragraphs: 3, formulas: ["modified"], question: longRun, scene: { kind: "sandbox", state: long, parts: ["longrun"], longrun: true },
    page: "sandbox", at: ".pic-longrun", hash: () => hashOf(long), done: ({ root }) => Boolean(root && root.querySelector(".sbx-longrun .sbx-point")),
  },
  {
    id: "cost", paragraphs: 3, formulas: ["speedup"], question: speedup, scene: { kind: "trace", example: "rescue", rule: "block", parts: ["timestrip"], place: { phase: "correct" } },
    page: "compare", at: "#compare-race", hash: compareHash, done: ({ root }) => Boolean(root && root.querySelector("#compare-race .race-call")),
  },
  {
    id: "mistakes", paragraphs: 3, formulas: ["wrong_output"], question: surplus, scene: { kind: "sandbox", state: wrong, parts: ["mistake"] },
    page: "audit", at: ".sd-controls", hash: () => `#page=audit&rule=${MISTAKE}`, done: ({ data }) => data.state === "done",
  },
];

/** @param {string|null} id */
export const chapterOf = (id) => CHAPTERS.find((chapter) => chapter.id === id) || null;

/** The chapter after (by 1) or before (by −1) one, null beyond the ends. @param {string} id @param {number} by */
export const beside = (id, by) => CHAPTERS[CHAPTERS.findIndex((chapter) => chapter.id === id) + by] || null;

/** The keys of a chapter's words. @param {Chapter} chapter */
export const keysOf = ({ id, paragraphs }) => ({
  title: `chapter.${id}.title`, short: `chapter.${id}.short`, paragraphs: Array.from({ length: paragraphs }, (_, k) => `chapter.${id}.p${k + 1}`), look: `chapter.${id}.look`,
  task: `chapter.${id}.do`, done: `chapter.${id}.done`,
});

/** @param {Chapter} chapter */
export const titleOf = (chapter) => say(keysOf(chapter).title);
