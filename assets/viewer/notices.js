/** What the page has to say beside the run: progress with Cancel, errors with a retry, what the prompt went through, and in which numbers. */

import { html, set, show, text } from "./svg.js";
import { say } from "./words/parts/viewer.js";

const NOTE = 5000; // ms
/** In these the last bits, and so the text, depend on how many tokens are read at once. */
const HALF = ["bfloat16", "float16"];

/** @param {Element} container @param {any} actions @param {string} [prefix] of the buttons' ids */
export function createNotices(container, actions, prefix = "") {
  const root = html("div", { class: "sd-notices" }, container);
  const make = (kind, role) => {
    const node = html("div", { class: `sd-notice ${kind}`, role }, root);
    return { node, words: html("span", null, node) };
  };
  const button = (parent, id, label, action) => {
    const node = html("button", { type: "button", id: prefix + id, class: "sd-button small" }, parent, label);
    node.addEventListener("click", action);
    return node;
  };
  const message = make("message", "alert");
  const retry = button(message.node, "retry", say("viewer.retry"), () => actions.retry());
  button(message.node, "dismiss", say("viewer.close"), () => actions.dismiss());
  const progress = make("progress", "status");
  const bar = html("progress", { max: 1, "aria-label": say("viewer.progress") }, progress.node);
  const cancel = button(progress.node, "cancel", say("viewer.cancel"), () => actions.cancel());
  set(cancel, { title: say("viewer.cancel.title") });
  const prompt = make("prompt", "note");

  let timer = 0, said = null;
  /** A short note goes by itself; an error stays. */
  function fade(next) {
    if (next === said) return;
    said = next;
    clearTimeout(timer);
    if (said && said.kind === "note" && said.text.length < 150) timer = setTimeout(() => actions.dismiss(), NOTE);
  }

  return {
    update(view) {
      fade(view.message);
      show(message.node, Boolean(view.message));
      set(message.node, { class: `sd-notice message ${view.message ? view.message.kind : ""}` });
      text(message.words, view.message ? view.message.text : "");
      show(retry, Boolean(view.message && view.message.retry));

      const busy = view.status === "decoding" || view.status === "loading";
      show(progress.node, busy);
      set(progress.node, { "data-said": busy && Boolean(view.progress) }); // words of the server take a line of their own
      text(progress.words, !busy ? "" : view.progress ? view.progress.text : view.status === "loading" ? say("viewer.loading") : say("viewer.decoding"));
      const fraction = view.progress ? view.progress.fraction : null;
      set(bar, { value: typeof fraction === "number" ? String(fraction) : null });
      show(bar, busy && Boolean(view.progress));

      show(cancel, busy && view.cancellable);

      const { prompt: { notice = null } = {}, pair: { dtype = "" } = {} } = view.trace || {};
      const said = [notice, HALF.includes(dtype) && say("viewer.half", { dtype })].filter(Boolean).join(" ");
      show(prompt.node, said !== "");
      text(prompt.words, said);
    },
  };
}
