/** "Pour the mass": one position of the block, from the draft's law to what comes out, by the right correction or by a wrong one. */

import { exportButtons } from "../compare/pictures_export.js";
import { number } from "../format.js";
import { choice, frame } from "../marks.js";
import { html, onWidth, set, show, text, value } from "../svg.js";
import { letters, numbers, placeWords } from "./laws.js";
import { createPourFlow } from "./pour_flow.js";
import { pour } from "./pour.js";
import { lawWords } from "./sandbox_words.js";
import { allowSaves } from "./saving.js";

const ABOUT = "What draft and target share, min(D, T), is kept. The rest of the draft, (D − T)₊, is rejected and replaced by a token drawn from what the target lacks, the residual (T − D)₊ divided by its sum. So the target comes out. This is the token rule at one position; the block rules pour over whole blocks.";
const OLD = "What is drawn belongs to the last valid laws, not to those typed: it can be saved as soon as both sum to 1.";
const SECONDS = 0.16;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {Element} container @param {any} actions */
export function createPour(container, actions) {
  const { root, heading, tools, caption, body, instead } = frame(container, { name: "pour", title: "Pour the mass", about: ABOUT });
  const mode = choice(html("div", { class: "sb-mode" }, body), "correct from", [["residual", "correct from the residual"], ["target", "from the target instead"]], (name) => actions.setFromTarget(name === "target"));
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
    instead(laws ? null : "As soon as both laws here sum to 1, their mass flows.");
    allowSaves(tools, laws ? laws.old ? OLD : null : "There is nothing to save: the laws here do not sum to 1.");
    if (!laws || !width) return;
    set(root, { "data-old": laws.old });
    const names = letters(laws.draft.length);
    if (chosen !== null && chosen >= names.length) chosen = null;
    flow.layout(width, names.length);
    const mixed = view.fromTarget ? 1 : 0, before = shown && JSON.stringify(shown), to = { draft: laws.draft, target: laws.target, mixed };
    if (before !== JSON.stringify(to)) move(to, view.moving);
    const made = flow.words({ ...laws, fromTarget: view.fromTarget, names, chosen });
    const right = pour(laws.draft, laws.target), same = made.tv < 1e-12;
    text(caption, same ? "Draft and target agree: everything is kept, nothing flows."
      : `${number(1 - made.tv)} of the draft's mass overlaps with the target and stays. The other ${number(made.tv)} is too much where it is and flows ${view.fromTarget ? "wherever the target likes to be" : "into what the target lacks"}.`);
    text(lead, view.fromTarget ? "What comes out is wrong by TV " : "What comes out is the target: TV ");
    value(amount, view.fromTarget ? made.wrong : right.wrong, "derived:pour_wrong", { format: (x) => (x < 1e-12 ? "0" : number(x)), name: "½ Σ │out − T│" });
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
      text(heading, view.state.context === "free" ? "Pour the mass" : `Pour the mass ${placeWords(view.state, place.level, place.row)}`);
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
function fateOf(name, { draft, target }, made, v, fromTarget) {
  const drafted = `${name}: min(D, T) = min(${number(draft[v])}, ${number(target[v])}) = ${number(made.overlap[v])} stays; (D − T)₊ = ${number(made.excess[v])} flows away.`;
  const comes = fromTarget ? `${number(made.tv)} · T = ${number(made.arriving[v])}` : `(T − D)₊ = ${number(made.arriving[v])}`;
  return `${drafted} ${comes} flows in, so that ${number(made.out[v])} comes out; the target wants ${number(target[v])}.`;
}
