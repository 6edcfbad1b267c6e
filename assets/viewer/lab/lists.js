/** Lists of numbers as they are typed: "4, 8" and back. No document. */

import { listed, numberOf, wholeOf } from "../typed_numbers.js";
import { say } from "../words/parts/lab.js";

/** @typedef {{name: string, whole: boolean, low: number, high: number, above?: boolean, most: number}} Kind `above`: low itself is outside */

/**
 * The numbers of a typed list, or what is wrong with it in words.
 * @param {string} typed @param {Kind} kind @returns {{numbers: number[], problem: string}}
 */
export function readList(typed, { name, whole, low, high, above = false, most }) {
  const parts = typed.split(/[,;\s]+/).filter(Boolean), no = (problem) => ({ numbers: [], problem }), what = whole ? "whole" : "number";
  if (!parts.length) return no(say(`lab.list.none.${what}`, { name }));
  const numbers = [];
  for (const part of parts) {
    const huge = /^[+-]?\d+(e\+?\d+)?$/i.test(part) && !Number.isFinite(Number(part)), x = huge ? Number(part) : whole ? wholeOf(part) : numberOf(part);
    if (x === null) return no(say(`lab.list.no.${what}`, { name, part: part.slice(0, 20) }));
    if (x < low || x > high || (above && x === low)) return no(say(above ? "lab.list.not_above" : "lab.list.outside", { name, part: part.slice(0, 20), low, high }));
    if (!numbers.includes(x)) numbers.push(x);
  }
  return numbers.length > most ? no(say("lab.list.most", { name, count: most })) : { numbers, problem: "" };
}

/** The same of what somebody types into a field; a link's list is read as it stands. @param {string} typed @param {Kind} kind */
export function readTyped(typed, kind) {
  const text = listed(typed, kind.whole);
  return text === null ? { numbers: [], problem: say("lab.list.two_ways", { name: kind.name, typed: typed.trim().slice(0, 40) }) } : readList(text, kind);
}

export const writeList = (numbers) => numbers.join(", ");

export const KINDS = {
  gammas: { name: "γ", whole: true, low: 1, high: 16, most: 8 },
  temperatures: { name: "T", whole: false, low: 0, high: 5, most: 6 },
  top_ks: { name: "top-k", whole: true, low: 0, high: 1_000_000, most: 4 },
  top_ps: { name: "top-p", whole: false, low: 0, high: 1, above: true, most: 4 },
};
