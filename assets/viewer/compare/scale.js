/** Axes: round steps and ticks. No document. */

import { full } from "../format.js";

/** A step of 1, 2 or 5 times a power of ten that divides `extent` into at most `most` parts. */
export function niceStep(extent, most) {
  if (!(extent > 0)) return 1;
  const raw = extent / Math.max(1, most), power = 10 ** Math.floor(Math.log10(raw));
  return ([1, 2, 5].find((factor) => factor * power >= raw * (1 - 1e-9)) || 10) * power;
}

const ENDS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10], DWARFS = 3, DUST = 300, ROOMY = 2.5, BEYOND = 1.25;

/** A round number at or a little above `extent`: where an axis ends. */
export function niceEnd(extent) {
  if (!(extent > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(extent));
  return Number(((ENDS.find((factor) => factor * power >= extent * (1 - 1e-9)) || 10) * power).toPrecision(12));
}

/** How far an axis reaches for these sizes: to the largest, but where that one dwarfs all others (and they are not mere dust), to the second. */
export function reach(sizes) {
  const [first = 0, second = 0] = [...sizes].sort((a, b) => b - a);
  return first > DWARFS * second && first < DUST * second ? second : first;
}

/** The end of an axis that holds what is usual, and of the other values those that are not far beyond it; for these it leaves a little room. */
export function axisOf(usual, values) {
  const near = values.filter((value) => value <= ROOMY * usual);
  return Math.max(usual, ...near, near.length < values.length ? BEYOND * usual : 0);
}

/** Round places from low to high. */
export function ticks(low, high, most) {
  const step = niceStep(high - low, most), out = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n++) out.push(Number((n * step).toPrecision(12)));
  return out;
}

/** A tick's label, without an exponent and with a proper minus. */
export const tickText = (value) => full(Number(value.toPrecision(6))).replace("-", "−");
