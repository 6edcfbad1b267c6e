/** A page's actions as far as a link leaves them: what is fixed or hidden is closed to keys, pictures and buttons alike. No document. */

import { controlsOf } from "./controls.js";

/** These would hand out what is still to be predicted. */
const SEALED = ["exportTrace", "saveHtml", "exportJson", "exportCsv", "exportPicture", "nextDifference", "previousDifference"];
/** Several fields' one way in. */
const SET_FIELD = "setField";

/**
 * The same actions, some of them refusing; they themselves go on calling each other freely.
 * @template {object} Actions
 * @param {Actions} actions @param {string} page @param {Iterable<string>} closed names of controls
 * @param {() => string|null} seal words where an answer is still hidden, else null @param {(words: string) => void} tell
 * @returns {Actions}
 */
export function guarded(actions, page, closed, seal, tell) {
  const names = new Set(closed), own = controlsOf(page).filter(({ name }) => names.has(name));
  const refused = new Set(own.flatMap((control) => control.actions || [])), fields = new Set(own.flatMap(({ field }) => field || []));
  const refuse = () => false, known = new Map();
  const made = (target, name) => {
    const act = target[name];
    if (refused.has(name)) return refuse;
    if (name === SET_FIELD && fields.size) return (field, value) => (fields.has(field) ? false : act(field, value));
    if (!SEALED.includes(name)) return act;
    return (...given) => {
      const words = seal();
      return words === null ? act(...given) : tell(words);
    };
  };
  return new Proxy(actions, {
    get(target, name) {
      const act = Reflect.get(target, name);
      if (typeof act !== "function" || !(refused.has(name) || name === SET_FIELD || SEALED.includes(/** @type {string} */ (name)))) return act;
      if (!known.has(name)) known.set(name, made(target, name)); // one and the same each time: who listens compares
      return known.get(name);
    },
  });
}
