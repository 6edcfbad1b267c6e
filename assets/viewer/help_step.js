/** What the "?" of the Step page says: its keys, its symbols and the few words that one needs. */

import { say } from "./words/parts/step.js";
import { say as common } from "./words/parts/viewer.js";

/** @returns {{title: string, words: string[], keys: string[][], symbols: string[][]}} */
export const stepContent = () => ({
  title: say("step.help"),
  words: [say("step.help.idea"), say("step.help.rules"), common("viewer.help.prompt_mode"), say("step.help.hands")],
  keys: [
    [say("step.key.on"), say("step.help.on")], ["←", say("step.help.back")], ["↑ ↓", common("viewer.key.position")], ["V", say("step.help.rule")], ["P", say("step.help.play")],
    ["L", common("viewer.key.large")], ["Home, End", say("step.help.ends")], ["?", common("viewer.key.help")], ["Esc", say("step.help.escape")],
  ],
  symbols: [
    ["γ", common("viewer.symbol.gamma")], ["D, T", common("viewer.symbol.laws")], ["TV", say("step.symbol.tv")], ["r", common("viewer.symbol.ratio")],
    ["w", say("step.symbol.weight")], ["h", say("step.symbol.threshold")], ["η", common("viewer.symbol.coin")], ["s", say("step.symbol.scale")],
    ["R", say("step.symbol.product")], ["T̃", say("step.symbol.modified")], ["A", say("step.symbol.residual")], ["τ", common("viewer.symbol.tau")],
    ["E[τ]", common("viewer.symbol.mean")], ["Y", common("viewer.symbol.next")],
  ],
});
