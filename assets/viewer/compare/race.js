/** The race on the Compare page: settings, lanes, texts, figures. It draws `view.race` and computes nothing but sums and differences. */

import { html, set } from "../svg.js";
import { say } from "../words/parts/racing.js";
import { createRaceControls } from "./race_controls.js";
import { createLanes } from "./race_lanes.js";
import { createPredict } from "./race_predict.js";
import { createTable } from "./race_table.js";
import { createTexts } from "./race_texts.js";

/** @param {Element} container @param {any} actions startRace, cancelRace, setRaceOption(name, value) */
export function createRace(container, actions) {
  const root = html("section", { class: "measure measure-race", "aria-label": say("racing.title") }, container);
  html("h2", { class: "measure-title" }, root, say("racing.title"));
  html("p", { class: "sd-soft" }, root, say("racing.about"));
  const controls = createRaceControls(root, actions);
  const panels = Array.from({ length: 4 }, () => html("div", { class: "sd-panel" }, root));
  const lanes = createLanes(panels[0], actions), predict = createPredict(panels[1], actions), texts = createTexts(panels[2]), table = createTable(panels[3], actions);
  return {
    update(view) {
      const { race } = view;
      set(root, { "data-state": race.status });
      panels.slice(1).forEach((panel) => set(panel, { hidden: !race.record }));
      controls.update(view);
      lanes.update(view);
      predict.update(race.record, race.options);
      texts.update(race);
      table.update(view);
    },
  };
}
