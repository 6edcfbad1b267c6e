/** Numbers recognised as small fractions, for those that the record gives as decimals only. No document. */

import { number } from "../format.js";

const LARGEST = 10000, NEAR = 1e-12;

/**
 * The fraction with the smallest denominator ≤ 10,000 that a double cannot be told from: 0.07407407407407407 → "2/27", else null.
 * Whole numbers and what is too small to be judged are none.
 * @param {number} x @returns {string|null}
 */
export function fraction(x) {
  if (!Number.isFinite(x)) return null;
  const sign = x < 0 ? "−" : "", size = Math.abs(x);
  // Convergents of the continued fraction: the best approximations there are, denominators rising.
  let [a, b] = [0, 1], [numerator, denominator] = [1, 0];
  for (let rest = size, n = 0; n < 24; n++) {
    // A whole number that rounding has put just below itself is tried first.
    for (const whole of [Math.round(rest), Math.floor(rest)]) {
      const over = whole * numerator + a, under = whole * denominator + b;
      if (under <= LARGEST && over > 0 && Math.abs(size * under - over) < NEAR) return under === 1 ? null : `${sign}${over}/${under}`;
    }
    const whole = Math.floor(rest);
    [a, numerator] = [numerator, whole * numerator + a];
    [b, denominator] = [denominator, whole * denominator + b];
    if (rest === whole || denominator > LARGEST) return null;
    rest = 1 / (rest - whole);
  }
  return null;
}

/** "0.0741 ≈ 2/27" where there is such a fraction, else "0.0741". @param {number} x @param {(x: number) => string} [format] */
export function withFraction(x, format = number) {
  const found = fraction(x);
  return found ? `${format(x)} ≈ ${found}` : format(x);
}
