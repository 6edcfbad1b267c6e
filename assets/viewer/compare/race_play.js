/** Play: a window opens along the axis, so that every lane grows at its true relative speed. Only on demand; not with reduced motion. */

import { html, present, set, text } from "../svg.js";
import { say } from "../words/parts/racing.js";

const LONGEST = 10000, A_CALL = 120; // milliseconds

/**
 * @param {Element} tools @param {{clip: SVGElement, line: SVGElement}} marks the window’s rect, and the line at its edge
 * @param {() => {scale: number, longest: number, axis: string}|null} extent
 * @param {(fraction: number|null) => void} onFrame the share of the axis that is shown; null: all of it
 */
export function createPlay(tools, { clip, line }, extent, onFrame) {
  const button = /** @type {HTMLButtonElement} */ (html("button", { type: "button", id: "race-play", class: "pic-toggle", title: say("racing.play.title") }, tools, say("racing.play")));
  let began = null, request = 0, fraction = 0;

  function stop() {
    cancelAnimationFrame(request);
    began = null;
    present(line, false);
    text(button, say("racing.play"));
    set(button, { "data-playing": null });
    onFrame(null);
  }
  function place() {
    const { scale, longest } = extent();
    const at = 1 + fraction * longest * scale;
    set(clip, { width: at });
    set(line, { x1: at, x2: at });
  }
  function duration() {
    const { longest, axis } = extent();
    return Math.min(LONGEST, axis === "measured" ? Math.max(longest, 600) : Math.max(longest * A_CALL, 600));
  }
  function frame(now) {
    if (began === null || !extent()) return stop();
    fraction = Math.min(1, Math.max(0, now - began) / duration()); // a frame may be stamped before the click
    if (fraction >= 1) return stop();
    place();
    onFrame(fraction);
    request = requestAnimationFrame(frame);
  }
  button.addEventListener("click", () => {
    if (began !== null) return stop();
    if (!extent() || matchMedia("(prefers-reduced-motion: reduce)").matches) return stop();
    began = performance.now();
    fraction = 0;
    present(line, true);
    place();
    text(button, say("racing.stop"));
    set(button, { "data-playing": true });
    request = requestAnimationFrame(frame);
  });
  return {
    update(possible) {
      if (!possible && began !== null) stop();
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      button.disabled = !possible || still;
      set(button, { title: say(still ? "racing.play.still" : "racing.play.title") });
    },
    /** The lanes were drawn anew (another width or axis) while playing. */
    moved() {
      if (began !== null) place();
    },
  };
}
