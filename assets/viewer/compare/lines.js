/** Words in lines, for pictures: broken between words, and in Japanese also within what has no spaces. No document. */

import { language } from "../words/words.js";

const UNSPACED = /[\u3000-\u30ff\u3400-\u9fff\uff00-\uff60]/u;
// What no line begins with, and what no line ends with.
const CLOSING = /^[\p{Pe}\p{Pf}\p{Po}ー％]+$/u, OPENING = /[\p{Ps}\p{Pi}]$/u;

/** What is never broken, each with whether a space is before it. @param {string} words @returns {{text: string, spaced: boolean}[]} */
function unitsOf(words) {
  return words.split(/\s+/).filter(Boolean).flatMap((word) => (UNSPACED.test(word) ? within(word) : [word]).map((text, n) => ({ text, spaced: n === 0 })));
}

/** The words of a text without spaces, each with its punctuation. @param {string} text */
function within(text) {
  /** @type {string[]} */
  const out = [];
  for (const { segment } of new Intl.Segmenter(language(), { granularity: "word" }).segment(text)) {
    const last = out.length - 1;
    if (last >= 0 && (CLOSING.test(segment) || OPENING.test(out[last]))) out[last] += segment;
    else out.push(segment);
  }
  return out;
}

/**
 * The lines of a text; none of an empty one.
 * @param {string} words @param {(line: string) => boolean} fits whether a line is short enough; a single unit stands in a line of its own all the same
 * @returns {string[]}
 */
export function linesOf(words, fits) {
  /** @type {string[]} */
  const lines = [];
  for (const { text, spaced } of unitsOf(words)) {
    const last = lines.length - 1, longer = last < 0 ? text : lines[last] + (spaced ? " " : "") + text;
    if (last >= 0 && fits(longer)) lines[last] = longer;
    else lines.push(text);
  }
  return lines;
}
