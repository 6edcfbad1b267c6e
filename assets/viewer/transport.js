/** The row of buttons, the phases inside a block, the place in the run, and what this rule has gained so far. */

import { PHASES } from "./steps.js";
import { ruleWords } from "./rule_names.js";
import { html, set, show, svg, text, value } from "./svg.js";
import { say } from "./words/parts/step.js";
import { around } from "./words/pieces.js";

const ICONS = {
  "to-start": "M3 3v10M13 3 6 8l7 5z", back: "M12 3 5 8l7 5z", step: "M4 3l7 5-7 5z", play: "M4 3l8 5-8 5zM4 3v10",
  pause: "M5 3v10M11 3v10", "to-end": "M13 3v10M3 3l7 5-7 5z",
};

/** @param {Element} container @param {any} actions */
export function createTransport(container, actions) {
  const root = html("div", { class: "sd-transport" }, container);
  const buttons = html("div", { class: "sd-buttons", role: "group", "aria-label": say("step.walk") }, root);
  const make = (id, name, action, icon, kind = "") => {
    const label = say(`step.${name}`), title = say(`step.${name}.title`);
    const button = html("button", { type: "button", id, class: `sd-button ${kind}`, title, "aria-label": label }, buttons);
    let path = null;
    if (icon && id !== "step") path = svg("path", { d: ICONS[icon] }, svg("svg", { viewBox: "0 0 16 16", class: "sd-icon", "aria-hidden": "true" }, button));
    const words = html("span", null, button, icon && id !== "step" ? "" : label);
    if (id === "step") svg("path", { d: ICONS.step }, svg("svg", { viewBox: "0 0 16 16", class: "sd-icon", "aria-hidden": "true" }, button));
    button.addEventListener("click", () => action());
    return { button, words, path };
  };
  const start = make("to-start", "to_start", actions.toStart, "to-start", "icon");
  const back = make("back", "back", actions.back, "back", "icon");
  const step = make("step", "step", actions.step, "step", "primary");
  const play = make("play", "play", actions.play, "play", "icon");
  const end = make("to-end", "to_end", actions.toEnd, "to-end", "icon");
  const run = make("run", "run", actions.run, "");
  const restart = make("restart", "restart", actions.restart, "");

  const phases = html("ol", { class: "sd-phases", "aria-label": say("step.phases") }, root);
  const steps = PHASES.map((name) => {
    const item = html("li", { "data-name": name }, phases);
    const button = html("button", { type: "button", title: say("step.phase.title", { phase: say(`step.phase.${name}`) }) }, item, say(`step.phase.${name}`));
    button.addEventListener("click", () => actions.toPhase(name));
    return item;
  });

  const place = html("div", { class: "sd-place" }, root);
  const label = html("label", { class: "sd-scrub" }, place);
  const blockWords = html("span", null, label);
  const slider = /** @type {HTMLInputElement} */ (html("input", { type: "range", id: "scrub", min: 0, step: 1, "aria-label": say("step.block_shown") }, label));
  slider.addEventListener("input", () => actions.goTo(Number(slider.value), null));
  const gained = html("span", { class: "sd-gained", title: say("step.gained.title") }, place);
  const [before, after] = around("step.gained", {}, ["mean"]);
  html("span", null, gained, before);
  const gainedNumber = html("b", null, gained);
  html("span", null, gained, after);
  const means = html("span", { class: "sd-means", title: say("step.means.title") }, place);
  const cells = [];

  return {
    update(view) {
      const { block, trace } = view;
      const busy = view.cancellable; // an example on its way hinders nobody: a new run goes before it
      const any = Boolean(block), first = view.blockIndex === 0 && view.phase === "draft";
      const many = any ? trace.blocks.length : 0;
      const atEnd = any && view.blockIndex === many - 1 && view.phase === "commit";
      const over = any && (Boolean(trace.finish) || view.saved);
      set(start.button, { disabled: !any || first });
      set(back.button, { disabled: !any || first });
      set(step.button, { disabled: atEnd && over && !view.untouched, title: say(view.saved ? "step.step.title" : "step.step.title_more") });
      set(end.button, { disabled: !any || atEnd });
      set(play.button, { "aria-pressed": String(view.playing), "aria-label": say(view.playing ? "step.pause" : "step.play") });
      set(play.path, { d: view.playing ? ICONS.pause : ICONS.play });
      for (const { button } of [run, restart]) show(button, !view.saved);
      set(run.button, { disabled: busy });
      set(restart.button, { disabled: busy, class: `sd-button${view.changed.length ? " wanted" : ""}` });
      for (const item of steps) {
        const name = item.getAttribute("data-name");
        set(item, { class: any && name === view.phase ? "now" : "", "aria-current": any && name === view.phase ? "step" : null });
        set(item.firstElementChild, { disabled: !any });
      }
      show(place, any);
      if (!any) return;
      text(blockWords, say("step.block_of", { block: view.blockIndex + 1, count: many }));
      set(slider, { max: Math.max(many - 1, 0), disabled: many < 2 });
      if (slider.value !== String(view.blockIndex)) slider.value = String(view.blockIndex);
      const mean = view.averages[view.rule];
      show(gained, Boolean(mean));
      if (mean) {
        value(gainedNumber, mean.accepted + 1, "derived:mean_gained", { name: say("step.gained.name") });
      }
      const rules = mean ? [...new Set(["token", "block", view.rule])].filter((rule) => view.averages[rule]) : [];
      while (cells.length < rules.length) {
        const cell = html("span", null, means);
        cells.push({ cell, name: html("i", null, cell), number: html("b", null, cell) });
      }
      cells.forEach(({ cell, name, number: node }, i) => {
        show(cell, i < rules.length);
        if (i >= rules.length) return cell.remove();
        if (means.children[i] !== cell) means.append(cell);
        text(name, i ? ` · ${ruleWords(rules[i])} ` : say("step.means.first", { rule: ruleWords(rules[i]) }));
        value(node, view.averages[rules[i]].expected + 1, "derived:mean_expected_gained", { name: say("step.means.name", { rule: ruleWords(rules[i]) }) });
      });
      show(means, rules.length > 0);
    },
  };
}

