/** Keyboard: one listener on the document, silent while an input or anything editable has the focus; a drawn slider leaves it the letters. */

const EDITED = "input, textarea, select, [contenteditable=true], [role=spinbutton], [role=textbox], [role=combobox]";

/** @param {EventTarget|null} target @param {string} key */
function typing(target, key) {
  const node = /** @type {HTMLElement|null} */ (target);
  if (!node || !node.closest) return false;
  return Boolean(node.isContentEditable || node.closest(EDITED) || (node.closest("[role=slider]") && (key.length > 1 || key === " ")));
}

/** The keys of the Step page. */
const stepKeys = (actions) => ({
  ArrowRight: actions.step, " ": actions.step, ArrowLeft: actions.back, ArrowUp: () => actions.move(-1), ArrowDown: () => actions.move(1),
  v: actions.nextRule, p: actions.play, Home: actions.toStart, End: actions.toEnd, "?": actions.help, Escape: actions.escape,
});

/**
 * @param {HTMLElement} root keys work only while this is visible
 * @param {any} actions
 * @param {Record<string, (event: KeyboardEvent) => any>} [table] what each key does; false leaves the key to the browser
 */
export function createKeys(root, actions, table = stepKeys(actions)) {
  const listen = (event) => {
    if (!root.isConnected) return document.removeEventListener("keydown", listen);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || typing(event.target, event.key)) return;
    if (root.offsetParent === null && getComputedStyle(root).position !== "fixed") return; // a hidden tab
    const focused = /** @type {Element} */ (event.target);
    if (event.key === " " && focused.closest && focused.closest("button, a, summary, label, [role=tab], [role=button]")) return;
    if (event.key.startsWith("Arrow") && focused.closest && focused.closest("[role=tab], [role=tablist]")) return;
    if (["ArrowUp", "ArrowDown", "Home", "End"].includes(event.key) && focused.matches && focused.matches(".sd-text-scroll")) return; // it scrolls
    if (event.key !== "?" && root.querySelector("dialog[open]")) return;
    const action = table[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || (event.repeat && action !== actions.step && action !== actions.back && !event.key.startsWith("Arrow"))) return;
    if (action(event) !== false) event.preventDefault();
  };
  document.addEventListener("keydown", listen);
}
