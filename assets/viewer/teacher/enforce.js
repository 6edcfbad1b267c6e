/** What a link fixes or hides, done to the controls themselves. Called after each drawing of the page, which sets some of them anew. */

import { set } from "../svg.js";
import { controlsOf } from "./controls.js";
import { say } from "../words/parts/teacher.js";

const CONTROL = "button, select, input, textarea, summary, [role=slider]";
const TYPED = /^(?:text|number|search|)$/; // kinds of input whose text can still be read and copied
const HELP = ".pic-help";

/** @param {Element} node a control, or what holds some @param {string} sentence id of the words that say why */
function close(node, sentence) {
  set(node, { "data-teacher-fixed": true, title: say("fixed.title") });
  for (const one of [...(node.matches(CONTROL) ? [node] : []), ...node.querySelectorAll(CONTROL)]) {
    if (one.matches(HELP)) continue;
    set(one, { "aria-describedby": sentence, title: say("fixed.title") });
    if (one instanceof HTMLTextAreaElement || (one instanceof HTMLInputElement && TYPED.test(one.getAttribute("type") || ""))) set(one, { readonly: true });
    else if ("disabled" in one) set(one, { disabled: true });
    else set(one, { "aria-disabled": "true", tabindex: "-1" });
  }
}

/**
 * @param {Element} root of the page @param {string} page
 * @param {{fixed: string[], hidden: string[], sentence: string}} limits names of controls; `sentence`: see close
 */
export function enforce(root, page, { fixed, hidden, sentence }) {
  for (const { name, at, panel } of controlsOf(page)) {
    const away = hidden.includes(name);
    if (away) for (const node of root.querySelectorAll(panel || at)) set(node, { "data-teacher-hidden": true });
    if (away || fixed.includes(name)) for (const node of root.querySelectorAll(at)) close(node, sentence);
  }
}
