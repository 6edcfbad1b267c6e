/** The examples: precomputed runs, each opening at the place that it is about. They work while the model is loading. */

import { html, set, show, text } from "./svg.js";
import { validTrace } from "./validate.js";

/** @param {string|null} base address of the folder with index.json; null: there are no examples */
export function createLibrary(base) {
  const folder = new URL(base || "", document.baseURI);
  const texts = new Map(); // what has been fetched: it is still there when the network is not
  async function fetched(name) {
    const response = await fetch(new URL(name, folder)).catch(() => null);
    if (!response) throw new Error("The server does not answer.");
    if (!response.ok) throw new Error(`The example could not be fetched (${response.status}).`);
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
  return {
    /** @returns {Promise<any[]>} empty where there are none */
    async list() {
      if (base === null) return [];
      const list = await json("index.json").catch(() => []);
      return Array.isArray(list) ? list : [];
    },
    /** @param {string} name @returns {Promise<{entry: any, trace: any}>} */
    async open(name) {
      const entry = (await this.list()).find((one) => one.name === name);
      if (!entry) throw new Error(`There is no example called "${name.slice(0, 60)}".`);
      return { entry, trace: validTrace(await json(entry.file)) };
    },
  };
}

/** @param {Element} container @param {any} actions @param {any} library */
export function createExamples(container, actions, library) {
  const root = html("nav", { class: "sd-examples", "aria-label": "Examples" }, container);
  html("span", null, root, "Examples");
  const list = html("span", { class: "sd-examples-list" }, root);
  const about = html("p", { class: "sd-examples-about" }, root);
  let entries = [], buttons = [];
  show(root, false);
  library.list().then((found) => {
    entries = found;
    buttons = found.map((entry) => {
      const button = html("button", { type: "button", class: "sd-link", "data-example": entry.name, title: entry.about || null }, list, entry.title || entry.name);
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
      text(about, entry ? entry.about || "" : "");
      show(about, Boolean(entry && entry.about));
    },
  };
}
