/**
 * Several pages in one document: whose the address is, and which of them can be seen. The hash belongs to the page it names
 * (`page=NAME`; without one, to Step), and only the page that is shown writes it.
 */

export const FIRST = "step";

/** The pages there are. */
export const PAGES = [FIRST, "compare", "lab", "sandbox", "audit", "learn"];

/** The page a hash belongs to. @param {string} hash */
export const pageOf = (hash) => new URLSearchParams(hash.replace(/^#/, "")).get("page") || FIRST;

/** The address as it was last read or written here. */
let settled = typeof location === "undefined" ? "" : location.hash;
if (typeof window !== "undefined") window.addEventListener("hashchange", () => (settled = location.hash));

/** Whether nobody has given the document another address whose `hashchange` is still to come: such a one must not be overwritten. */
export const addressIsSettled = () => location.hash === settled;

/** The addresses that were replaced here last, and when (ms). @type {{hash: string, at: number}[]} */
let replaced = [];
const STILL_READ = 5000; // ms

/** The document's address, and those it had moments ago: a reload that begins before the browser has heard of the last one comes back to one of them. */
export const recentAddresses = () => [location.hash, ...replaced.filter(({ at }) => performance.now() - at < STILL_READ).map(({ hash }) => hash)];

/** Puts a hash ("" for none) into the address, without a history entry and without an event. @param {string} hash */
export function writeAddress(hash) {
  replaced = [{ hash: location.hash, at: performance.now() }, ...replaced].slice(0, 8);
  try {
    // A hash alone would be taken from the document's <base>, and what stands before it in the address, a teacher's settings, would be lost.
    history.replaceState(history.state, "", location.href.split("#")[0] + hash);
  } catch {
    // A saved page in somebody's preview frame has no address of its own.
  }
  settled = location.hash;
}

/**
 * The address under which somebody else finds this state. Inside the hub's frame it is the frame's: outside of it nobody is known to the lender
 * of GPUs. What the hub adds for this visitor alone (`__sign`, the key to a private Space, and `__theme`) stays here.
 * @param {string} hash of the state, with its # @param {string} [search] what stands before it
 */
export function addressFor(hash, search = location.search) {
  const space = window.parent === window ? null : document.querySelector("meta[name='specdemo-space']")?.getAttribute("content");
  const kept = search.replace(/^\?/, "").split("&").filter((one) => one && !one.startsWith("__")).join("&");
  return (space ? `https://huggingface.co/spaces/${space}` : location.href.split(/[?#]/)[0]) + (kept && `?${kept}`) + hash;
}

/**
 * @typedef {object} Frame what a page knows of the document around it
 * @property {() => boolean} isVisible
 * @property {(fn: () => void) => void} onVisible calls fn each time the page comes into view
 * @property {(hash: string) => void} open goes to the state a hash describes, on whichever page
 */

/** The frame of a page that is alone in its document. @type {Frame} */
export const ALONE = { isVisible: () => true, onVisible() {}, open: (hash) => void (location.hash = hash) };

/** Shows the page the address names, or the first, which says that there is no such page: by the tab's own button; where the tabs do not fit, some are entries of a menu, by their titles. */
function follow() {
  const asked = pageOf(location.hash), name = PAGES.includes(asked) ? asked : FIRST, tab = document.getElementById(`page-${name}-button`);
  const entry = () => Array.from(document.querySelectorAll(".overflow-dropdown button")).find((one) => (one.getAttribute("data-page-title") || one.textContent?.trim().toLowerCase()) === name);
  const button = /** @type {HTMLElement|undefined} */ (tab || entry());
  if (button && button.getAttribute("aria-selected") !== "true") button.click();
}

let following = false;

/** Whether Gradio still shows the page it begins with: a tab may have been chosen before any page stood here, and then goes before the address. */
const unchosen = () => document.getElementById(`page-${FIRST}-button`)?.getAttribute("aria-selected") === "true";

/** @param {Element} root the page's element @returns {Frame} */
export function frameOf(root) {
  if (!following) {
    following = true;
    window.addEventListener("hashchange", follow);
    if (unchosen()) follow();
  }
  const isVisible = () => root.getClientRects().length > 0;
  return {
    isVisible,
    onVisible(fn) {
      let seen = isVisible();
      new ResizeObserver(() => {
        const now = isVisible();
        if (now && !seen) fn();
        seen = now;
      }).observe(root);
    },
    open: ALONE.open,
  };
}
