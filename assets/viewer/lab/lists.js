/** Lists of numbers as they are typed: "4, 8" and back. No document. */

/** @typedef {{name: string, whole: boolean, low: number, high: number, above?: boolean, most: number, what: string}} Kind `above`: low itself is outside */

/**
 * The numbers of a typed list, or what is wrong with it in words.
 * @param {string} typed @param {Kind} kind @returns {{numbers: number[], problem: string}}
 */
export function readList(typed, { name, whole, low, high, above = false, most, what }) {
  const parts = typed.split(/[,;\s]+/).filter(Boolean), no = (problem) => ({ numbers: [], problem });
  if (!parts.length) return no(`${name}: at least one ${what}`);
  const numbers = [];
  for (const part of parts) {
    const x = Number(part);
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(part) || (whole && !Number.isInteger(x))) return no(`${name}: “${part.slice(0, 20)}” is no ${what}`);
    if (x < low || x > high || (above && x === low)) return no(`${name}: ${part.slice(0, 20)} is not ${above ? "above" : "from"} ${low} ${above ? "and at most" : "to"} ${high}`);
    if (!numbers.includes(x)) numbers.push(x);
  }
  return numbers.length > most ? no(`${name}: at most ${most} values`) : { numbers, problem: "" };
}

export const writeList = (numbers) => numbers.join(", ");

export const KINDS = {
  gammas: { name: "γ", whole: true, low: 1, high: 16, most: 8, what: "whole number" },
  temperatures: { name: "T", whole: false, low: 0, high: 5, most: 6, what: "number" },
  top_ks: { name: "top-k", whole: true, low: 0, high: 1_000_000, most: 4, what: "whole number" },
  top_ps: { name: "top-p", whole: false, low: 0, high: 1, above: true, most: 4, what: "number" },
};
