/** What the tour adds to the other pages: the line for who is new, the panel that follows, and links to the glossary. Once a document. */

import { sharedProgress } from "./progress.js";

/** @type {Promise<any>|null} */
let started = null;

/** @param {any} config a page's */
async function start(config) {
  const progress = sharedProgress(), { decode } = await import("./address.js"), { loadWords } = await import("./words.js");
  const wanted = decode(location.hash), { language: found, words } = await loadWords([wanted && wanted.language, ...navigator.languages]);
  const context = { words, language: wanted && wanted.language ? found : null, progress, config };
  (await import("./glossary_links.js")).createGlossaryLinks(context);
  let asked = false;
  /** @param {boolean} chosen */
  const follow = async (chosen) => {
    if (!progress.now.following || asked) return;
    asked = true;
    (await import("./guide.js")).createGuide(context, chosen);
  };
  progress.onChange(() => follow(true));
  await follow(false);
  return context;
}

/**
 * @param {HTMLElement} root of a page
 * @param {any} config its config; `page` is its name
 */
export async function attach(root, config) {
  started = started || start(config);
  const context = await started;
  if (config.page === "step") (await import("./invite.js")).createInvite(root, context);
}
