/** Axes: round steps and ticks. No document. */

import { full } from "../format.js";

/** A step of 1, 2 or 5 times a power of ten that divides `extent` into at most `most` parts. */
export function niceStep(extent, most) {
  if (!(extent > 0)) return 1;
  const raw = extent / Math.max(1, most), power = 10 ** Math.floor(Math.log10(raw));
  return ([1, 2, 5].find((factor) => factor * power >= raw * (1 - 1e-9)) || 10) * power;
}

/** Round places from low to high. */
export function ticks(low, high, most) {
  const step = niceStep(high - low, most), out = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n++) out.push(Number((n * step).toPrecision(12)));
  return out;
}

/** A tick's label, without an exponent and with a proper minus. */
export const tickText = (value) => full(Number(value.toPrecision(6))).replace("-", "−");
