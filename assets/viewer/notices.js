/** What the page has to say beside the run: progress, errors with a retry, changed settings, a rule that did not decide. */

import { html, set, show, text } from "./svg.js";

const NAMES = { prompt: "prompt", pair: "pair", draft: "draft", verifier: "verifier", gamma: "γ", temperature: "T", top_k: "top-k", top_p: "top-p", seed: "seed", max_new_tokens: "max" };

/** @param {Element} container @param {any} actions */
export function createNotices(container, actions) {
  const root = html("div", { class: "sd-notices" }, container);
  const make = (kind, role) => {
    const node = html("div", { class: `sd-notice ${kind}`, role }, root);
    return { node, words: html("span", null, node) };
  };
  const button = (parent, id, label, action) => {
    const node = html("button", { type: "button", id, class: "sd-button small" }, parent, label);
    node.addEventListener("click", action);
    return node;
  };
  const message = make("message", "alert");
  const retry = button(message.node, "retry", "Try again", () => actions.retry());
  button(message.node, "dismiss", "Close", () => actions.dismiss());
  const progress = make("progress", "status");
  const bar = html("progress", { max: 1, "aria-label": "progress" }, progress.node);
  const settings = make("settings", "status");
  const rule = make("rule", "status");
  const go = button(rule.node, "continue-here", "", () => actions.continueHere());
  const prompt = make("prompt", "note");

  return {
    update(view) {
      show(message.node, Boolean(view.message));
      set(message.node, { class: `sd-notice message ${view.message ? view.message.kind : ""}` });
      text(message.words, view.message ? view.message.text : "");
      show(retry, Boolean(view.message && view.message.retry));

      const busy = view.status === "decoding" || view.status === "loading";
      show(progress.node, busy);
      text(progress.words, !busy ? "" : view.progress ? view.progress.text : view.status === "loading" ? "Loading …" : "Decoding …");
      const fraction = view.progress ? view.progress.fraction : null;
      set(bar, { value: typeof fraction === "number" ? String(fraction) : null });
      show(bar, busy && Boolean(view.progress));

      const changed = view.trace ? view.changed.map((name) => NAMES[name]) : [];
      show(settings.node, changed.length > 0 && !busy);
      text(settings.words, changed.length ? `Settings changed (${changed.join(", ")}): press Restart or Run to decode with them. What is shown was decoded with the old ones.` : "");

      const foreign = view.block && view.rule !== view.block.verifier;
      show(rule.node, Boolean(foreign));
      text(rule.words, foreign ? `Verdict of ${view.rule} on the same draft and uniforms; this block was decided by ${view.block.verifier}.` : "");
      text(go, foreign ? `Continue from here with ${view.rule}` : "");
      set(go, { disabled: busy });

      const notice = view.trace && view.trace.prompt.notice;
      show(prompt.node, Boolean(notice));
      text(prompt.words, notice || "");
    },
  };
}
