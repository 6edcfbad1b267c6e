/**
 * How a prompt is read: as a text to go on with ("text"), or as a message in the tokenizer's chat template ("chat"), and which
 * of the two a pair knows. No document.
 */

import { pairTitle } from "./pair_words.js";
import { say } from "./words/parts/viewer.js";

export const MODES = {
  get text() {
    return say("viewer.mode.text");
  },
  get chat() {
    return say("viewer.mode.chat");
  },
};

/** What a run was asked with; a record from before there were two modes is plain. @param {{prompt_mode?: string}} settings @returns {string} */
export const modeOf = (settings) => settings.prompt_mode ?? "text";

/** The mode of a pair's own. @param {any} entry of config.pairs, or undefined */
export const ownMode = (entry) => (entry && entry.prompt_mode) || "text";

/** Whether a pair can be instructed. @param {any} entry of config.pairs, or undefined */
export const takesInstructions = (entry) => Boolean(entry && entry.prompt_modes && entry.prompt_modes.includes("chat"));

/** The mode for a pair: the wanted one where the pair has it, else its own. @param {any} entry @param {string|null} wanted */
export const modeFor = (entry, wanted) => (wanted === "text" || (wanted === "chat" && takesInstructions(entry)) ? wanted : ownMode(entry));

/** What is wrong with a mode that a link or a file gives, in words, else null. @param {any} mode @param {string} pair its name @param {any[]} pairs config.pairs */
export function modeProblem(mode, pair, pairs) {
  if (!Object.hasOwn(MODES, mode)) return say("viewer.mode.wrong");
  const entry = pairs.find((one) => one.name === pair);
  return mode === "chat" && entry && !takesInstructions(entry) ? say("viewer.mode.no_template", { pair: pairTitle(entry) }) : null;
}

/** Said beside other settings where the prompt is a message, else nothing. @param {{prompt_mode?: string}} settings */
export const modeWords = (settings) => (modeOf(settings) === "chat" ? `${MODES.chat} ` : "");
