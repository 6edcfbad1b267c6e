/**
 * Numbers as people type them, whatever the language of page, browser and keyboard: with a decimal point or a comma, in narrow or wide
 * signs ("0.5", "0,5", "０．５"). What can be read in two ways is not read. Links and files have points alone: of these only the last two functions read. No document.
 */

const WIDE = /[\uff01-\uff5e]/g, SIGNS = { "\u3002": ".", "\uff61": ".", "\u3001": ",", "\uff64": ",", "\u2212": "-", "\u3000": " " };

/** The same text in narrow signs, as a Japanese keyboard has them as well. @param {string} typed */
export const narrow = (typed) => typed.replace(WIDE, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0)).replace(/[\u3002\uff61\u3001\uff64\u2212\u3000]/g, (sign) => SIGNS[sign]);

/**
 * A typed number with a decimal point, null where its mark may as well stand between thousands: "1,234"; "1.234" only where whole numbers are
 * asked for, since a point is the decimal mark everywhere on the pages. What is no number stays none.
 * @param {string} typed @param {boolean} [whole] @returns {string|null}
 */
export function pointed(typed, whole = false) {
  const text = narrow(typed).trim();
  if (/^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(text) && (whole || text.includes(","))) return null;
  return /^[^.,]*,[^.,]*$/.test(text) ? text.replace(",", ".") : text;
}

/**
 * A typed list with commas between its numbers, null where a comma may as well be a decimal mark or stand between thousands: "0,5" among decimals,
 * "1,000" among whole numbers. A space after the comma, or semicolons between the numbers, leave no doubt.
 * @param {string} typed @param {boolean} whole @returns {string|null}
 */
export function listed(typed, whole) {
  const text = narrow(typed.replace(/[\u3001\uff64]/g, ", ")), parts = [];
  for (const chunk of text.split(/[;\s]+/)) {
    const run = chunk.replace(/,+$/, ""), comma = run.includes(",") && !run.includes(".");
    if (comma && text.includes(";")) parts.push(pointed(run, whole));
    else if (comma && (whole ? /^\d{1,3}(,\d{3})+$/.test(run) : true)) return null;
    else parts.push(...run.split(",").map((part) => pointed(part, whole)));
  }
  return parts.includes(null) ? null : parts.filter(Boolean).join(" ");
}

/** The number that a text writes in decimal digits, else null: "0x10", "Infinity" and "" are none, and neither is what would be rounded to 0. "-0" is 0. */
export function numberOf(raw) {
  const trimmed = String(raw).trim(), value = Number(trimmed), lost = value === 0 && /[1-9]/.test(trimmed.replace(/e.*$/i, ""));
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) && Number.isFinite(value) && !lost ? value + 0 : null;
}

/** The whole number that a text writes, else null: one that is whole only when it is rounded is none. */
export function wholeOf(raw) {
  const value = numberOf(raw), fraction = /^[^e.]*\.\d*[1-9]\d*$/i.test(String(raw).trim());
  return Number.isInteger(value) && !fraction ? value : null;
}
