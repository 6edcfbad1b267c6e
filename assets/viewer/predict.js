/** ?predict=1: the learner chooses a τ before the coins are shown, and then reads what came of it. */

import { plural } from "./format.js";
import { html, set, show, text, value } from "./svg.js";

/** @param {Element} container @param {any} actions */
export function createPredict(container, actions) {
  const root = html("div", { class: "sd-predict", id: "predict" }, container);
  const ask = html("div", { role: "group", "aria-label": "Your prediction" }, root);
  const words = html("span", null, ask);
  const buttons = [];
  const result = html("p", { class: "sd-predict-result", "aria-live": "polite" }, root);
  const before = html("span", null, result);
  const figure = html("b", null, result);
  const after = html("span", null, result);

  return {
    update(view) {
      const { block, predict, guess } = view;
      const asking = Boolean(block && view.predicting && view.phase === "score");
      const told = Boolean(block && predict && guess !== null && view.revealed.next && !view.whatIf);
      show(root, asking || told);
      show(ask, asking);
      show(result, told);
      if (asking) {
        text(words, "How many will be kept?");
        while (buttons.length <= block.gamma) {
          const n = buttons.length;
          const button = html("button", { type: "button", class: "sd-button", "data-guess": n }, ask, String(n));
          button.addEventListener("click", () => actions.guess(n));
          buttons.push(button);
        }
        buttons.forEach((button, i) => show(button, i <= block.gamma));
      }
      if (!told) {
        for (const node of result.querySelectorAll("[data-path]")) set(node, { "data-path": null, "data-value": null });
      } else {
        const { accepted, length_law: law } = view.verdict;
        text(before, `You said ${guess}; it kept ${accepted}${guess === accepted ? ", as you said" : ""}. The probability of keeping ${plural(accepted, "token")} was `);
        value(figure, law[accepted], `/blocks/${view.blockIndex}/verdicts/${view.rule}/length_law/${accepted}`);
        text(after, guess === accepted ? "." : "; of yours, ");
        const own = after.nextElementSibling || html("b", null, result);
        if (guess === accepted) {
          text(own, "");
          set(own, { "data-path": null, "data-value": null, title: null });
        } else value(own, law[guess] ?? 0, `/blocks/${view.blockIndex}/verdicts/${view.rule}/length_law/${guess}`, { after: "." });
      }
    },
  };
}
