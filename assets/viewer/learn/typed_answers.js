/** Answers that are typed and not settled yet, each with its question and picture, kept for a reload of this tab. */

const NAME = "specdemo.learn.typed";

/** @typedef {{typed: string, given: number, picture: any}} Kept `given`: what the question is drawn from; `picture`: what a scene's `show` takes */

/** @returns {Record<string, Kept>} by question */
function all() {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) || "{}") || {};
  } catch {
    return {};
  }
}

/** @param {string} question its id @returns {Kept|null} */
export function keptAnswer(question) {
  const found = all()[question];
  return found && typeof found.typed === "string" && Number.isFinite(found.given) && found.picture ? found : null;
}

/** @param {string} question @param {Kept|null} kept null for none */
export function keepAnswer(question, kept) {
  const { [question]: before, ...others } = all();
  if (!before && !kept) return;
  try {
    sessionStorage.setItem(NAME, JSON.stringify(kept ? { ...others, [question]: kept } : others));
  } catch {
    // A browser that stores nothing loses nothing else.
  }
}
