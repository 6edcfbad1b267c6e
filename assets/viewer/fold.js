/** A chip in the running text that stands for the chat template's tokens before or after the message; it opens to show them. */

import { html, set } from "./svg.js";
import { say } from "./words/parts/viewer.js";

/**
 * @param {Element} line the text
 * @param {"before"|"after"} where
 * @param {(chip: HTMLElement) => void} moved called when it has been opened or folded
 */
export function createFold(line, where, moved) {
  const chip = html("button", { type: "button", class: "sd-fold", "data-fold": where, hidden: true }, line, say(`viewer.fold.${where}`));
  /** @type {HTMLElement[]} */
  let nodes = [];
  let open = false, count = 0;

  function show() {
    set(chip, {
      hidden: !nodes.length, "aria-expanded": String(open),
      title: say(`viewer.fold.${where}.${open ? "open" : "folded"}`, { count }),
    });
    for (const node of nodes) node.hidden = !open;
  }
  chip.addEventListener("click", () => {
    open = !open;
    show();
    moved(chip);
  });

  return {
    /** @param {HTMLElement[]} found the nodes of this part of the text, neighbours in their order @param {number} tokens how many they stand for */
    update(found, tokens) {
      for (const node of nodes) if (!found.includes(node)) node.hidden = false;
      nodes = found;
      count = tokens;
      if (found.length && chip.nextElementSibling !== found[0]) line.insertBefore(chip, found[0]);
      show();
    },
  };
}
