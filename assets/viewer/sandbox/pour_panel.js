/** "Pour the mass": one position of the block, from the draft's law to what comes out, by the right correction or by a wrong one. */

import { exportButtons } from "../compare/pictures_export.js";
import { number } from "../format.js";
import { choice, frame } from "../marks.js";
import { html, onWidth, set, show, text, value } from "../svg.js";
import { say } from "../words/parts/sandbox.js";
import { letters, numbers, placeAt } from "./laws.js";
import { createPourFlow } from "./pour_flow.js";
import { pour } from "./pour.js";
import { lawWords } from "./sandbox_words.js";
import { allowSaves } from "./saving.js";

const SECONDS = 0.16;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {Element} container @param {any} actions */
export function createPour(container, actions) {
  const { root, heading, tools, caption, body, instead } = frame(container, { name: "pour", title: say("sandbox.pouring.everywhere"), about: say("sandbox.pour.about") });
  const mode = choice(html("div", { class: "sb-mode" }, body), say("sandbox.pour.mode"), [["residual", say("sandbox.pour.residual")], ["target", say("sandbox.pour.target")]], (name) => actions.setFromTarget(name === "target"));
  let place = { level: 0, row: 0 }, chosen = /** @type {number|null} */ (null);
  const flow = createPourFlow(body, {
    drag: (symbol, share, moving) => actions.drag("draft", place.level, place.row, symbol, share, moving),
    rest: actions.rest,
    choose(symbol) {
      chosen = chosen === symbol ? null : symbol;
      if (latest) draw(latest);
    },
  });
  exportButtons(tools, /** @type {SVGSVGElement} */ (flow.root), "pour", () => {
    const laws = lawsOf(latest);
    return { title: heading.textContent || "", caption: laws ? `${caption.textContent} D = ${lawWords(laws.draft)}; T = ${lawWords(laws.target)}.` : "" };
  });
  const verdict = html("p", { class: "sb-verdict" }, body), fate = html("p", { class: "pic-fate" }, body);
  const lead = html("span", null, verdict), amount = html("b", null, verdict);
  let width = 0, latest = null, timer = 0;
  /** what is drawn right now: laws, and how far the correction is the wrong one */
  let shown = null;
  onWidth(body, (found) => {
    width = found;
    shown = null;
    if (latest) draw(latest);
  });

  /** Goes to the laws in a few frames; at once where a hand is moving them. */
  function move(to, swift) {
    cancelAnimationFrame(timer);
    const from = shown, same = from && from.draft.length === to.draft.length;
    const put = (state) => {
      shown = state;
      flow.shapes(state.draft, state.target, state.mixed);
    };
    if (!same || swift || still.matches || document.hidden) return put(to);
    const start = performance.now();
    const frameAt = (now) => {
      // A frame may have begun before it was asked for.
      const t = Math.min(Math.max((now - start) / 1000 / SECONDS, 0), 1), part = t * (2 - t);
      const between = (a, b) => a.map((x, i) => x + part * (b[i] - x));
      if (t >= 1) return put(to);
      put({ draft: between(from.draft, to.draft), target: between(from.target, to.target), mixed: from.mixed + part * (to.mixed - from.mixed) });
      timer = requestAnimationFrame(frameAt);
    };
    timer = requestAnimationFrame(frameAt);
  }

  function draw(view) {
    const laws = lawsOf(view);
    instead(laws ? null : say("sandbox.pour.waits"));
    allowSaves(tools, laws ? laws.old ? say("sandbox.pour.old") : null : say("sandbox.pour.unsaved"));
    if (!laws || !width) return;
    set(root, { "data-old": laws.old });
    const names = letters(laws.draft.length);
    if (chosen !== null && chosen >= names.length) chosen = null;
    flow.layout(width, names.length);
    const mixed = view.fromTarget ? 1 : 0, before = shown && JSON.stringify(shown), to = { draft: laws.draft, target: laws.target, mixed };
    if (before !== JSON.stringify(to)) move(to, view.moving);
    const made = flow.words({ ...laws, fromTarget: view.fromTarget, names, chosen });
    const right = pour(laws.draft, laws.target), same = made.tv < 1e-12;
    text(caption, same ? say("sandbox.pour.agree") : say(view.fromTarget ? "sandbox.pour.caption_target" : "sandbox.pour.caption", { kept: number(1 - made.tv), moved: number(made.tv) }));
    text(lead, say(view.fromTarget ? "sandbox.pour.wrong" : "sandbox.pour.right"));
    value(amount, view.fromTarget ? made.wrong : right.wrong, "derived:pour_wrong", { format: (x) => (x < 1e-12 ? "0" : number(x)), name: say("sandbox.pour.wrong_name") });
    set(verdict, { class: `sb-verdict${view.fromTarget && made.wrong > 1e-12 ? " wrong" : ""}` });
    text(fate, chosen === null ? "" : fateOf(names[chosen], laws, made, chosen, view.fromTarget));
    show(fate, chosen !== null);
  }

  return {
    root,
    update(view) {
      place = view.place;
      latest = view;
      mode.choose(view.fromTarget ? "target" : "residual");
      const { kind, slots } = placeAt(view.state, place.level, place.row);
      text(heading, say(`sandbox.pouring.${kind}`, slots));
      draw(view);
    },
  };
}

/**
 * The two laws at the chosen place with the pointers of their numbers: the picture's where it is of this state, else those typed
 * where they are laws, else the picture's last ones where it has that place; null where there are none.
 */
function lawsOf(view) {
  const { level, row } = view.place, { picture, state } = view;
  const typed = { draft: numbers(state.draft[level][row]), target: numbers(state.target[level][row]) };
  const isLaw = (law) => Math.abs(law.reduce((a, b) => a + b, 0) - 1) < 1e-9;
  if (!view.current && isLaw(typed.draft) && isLaw(typed.target)) return { ...typed, paths: { draft: "derived:typed_draft", target: "derived:typed_target" } };
  if (!picture || ["symbols", "gamma", "context"].some((name) => picture[name] !== state[name])) return null;
  const path = (side) => `picture:/levels/${side}/${level}/${row}`, { draft, target } = picture.levels;
  return { draft: draft[level][row], target: target[level][row], old: !view.current, paths: { draft: path("draft"), target: path("target") } };
}

/** One symbol's share, in numbers. */
function fateOf(symbol, { draft, target }, made, v, fromTarget) {
  return say(fromTarget ? "sandbox.pour.fate_target" : "sandbox.pour.fate", {
    symbol, draft: number(draft[v]), target: number(target[v]), kept: number(made.overlap[v]), excess: number(made.excess[v]), tv: number(made.tv), comes: number(made.arriving[v]), out: number(made.out[v]),
  });
}
