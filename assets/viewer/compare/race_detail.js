/** What one target call of the first run was: number, drafted, kept, expected, times, and its tokens as chips. And the lanes' legend. */

import { createChip } from "../column.js";
import { milliseconds, plural } from "../format.js";
import { html, pool, set, show } from "../svg.js";
import { phrase } from "./measure_parts.js";
import { pointer } from "./measure_rules.js";
import { ruleWords } from "./rule_words.js";

const KINDS = [["kept", "kept drafted token"], ["correction", "correction"], ["bonus", "bonus"], ["plain", "plain target step"]];
const CHIPS = { kept: "kept", correction: "correction", bonus: "bonus", plain: "plain" };

/** @param {Element} parent */
export function legend(parent) {
  const list = html("ul", { class: "pic-legend" }, parent);
  for (const [kind, words] of KINDS) {
    const item = html("li", null, list);
    html("span", { class: `race-swatch is-${kind}`, "aria-hidden": "true" }, item);
    html("span", null, item, words);
  }
}

/** The legend in words, for a picture that leaves the page. */
export const legendWords = (reading) => (reading ? "Solid: kept drafted tokens; dashed: corrections; thick: bonus tokens; dotted: plain target steps." : "Bars: kept drafted tokens; triangles: corrections; circles: bonus tokens; diamonds: plain target steps.");

/** @param {Element} parent */
export function createDetail(parent) {
  const root = html("div", { class: "race-detail" }, parent);
  const say = phrase(html("p", null, root));
  const line = html("p", { class: "race-chips" }, root);
  const chips = pool(() => {
    const chip = createChip(line, "kept");
    set(chip.root, { tabindex: "-1" }); // it shows, it does nothing
    return chip;
  });
  return {
    /** @param {any} record @param {any} lane of race_model.js, or null @param {number} index */
    update(record, lane, index) {
      show(root, Boolean(lane));
      if (!lane) {
        say([]);
        chips.take(0);
        return;
      }
      const { call, kinds, first } = lane.calls[index], at = (name) => pointer("race:", "runs", 0, "lanes", lane.rule, "calls", index, record.columns.indexOf(name));
      const figure = (name, format) => ({ value: call[name], path: at(name), format });
      const extra = call.gamma === 0 ? "one plain target token" : call.gained - 1 === call.gamma ? "a bonus" : "a correction";
      const cut = call.gained > call.shown ? `; the end of the text cuts ${plural(call.gained - call.shown, "token")}` : "";
      say([`${ruleWords(lane.rule)}, target call ${index + 1}: drafted `, figure("gamma", String), ", kept ", { value: call.gained - 1, path: "derived:race_kept", format: String }, ` and ${extra}, so gained `, figure("gained", String),
        `${cut}. E[τ│block] + 1 = `, figure("expected"), ". Times: draft ", figure("draft_ms", milliseconds), ", target ", figure("target_ms", milliseconds), ", verification ", figure("verify_ms", milliseconds), ", rest ", figure("rest_ms", milliseconds), "."]);
      const ids = lane.ids ? lane.ids.slice(first, first + call.shown) : [];
      chips.take(ids.length).forEach((chip, n) => chip.update(ids[n], record.pieces[ids[n]], CHIPS[kinds[n]]));
    },
  };
}
