/** What the tour adds to the other pages: the line for who is new, the panel that follows, and links to the glossary. Once a document. */

import { sharedProgress } from "./progress.js";

/** @type {Promise<any>|null} */
let started = null;

/** @param {any} config a page's */
async function start(config) {
  const progress = sharedProgress(), { decode } = await import("./address.js"), { load } = await import("../words/load.js"), { language } = await import("../words/words.js");
  const wanted = decode(location.hash);
  const context = { language: wanted && wanted.language ? language() : null, progress, config };
  const { createGlossaryLinks } = await import("./glossary_links.js");
  await load();
  createGlossaryLinks(context);
  let asked = false;
  /** @param {boolean} chosen */
  const follow = async (chosen) => {
    if (!progress.now.following || asked) return;
    asked = true;
    const { createGuide } = await import("./guide.js");
    await load();
    createGuide(context, chosen);
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
  if (config.page !== "step") return;
  const { createInvite } = await import("./invite.js"), { load } = await import("../words/load.js");
  await load();
  createInvite(root, context);
}
