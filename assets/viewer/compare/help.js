/** What the "?" of the Compare page says; the frame, the colours and the signs are those of the Step page's help. */

import { createHelp as createDialog } from "../help.js";
import { say } from "../words/parts/compare.js";
import { say as sayViewer } from "../words/parts/viewer.js";

const content = () => ({
  title: say("compare.help"),
  words: [say("compare.help.columns"), say("compare.help.cells"), say("compare.help.rescued"), say("compare.help.apart"), sayViewer("viewer.help.prompt_mode")],
  keys: [
    ["← →", say("compare.help.walk")], [say("compare.key.apart"), say("compare.help.differences")], ["↑ ↓", sayViewer("viewer.key.position")],
    ["Home, End", say("compare.help.ends")], ["L", sayViewer("viewer.key.large")], ["?", sayViewer("viewer.key.help")], ["Esc", say("compare.help.close")],
  ],
  symbols: [
    ["γ", sayViewer("viewer.symbol.gamma")], ["D, T", sayViewer("viewer.symbol.laws")], ["r", sayViewer("viewer.symbol.ratio")],
    ["h", say("compare.symbol.threshold")], ["η", sayViewer("viewer.symbol.coin")], ["s", say("compare.symbol.scale")], ["T̃", say("compare.symbol.modified")],
    ["τ", sayViewer("viewer.symbol.tau")], ["E[τ│block]", sayViewer("viewer.symbol.mean")], ["Y", sayViewer("viewer.symbol.next")],
  ],
});

/** @param {Element} container */
export const createHelp = (container) => createDialog(container, content());
