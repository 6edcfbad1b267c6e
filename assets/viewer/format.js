/**
 * Numbers and token pieces as text: the one place that decides how a value looks.
 * It does not touch the document and does not know where a value comes from.
 *
 *     number(0.000412)  →  "0.000412"        number("inf")  →  "∞"
 *     pieces([464], () => " The")[0].text  →  "·The"
 */

export const DASH = "–";
const THIN = "\u202f"; // narrow no-break space, between a number and its unit, and between thousands
const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";

/** A trace's number as a float: the string "inf" is Infinity, null and undefined are NaN. */
export function numeric(x) {
  if (x === "inf") return Infinity;
  if (x === "-inf") return -Infinity;
  return x === null || x === undefined ? NaN : Number(x);
}

/** How far sums over laws may differ by the rounding of the models alone, which compute in float32. */
export const ROUNDING = 1e-5;

/**
 * Three significant digits, never an exponent. Exactly 0 and 1 are bare ("0", "1"), so that "1.00" says "rounds to one".
 * What is too small or too large for the format says so; `full` gives the rest.
 * @param {number|string|null|undefined} x
 * @returns {string}
 */
export function number(x) {
  const value = numeric(x);
  if (Number.isNaN(value)) return DASH;
  if (value < 0) return value === -Infinity ? "−∞" : value > -1e-6 ? "0" : "−" + number(-value); // a trace's negatives are rounding
  if (value === Infinity) return "∞";
  if (value === 0) return "0";
  if (Math.abs(value - 1) < 1e-9) return "1"; // a sum of eight-digit terms
  if (value < 1e-6) return "<0.000001";
  if (value >= 1e6) return ">1000000";
  if (value >= 999.5) return String(Math.round(value));
  return value.toPrecision(3);
}

/** Every digit of a number, without an exponent: for tooltips and `data-value`. */
export function full(x) {
  const value = numeric(x);
  if (Number.isNaN(value)) return DASH;
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (!match) return text;
  const [, sign, head, tail = "", exponent] = match;
  const shift = Number(exponent);
  if (shift < 0) return sign + "0." + "0".repeat(-shift - 1) + head + tail;
  return sign + head + tail + "0".repeat(Math.max(0, shift - tail.length));
}

/** The value for a `data-value` attribute: what `Number` (or Python's float) reads back unchanged. */
export function dataValue(x) {
  const value = numeric(x);
  if (Number.isNaN(value)) return "";
  return Number.isFinite(value) ? String(value) : value > 0 ? "inf" : "-inf";
}

/** A share as whole percents where that is enough: "0 %", "<0.1 %", "3.4 %", "39 %", ">99.9 %", "100 %". */
export function percent(x) {
  const value = numeric(x) * 100;
  if (Number.isNaN(value)) return DASH;
  const unit = THIN + "%";
  if (value <= 0 || value === 100) return Math.max(0, value) + unit;
  if (value < 0.1) return "<0.1" + unit;
  if (value < 9.95) return value.toFixed(1) + unit;
  if (value < 99.5 || value > 100) return Math.round(value) + unit;
  return (value >= 99.95 ? ">99.9" : value.toFixed(1)) + unit;
}

/** A duration given in milliseconds: "0.412 ms", "12.3 ms", "1.23 s". */
export function milliseconds(x) {
  const value = numeric(x);
  if (Number.isNaN(value)) return DASH;
  return value >= 999.5 ? number(value / 1000) + THIN + "s" : number(value) + THIN + "ms";
}

/** A whole number with its thousands apart, alike in every language: many(12345) → "12 345". @param {number} n */
export const many = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, THIN);

/** Subscript digits: sub(12) → "₁₂". */
export function sub(n) {
  return String(n).replace(/\d/g, (digit) => SUBSCRIPTS[Number(digit)]).replace("-", "₋");
}

/** "1 token", "2 tokens": a count with its noun. */
export function plural(count, one, many = one + "s") {
  return `${count} ${count === 1 ? one : many}`;
}

const VISIBLE = { " ": "·", "\n": "⏎", "\t": "⇥", "\r": "␍", "\u00a0": "⍽" };
// What draws nothing, or a blank: controls, spaces, what Unicode calls ignorable, and the blanks that no property names. The Arabic,
// Syriac and Kaithi number signs are format characters (Cf) too, but they draw.
const HIDDEN = /(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}]/gu;
// An emoji draws its joiners, selectors and tags: what it is made of stays together.
const ONE = "\\p{Extended_Pictographic}[\\ufe0e\\ufe0f\\p{Emoji_Modifier}\\u{e0020}-\\u{e007f}]*";
const EMOJI_OR_HIDDEN = new RegExp(`${ONE}(?:\\u200d${ONE})*|[0-9#*]\\ufe0f?\\u20e3|${HIDDEN.source}`, "gu");
// What shapes the letters that it stands among: joiners and selectors of variants.
const SHAPES = /[\u200c\u200d]|(?=\p{Grapheme_Extend})\p{Default_Ignorable_Code_Point}/u;
// The blocks in which Unicode lets letters run from right to left.
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const [LTR, RTL, END] = "\u2066\u2067\u2069"; // Unicode's isolates: what stands between one of the first two and the last has a direction of its own

/** The sign of one character that draws nothing. */
function sign(char) {
  if (char in VISIBLE) return VISIBLE[char];
  const code = char.codePointAt(0);
  return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;
}

/** Text with its white space, and whatever else draws nothing, made visible. */
export function visible(text) {
  return text.replace(EMOJI_OR_HIDDEN, (found) => (found.search(HIDDEN) === 0 ? sign(found) : found));
}

/**
 * Running text: real spaces, line ends marked and then broken. What shapes the letters of the same text stays, so that it reads as it
 * should; whatever else draws nothing has its sign, and so has a text of which nothing would be seen.
 */
export function reading(text) {
  const draws = text.replace(HIDDEN, "") !== "", gives = !/\p{L}/u.test(text) || RIGHT_TO_LEFT.test(text); // whether a sign's letters would give the line its direction
  return text.replace(HIDDEN, (char) => {
    if (char === " " || (draws && SHAPES.test(char))) return char;
    return char === "\n" ? "⏎\n" : gives ? sign(char).replace(/^‹.*›$/, `${LTR}$&${END}`) : sign(char);
  });
}

/**
 * A text that is to stand among other words: where it has letters that run from right to left it is set apart, so that they do not turn
 * what is around them. @param {string} text @param {string} [raw] the text whose first letter decides, where signs have been put into it
 */
export function isolated(text, raw = text) {
  if (!RIGHT_TO_LEFT.test(raw)) return text;
  return (RIGHT_TO_LEFT.test((/\p{L}/u.exec(raw) || [raw])[0]) ? RTL : LTR) + text + END;
}

/** Such a text cut by a function, and still set apart. @param {string} text @param {(text: string) => string} cut */
export const cutInside = (text, cut) => (text.endsWith(END) ? text[0] + cut(text.slice(1, -1)) + END : cut(text));

const hexBytes = (hex) => Uint8Array.from(hex.match(/../g) || [], (pair) => parseInt(pair, 16));
const strict = typeof TextDecoder === "undefined" ? null : new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decoded(bytes) {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

/**
 * One piece as visible text: "·The", "⏎", "‹f0 9f›" for bytes that are no character by themselves, "<|eos|>".
 * @param {string|{bytes: string}|{special: string}|null|undefined} piece see docs/trace.md
 */
export function pieceText(piece) {
  if (piece === null || piece === undefined) return "‹?›";
  if (piece === "") return "‹empty›";
  const raw = typeof piece === "string" ? piece : piece.special ?? decoded(hexBytes(piece.bytes));
  if (raw === null) return `‹${(piece.bytes.match(/../g) || []).join(" ")}›`;
  // A mark that nothing carries here would be drawn over its neighbour.
  return isolated(visible(raw).replace(/^\p{M}/u, "◌$&"), raw);
}

const graphemes = typeof Intl === "undefined" || !Intl.Segmenter ? null : new Intl.Segmenter("und", { granularity: "grapheme" });

/** Whether a text that follows another is drawn as a part of the other's last sign: accents, vowel signs, halves of an emoji or of a ligature. */
function isDrawnWith(before, after) {
  const ligature = /\u0644\p{M}*$/u.test(before) && /^[\u0622\u0623\u0625\u0627]\p{M}*$/u.test(after); // lam and alef
  if (!ligature) {
    if (!before || !graphemes || !(/[\p{M}\u200d]$/u.test(before) || /^[\p{M}\p{So}\p{Sk}\u200d\u1160-\u11ff]/u.test(after))) return false;
    const { index, segment } = graphemes.segment(before + after).containing(before.length);
    if (index === before.length || index + segment.length < before.length + after.length) return false;
  }
  return after.replace(HIDDEN, "") !== "";
}

/**
 * A run of tokens as segments; bytes of consecutive tokens are joined until they make whole characters, and tokens that are drawn as one sign too.
 * @param {number[]} ids
 * @param {(id: number) => any} pieceOf id → piece
 * @returns {{from: number, ids: number[], text: string, raw: string, special: boolean, complete: boolean}[]}
 *   `from` is the index in `ids`; `text` is visible text, `raw` the text itself ("" for special and incomplete ones)
 */
export function pieces(ids, pieceOf) {
  const out = [];
  const isBytes = (piece) => piece !== null && typeof piece === "object" && typeof piece.bytes === "string";
  for (let i = 0; i < ids.length; ) {
    const piece = pieceOf(ids[i]);
    let end = i + 1;
    let raw = typeof piece === "string" ? piece : null;
    if (isBytes(piece)) {
      let hex = "";
      for (let j = i; j < ids.length && raw === null && isBytes(pieceOf(ids[j])); j++) {
        hex += pieceOf(ids[j]).bytes;
        raw = decoded(hexBytes(hex));
        if (raw !== null) end = j + 1;
      }
    }
    const last = out[out.length - 1];
    if (last && raw !== null && isDrawnWith(last.raw, raw)) {
      last.ids.push(...ids.slice(i, end));
      last.raw += raw;
      last.text = visible(last.raw);
    } else out.push({
      from: i, ids: ids.slice(i, end), raw: raw ?? "", text: raw === null ? pieceText(piece) : raw === "" ? "‹empty›" : visible(raw),
      special: Boolean(piece && piece.special), complete: raw !== null || Boolean(piece && piece.special),
    });
    i = end;
  }
  return out;
}

/** At most `length` characters, the last one "…" where something was left out. */
export function shorten(text, length) {
  return cutInside(text, (whole) => {
    const chars = Array.from(whole);
    return chars.length <= length ? whole : chars.slice(0, Math.max(1, length - 1)).join("") + "…";
  });
}
