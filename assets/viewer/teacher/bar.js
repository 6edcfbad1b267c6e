/** What the link has set, in a sentence above the page, and the way out of it. */

import { html, set } from "../svg.js";
import { language } from "../words/words.js";
import { meant } from "./controls.js";
import { isRestricted, released } from "./query.js";
import { say } from "../words/parts/teacher.js";

const LISTED = 20; // names without a meaning that are said again

const listed = (names) => new Intl.ListFormat(language(), { type: "conjunction" }).format(names);

/** @param {string[]} names */
const briefly = (names) => listed(names.length > LISTED ? [...names.slice(0, LISTED), say("bar.more", { count: names.length - LISTED })] : names);

const keyOf = (page, kind) => (page === "sandbox" ? "keeps" : kind);

/** What is to be predicted, in words. @param {string} page @param {string} kind */
export const predictionWords = (page, kind) => say(`teacher.predict_${keyOf(page, kind)}`);

/** The kinds of prediction that a page knows. @param {string} page @param {string[]} kinds */
export const predictionsOf = (page, kinds) => (page === "sandbox" ? kinds.filter((kind) => kind === "tau") : kinds);

/**
 * @param {Element} root of the page, before whose content it stands
 * @param {string} page @param {import("./query.js").Settings} settings @param {string} id of the sentence
 */
export function createBar(root, page, settings, id) {
  const own = (kind) => [...settings[kind].filter((name) => name === "all"), ...meant(page, kind, settings[kind].filter((name) => name !== "all"))].map((name) => say(`control.${name}`));
  const fixed = own("fix"), hidden = own("hide"), predicted = predictionsOf(page, settings.predict).map((kind) => say(`bar.${keyOf(page, kind)}`));
  const said = [
    fixed.length && say("bar.fixed", { names: listed(fixed) }), hidden.length && say("bar.hidden", { names: listed(hidden) }),
    predicted.length && say("bar.predict", { names: listed(predicted) }), settings.unknown.length && say("bar.unknown", { names: briefly(settings.unknown) }),
  ].filter(Boolean);
  const restricted = isRestricted(settings);
  if (!said.length && !restricted) return;
  const bar = html("div", { class: "sd-teacher-bar", role: "note", "aria-label": say("bar.label") });
  html("span", { id }, bar, said.reduce((first, second) => (first ? say("bar.sentences", { first, second }) : second), ""));
  root.prepend(bar);
  if (!restricted) return;
  const leave = html("a", { class: "sd-teacher-leave", "data-do": "leave" }, bar, say("bar.leave"));
  // The page writes its state into the address without telling: the way out leads to the state there is when it is taken.
  const aim = () => set(leave, { href: (location.pathname + released(location.search)) + location.hash });
  for (const name of ["pointerdown", "focus", "click", "contextmenu"]) leave.addEventListener(name, aim);
  aim();
}
