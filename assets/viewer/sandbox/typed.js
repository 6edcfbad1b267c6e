/**
 * Probabilities as they are typed ("0.25", "0,25", "1e-3", "2/3"), read exactly as fractions of whole numbers; no document. The server
 * reads them the same way and has the last word: here they are for drawing before it has answered, for sums and for "normalise".
 */

import { narrow, pointed } from "../typed_numbers.js";

export const LONGEST_TEXT = 40; // characters that are read
export const LONGEST_KEPT = 8000; // characters that a field holds and a file brings back, whatever they say: as many as a link has
const SMALLEST = -30, LARGEST_PART = 40; // powers of ten: of a probability, of the parts of a fraction
const MINUS_ZERO = /^[-−–](?:0+(?:\.0*)?|\.0+)$/;
const DECIMAL = /^\+?(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

/** Why a text cannot be kept as it is, null where it can. @param {string} typed @returns {"long"|"half"|null} */
export function refusal(typed) {
  if (typed.length > LONGEST_KEPT) return "long";
  return /\p{Surrogate}/u.test(typed) ? "half" : null; // half of a character
}

/** @typedef {{n: bigint, d: bigint}} Fraction in lowest terms, d > 0 */

const gcd = (a, b) => {
  while (b) [a, b] = [b, a % b];
  return a;
};

/** @param {bigint} n @param {bigint} d @returns {Fraction} */
export function fraction(n, d) {
  const common = gcd(n < 0n ? -n : n, d) || 1n;
  return { n: n / common, d: d / common };
}

/** A decimal between 10^least and 10^most, or 0; null for anything else, without ever making a large integer. @returns {Fraction|null} */
function decimalOf(text, least, most) {
  const match = DECIMAL.exec(pointed(text) ?? "");
  if (!match) return null;
  const [, before, after = "", exponent = "0"] = match, digits = (before + after).replace(/^0+/, "");
  if (!before && !after) return null;
  if (!digits) return { n: 0n, d: 1n };
  const power = Number(exponent) - after.length, size = digits.length + power;
  if (size > most || size < least) return null;
  return power >= 0 ? fraction(BigInt(digits) * 10n ** BigInt(power), 1n) : fraction(BigInt(digits), 10n ** BigInt(-power));
}

/** The fraction that a text says, null where it says none between 0 and 1. @param {string} typed @returns {Fraction|null} */
export function read(typed) {
  const text = narrow(typed).trim(), parts = text.split("/");
  if (!text || typed.length > LONGEST_TEXT || parts.length > 2) return null;
  if (MINUS_ZERO.test(text)) return { n: 0n, d: 1n };
  let found = null;
  if (parts.length === 1) found = decimalOf(text, SMALLEST, 1);
  else {
    const [above, below] = parts.map((part) => decimalOf(part.trim(), -LARGEST_PART, LARGEST_PART));
    if (above && below && below.n) found = fraction(above.n * below.d, above.d * below.n);
  }
  return !found || found.n > found.d || (found.n && found.n * 10n ** BigInt(-SMALLEST) < found.d) ? null : found;
}

/** @param {Fraction} a */
export const toNumber = ({ n, d }) => Number(n) / Number(d);

/** The number that a text says, NaN where it says none. @param {string} typed */
export function valueOf(typed) {
  const found = read(typed);
  return found ? toNumber(found) : NaN;
}

/** @param {Fraction[]} list @returns {Fraction} */
export const sum = (list) => list.reduce((a, b) => fraction(a.n * b.d + b.n * a.d, a.d * b.d), { n: 0n, d: 1n });

/** The exact sum of a row of texts, null where one of them says nothing. @param {string[]} row */
export function sumOf(row) {
  const list = row.map(read);
  return list.includes(null) ? null : sum(/** @type {Fraction[]} */ (list));
}

/** Whether a sum is taken for 1: exactly, or so nearly that it was copied from a program. @param {Fraction} a */
export const isOne = ({ n, d }) => (n > d ? n - d : d - n) * 10n ** 9n <= d;

/** "2/3", "1". @param {Fraction} a */
export const words = ({ n, d }) => (d === 1n ? String(n) : `${n}/${d}`);

const READABLE = 7; // digits of a fraction's denominator that one still likes to read

/** A decimal of at most 12 places as a text, null where it does not end by then. @param {Fraction} a */
function decimalText({ n, d }) {
  const grid = 10n ** 12n;
  return (n * grid) % d === 0n ? gridText(Number((n * grid) / d), 1e12) : null;
}

/** k/size as a decimal without idle zeros. @param {number} k @param {number} size a power of ten */
export function gridText(k, size) {
  const places = Math.round(Math.log10(size));
  const digits = String(k).padStart(places + 1, "0");
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`.replace(/\.?0+$/, "");
}

/**
 * The same proportions with sum 1, as texts: decimals where they end, else fractions; where those would be unreadable, decimals
 * of twelve places whose sum is exactly 1. Null where a text says nothing, or all are 0.
 * @param {string[]} row
 * @returns {string[]|null}
 */
export function normalised(row) {
  const total = sumOf(row);
  if (!total || total.n === 0n) return null;
  const parts = row.map((typed) => {
    const part = /** @type {Fraction} */ (read(typed));
    return fraction(part.n * total.d, part.d * total.n);
  });
  const decimals = parts.map(decimalText);
  if (decimals.every((text) => text !== null && text.length <= 8)) return /** @type {string[]} */ (decimals);
  if (parts.every(({ d }) => String(d).length <= READABLE)) return parts.map(words);
  return onGrid(parts.map(toNumber), 1e12);
}

/**
 * Weights as decimals on a grid of 1/size that sum to exactly `share` steps of it, by largest remainder.
 * @param {number[]} weights not negative, not all 0 @param {number} size a power of ten @param {number} [share]
 * @returns {string[]}
 */
export function onGrid(weights, size, share = size) {
  const total = weights.reduce((a, b) => a + b, 0);
  const exact = weights.map((weight) => (weight / total) * share);
  const steps = exact.map(Math.floor);
  const order = exact.map((x, i) => ({ i, left: x - Math.floor(x) })).sort((a, b) => b.left - a.left || a.i - b.i);
  let missing = share - steps.reduce((a, b) => a + b, 0);
  for (const { i } of order) {
    if (missing <= 0 || weights[i] === 0) continue;
    steps[i] += 1;
    missing -= 1;
  }
  const largest = steps.indexOf(Math.max(...steps));
  steps[largest] += missing; // what rounding of the floats themselves may have left
  return steps.map((k) => gridText(k, size));
}
