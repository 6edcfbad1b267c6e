/** What the server did not answer, with a way to ask again; it stays for as long as that holds and cannot be closed. */

import { html, set, show, text } from "../svg.js";
import { say } from "../words/parts/viewer.js";

/** @param {Element} container @param {any} actions */
export function createFailureNotice(container, actions) {
  const root = html("div", { class: "sd-notice error sb-failure", role: "alert" }, container), words = html("span", null, root);
  const retry = html("button", { type: "button", id: "sandbox-again", class: "sd-button small" }, root, say("viewer.retry"));
  retry.addEventListener("click", () => actions.retry());

  return {
    root,
    update({ failure }) {
      show(root, Boolean(failure));
      text(words, failure ? failure.text : "");
      show(retry, Boolean(failure && failure.retry));
      set(retry, { disabled: Boolean(failure && failure.going) });
    },
  };
}
