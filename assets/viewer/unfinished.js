/** What stands in fields that cannot take it, kept as it was typed: it is in no settings and in no link. */

/** By field, among those of a page that have ids. @param {Element} root @returns {Record<string, string>} */
export const unfinishedIn = (root) => Object.fromEntries([...root.querySelectorAll("[id][aria-invalid=true]")].map((field) => [field.id, /** @type {HTMLInputElement} */ (field).value]));

/** Puts it back, as if it were typed again. @param {Element} root @param {any} texts what unfinishedIn gave */
export function putUnfinished(root, texts) {
  for (const [id, typed] of Object.entries(texts || {})) {
    const field = /** @type {HTMLInputElement|null} */ (root.querySelector(`[id="${CSS.escape(id)}"]`));
    if (!field || typeof typed !== "string" || field.disabled || field.readOnly) continue;
    field.value = typed;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
