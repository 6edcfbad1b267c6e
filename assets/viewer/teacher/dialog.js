/** The teacher's list: what a link fixes, hides and has predicted, and the link. It opens with what the present address sets. */

import { copy, LONGEST } from "../link.js";
import { addressFor } from "../pages.js";
import { html, set, text } from "../svg.js";
import { predictionsOf, predictionWords } from "./bar.js";
import { controlsOf, meant, shortened } from "./controls.js";
import { PREDICTIONS, read, written } from "./query.js";
import { say } from "../words/parts/teacher.js";

const KINDS = /** @type {const} */ (["fix", "hide"]);
const GROUPS = ["setting", "change", "walk", "tool", "panel"];
const WAIT = 3000; // ms that "Copied" stands

/** @typedef {{fix: string[], hide: string[], predict: string[], big: boolean}} Chosen */

/**
 * The address that opens a state with these settings, null where it is too long.
 * @param {string} page @param {Chosen} chosen @param {string} hash of the state
 */
export function addressOf(page, chosen, hash) {
  if (hash.length > LONGEST) return null;
  const [fix, hide] = KINDS.map((kind) => shortened(page, kind, chosen[kind]));
  return addressFor(hash, written(location.search, { ...chosen, fix, hide }));
}

/**
 * @param {Element} root of the page, whose keys are silent while a dialog below it is open
 * @param {string} page @param {(predicts: boolean) => string} hash of the state shown, as it is to be opened
 * @param {() => string} unlinked why it has no link, "" where it has one
 */
export function createDialog(root, page, hash, unlinked) {
  const dialog = /** @type {HTMLDialogElement} */ (html("dialog", { class: "sd-help sd-teacher", "aria-labelledby": `${page}-teacher-title` }, root));
  const close = html("button", { type: "button", class: "sd-button sd-help-close" }, dialog, say("teacher.close"));
  html("h3", { id: `${page}-teacher-title` }, dialog, say("teacher.title"));
  html("p", null, dialog, say("teacher.about"));
  const boxes = /** @type {{kind: string, name: string, input: HTMLInputElement}[]} */ ([]);
  const box = (parent, kind, name, label, words = "") => {
    const input = /** @type {HTMLInputElement} */ (html("input", { type: "checkbox", "data-kind": kind, "data-name": name, "aria-label": label }, parent));
    if (words) html("span", null, parent, words);
    input.addEventListener("change", update);
    boxes.push({ kind, name, input });
    return input;
  };
  const scroll = html("div", { class: "sd-teacher-list", tabindex: "0", role: "region", "aria-label": say("teacher.control") }, dialog), table = html("table", null, scroll);
  const head = html("tr", null, html("thead", null, table));
  for (const words of [say("teacher.control"), say("teacher.fix"), say("teacher.hide")]) html("th", { scope: "col" }, head, words);
  const row = (body, name, kinds = KINDS) => {
    const line = html("tr", null, body), words = say(`control.${name}`);
    html("th", { scope: "row" }, line, words);
    for (const kind of KINDS) {
      const cell = html("td", null, line);
      if (kinds.includes(kind)) box(cell, kind, name, say(`teacher.${kind}_one`, { name: words }));
    }
  };
  row(html("tbody", null, table), "all");
  for (const group of GROUPS) {
    const controls = controlsOf(page).filter((control) => control.group === group);
    if (!controls.length) continue;
    const body = html("tbody", null, table);
    html("th", { scope: "rowgroup", colspan: 3 }, html("tr", null, body), say(`group.${group}`));
    for (const { name } of controls) row(body, name, group === "panel" ? ["hide"] : KINDS);
  }
  const ask = html("fieldset", null, dialog);
  html("legend", null, ask, say("teacher.predict"));
  for (const kind of predictionsOf(page, PREDICTIONS)) box(html("label", null, ask), "predict", kind, null, predictionWords(page, kind));
  box(html("p", null, dialog).appendChild(html("label")), "big", "big", null, say("teacher.big"));
  html("h4", { id: `${page}-teacher-link` }, dialog, say("teacher.link"));
  const link = html("code", { class: "sd-teacher-link", tabindex: "0", "aria-labelledby": `${page}-teacher-link` }, dialog), ways = html("p", { class: "sd-tools" }, dialog);
  const take = html("button", { type: "button", class: "sd-button primary", "data-do": "copy" }, ways, say("teacher.copy"));
  const go = html("a", { class: "sd-button", target: "_blank", rel: "noopener", "data-do": "try" }, ways, say("teacher.try"));
  const none = html("button", { type: "button", class: "sd-button", "data-do": "none" }, ways, say("teacher.none"));
  const told = html("span", { role: "status" }, ways);
  html("p", { class: "sd-soft" }, dialog, say("teacher.honest"));

  const ticked = (kind) => boxes.filter((one) => one.kind === kind && one.name !== "all" && one.input.checked).map(({ name }) => name);
  const chosen = () => ({ fix: ticked("fix"), hide: ticked("hide"), predict: ticked("predict"), big: ticked("big").length > 0 });

  /** "Everything" is ticked with the last of its own, and ticks and clears them all. @param {Event} [event] */
  function update(event) {
    const by = event && boxes.find(({ input }) => input === event.target);
    for (const kind of KINDS) {
      const all = boxes.find((one) => one.kind === kind && one.name === "all"), names = meant(page, kind, ["all"]), own = boxes.filter((one) => one.kind === kind && names.includes(one.name));
      if (by && by === all) for (const { input } of own) input.checked = by.input.checked;
      else if (all) all.input.checked = own.every(({ input }) => input.checked);
    }
    const made = chosen(), refused = unlinked(), address = refused ? null : addressOf(page, made, hash(made.predict.length > 0));
    text(link, refused || (address ?? say("teacher.too_long")));
    set(take, { disabled: address === null });
    set(go, { href: address });
    text(told, "");
  }
  take.addEventListener("click", async () => {
    text(told, (await copy(link.textContent || "")) ? say("teacher.copied") : say("teacher.not_copied"));
    setTimeout(() => text(told, ""), WAIT);
  });
  none.addEventListener("click", () => {
    for (const { input } of boxes) input.checked = false;
    update();
  });
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });

  return {
    open() {
      const settings = read(location.search);
      const names = { fix: meant(page, "fix", settings.fix), hide: meant(page, "hide", settings.hide), predict: settings.predict, big: settings.big ? ["big"] : [] };
      for (const { kind, name, input } of boxes) input.checked = names[kind].includes(name);
      update();
      dialog.showModal();
    },
  };
}
