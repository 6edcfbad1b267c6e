/** The examples: precomputed runs, each opening at the place that it is about. They work while the model is loading. */

import { either, quoted } from "./link_values.js";
import { html, set, show, text } from "./svg.js";
import { validTrace } from "./validate.js";
import { say } from "./words/parts/step.js";
import { inEnglish, known } from "./words/words.js";

/** @param {string|null} base address of the folder with index.json; null: there are no examples */
export function createLibrary(base) {
  const folder = new URL(base || "", document.baseURI);
  const texts = new Map(); // what has been fetched: it is still there when the network is not
  async function fetched(name) {
    const response = await fetch(new URL(name, folder)).catch(() => null);
    if (!response) throw new Error(say("step.examples.unanswered"));
    if (!response.ok) throw new Error(say("step.examples.failed", { status: response.status }));
    return response.text();
  }
  async function json(name) {
    if (!texts.has(name)) texts.set(name, fetched(name));
    try {
      return JSON.parse(await texts.get(name));
    } catch (error) {
      texts.delete(name);
      throw error;
    }
  }
  async function listed() {
    const list = base === null ? [] : await json("index.json");
    return Array.isArray(list) ? list : [];
  }
  return {
    /** @returns {Promise<any[]>} empty where there are none */
    list: () => listed().catch(() => []),
    /** @param {string} name @returns {Promise<{entry: any, trace: any}>} */
    async open(name) {
      const all = await listed(), entry = all.find((one) => one.name === name);
      if (!entry) throw new Error(all.length ? say("step.examples.unknown", { name: quoted(name), names: either(all.map((one) => String(one.name))) }) : say("step.examples.none", { name: quoted(name) }));
      return { entry, trace: validTrace(await json(entry.file)) };
    },
  };
}

/** What an example is called, or is about: in the language chosen where it is one that the catalogue knows by these words. @param {any} entry @param {"title"|"about"} what @returns {string} */
function wordsOf(entry, what) {
  const key = `example.${String(entry.name).replaceAll("-", "_")}.${what}`;
  return known(key) && inEnglish(key) === entry[what] ? say(key) : entry[what] || "";
}

/** @param {Element} container @param {any} actions @param {any} library */
export function createExamples(container, actions, library) {
  const root = html("nav", { class: "sd-examples", "aria-label": say("step.examples") }, container);
  html("span", null, root, say("step.examples"));
  const list = html("span", { class: "sd-examples-list" }, root);
  const about = html("p", { class: "sd-examples-about" }, root);
  let entries = [], buttons = [];
  show(root, false);
  library.list().then((found) => {
    entries = found;
    buttons = found.map((entry) => {
      const button = html("button", { type: "button", class: "sd-link", "data-example": entry.name, title: wordsOf(entry, "about") || null }, list, wordsOf(entry, "title") || entry.name);
      button.addEventListener("click", () => actions.openExample(entry.name));
      return button;
    });
    show(root, found.length > 0);
    actions.refresh();
  });
  return {
    update(view) {
      for (const button of buttons) set(button, { "aria-current": view.example === button.dataset.example ? "true" : null });
      const entry = entries.find((one) => one.name === view.example);
      text(about, entry ? wordsOf(entry, "about") : "");
      show(about, Boolean(entry && entry.about));
    },
  };
}
