/** What the "?" of the Compare page says; the frame, the colours and the signs are those of the Step page's help. */

import { createHelp as createDialog } from "../help.js";

const CONTENT = {
  title: "How to read this page",
  words: [
    "Every column is a rule. All columns see the same drafted tokens and the same uniforms; what differs between them is the rule alone. The text goes on with what one of them decided: choose which in its head.",
    "In a cell the green zone is [0, h): the dot must fall inside it for the coin to pass. A filled dot passed, a hollow one failed, a faint one was never tossed. A diamond is what a mistaken rule compares instead of η. The thick line is where the kept tokens end.",
    "Rescued (right to left): a longer prefix passed, so the token is kept though the token rule’s own test (η < min(1, r)) fails.",
    "≠ marks what differs from the followed column. A rule that is not lossless may keep more: its text then no longer follows the target, and nothing is won. Single draws prove nothing; the mean of E[τ│block] + 1 compares rules on the same drafts. Marked † it leaves something out: a rule that remembers (greedy block), unless the text follows it, is asked afresh at every block, and what it pays in its later blocks is not in its mean. A race tells what each rule does on its own.",
    "“Prompt is” says how the prompt is read: as a text that the models go on with, or as an instruction, a message in the chat template that they were taught with, which they answer. The template’s tokens are folded in the text; the chips “instruction” and “answer” open them. What is typed is always text: a special token that is typed is not one.",
  ],
  keys: [
    ["← →", "previous and next block"], ["N, Shift+N", "next and previous block where a column differs"], ["↑ ↓", "position"],
    ["Home, End", "first and last block"], ["L", "large, for a projector"], ["?", "this help"], ["Esc", "close"],
  ],
  symbols: [
    ["γ", "how many tokens are drafted in a block"],
    ["D, T", "next-token laws of draft and target, after temperature, top-k, top-p"],
    ["r", "T/D of the drafted token: above 1, the target wants it more than the draft"],
    ["h", "threshold of a prefix (left to right: of a token), between 0 and 1"],
    ["η", "its coin: a uniform number in [0, 1); it passes if η < h"],
    ["s", "what scales T in the residual (s·T − D)₊: 1 for the token rule, the weight w for the block rule"],
    ["T̃", "greedy block, after a correction: the modified target that the rest of the old block must follow"],
    ["τ", "how many drafted tokens are kept, 0…γ"],
    ["E[τ│block]", "its mean given this drafted block, before any coin; + 1 is what a target call gains"],
    ["Y", "the token that the rule adds behind the kept ones: a correction, or the bonus if τ = γ"],
  ],
};

/** @param {Element} container */
export const createHelp = (container) => createDialog(container, CONTENT);
