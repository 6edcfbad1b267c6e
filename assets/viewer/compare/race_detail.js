/** What one target call of the first run was: number, drafted, kept, expected, times, and its tokens as chips. And the lanes' legend. */

import { createChip } from "../column.js";
import { milliseconds } from "../format.js";
import { html, pool, set, show } from "../svg.js";
import { say } from "../words/parts/racing.js";
import { pieces } from "../words/pieces.js";
import { phrase } from "./measure_parts.js";
import { laneWords, pointer } from "./measure_rules.js";

const KINDS = ["kept", "correction", "bonus", "plain"];
const CHIPS = { kept: "kept", correction: "correction", bonus: "bonus", plain: "plain" };

/** @param {Element} parent */
export function legend(parent) {
  const list = html("ul", { class: "pic-legend" }, parent);
  for (const kind of KINDS) {
    const item = html("li", null, list);
    html("span", { class: `race-swatch is-${kind}`, "aria-hidden": "true" }, item);
    html("span", null, item, say(`racing.kind.${kind}`));
  }
}

/** The legend in words, for a picture that leaves the page. */
export const legendWords = (reading) => say(reading ? "racing.legend.read" : "racing.legend.fit");

/** @param {Element} parent */
export function createDetail(parent) {
  const root = html("div", { class: "race-detail" }, parent);
  const write = phrase(html("p", null, root));
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
        write([]);
        chips.take(0);
        return;
      }
      const { call, kinds, first } = lane.calls[index], at = (name) => pointer("race:", "runs", 0, "lanes", lane.rule, "calls", index, record.columns.indexOf(name));
      const figure = (name, format) => ({ value: call[name], path: at(name), format });
      const extra = call.gamma === 0 ? "plain" : call.gained - 1 === call.gamma ? "bonus" : "correction";
      write(pieces(`racing.call.${extra}`, {
        rule: laneWords(lane.rule), number: index + 1, gamma: figure("gamma", String), kept: { value: call.gained - 1, path: "derived:race_kept", format: String }, gained: figure("gained", String),
        cut: call.gained > call.shown ? say("racing.call.cut", { count: call.gained - call.shown }) : "", expected: figure("expected"),
        draft: figure("draft_ms", milliseconds), target: figure("target_ms", milliseconds), verify: figure("verify_ms", milliseconds), rest: figure("rest_ms", milliseconds),
      }));
      const ids = lane.ids ? lane.ids.slice(first, first + call.shown) : [];
      chips.take(ids.length).forEach((chip, n) => chip.update(ids[n], record.pieces[ids[n]], CHIPS[kinds[n]]));
    },
  };
}
