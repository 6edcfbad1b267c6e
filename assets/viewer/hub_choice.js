/**
 * Any two models of the hub in place of a listed pair, where the server's operator allows it (docs/server.md): what an id looks
 * like, and the two fields for them. Nothing of the hub is asked here; what is wrong with a repository the server says.
 */

import { pairTitle } from "./pair_words.js";
import { html, set, show, text } from "./svg.js";
import { say } from "./words/parts/viewer.js";

/** The value of the pair field's last choice; no pair has this name. */
export const OTHER = "hub:";
const NAME = "[A-Za-z0-9](?:(?!\\.\\.|--)[A-Za-z0-9._-]){0,94}(?<![.-])";
const HUB_ID = new RegExp(`^${NAME}/${NAME}$`);

/** Whether a text has the form owner/name. @param {any} name */
export const isHubId = (name) => typeof name === "string" && HUB_ID.test(name) && !name.endsWith(".git");

/** What stands for two models of the hub in place of an entry of config.pairs, else undefined. @param {{pair: string, draft: string}} form @param {any} config */
export const hubEntry = ({ pair, draft }, config) => (config.hub_ids && isHubId(pair) ? {
  name: pair, title: pair, drafts: [{ name: draft, title: draft }], prompt_modes: ["text", "chat"], prompt_mode: "text",
} : undefined);

/**
 * @param {Element} container @param {any} actions setField(name, value)
 * @param {any} config see docs/viewer.md @param {string} [prefix] of the fields' ids
 */
export function createHubFields(container, actions, config, prefix = "") {
  const root = html("div", { class: "sd-selects sd-hub", id: `${prefix}hub` }, container);
  /** @type {Record<string, {input: HTMLInputElement, problem: HTMLElement}>} */
  const fields = {};
  let open = false, applying = false;
  let seen = { pair: "", draft: "" }, form = seen;
  for (const name of ["pair", "draft"]) {
    const label = say(`viewer.hub.${name}`);
    const wrap = html("label", { class: `sd-field sd-field-hub-${name}`, title: say(`viewer.hub.${name}.title`) }, root);
    html("span", null, wrap, label);
    const input = /** @type {HTMLInputElement} */ (html("input", { id: `${prefix}hub-${name}`, type: "text", maxlength: 200, spellcheck: "false", autocapitalize: "none" }, wrap));
    const problem = html("span", { class: "sd-problem", id: `${prefix}hub-${name}-problem`, role: "alert" }, wrap);
    fields[name] = { input, problem };
    input.addEventListener("input", () => {
      const typed = input.value.trim();
      const wrong = typed && !isHubId(typed) ? say("viewer.hub.problem", { label }) : "";
      text(problem, wrong);
      set(input, { "aria-invalid": wrong ? "true" : null, "aria-describedby": wrong ? problem.id : null });
      apply();
    });
  }
  const waiting = html("span", { class: "sd-hub-waiting", role: "status" }, root);
  show(root, false);

  /** Shows the fields where they are chosen, and says what is in force until both hold an id. */
  function draw() {
    show(root, open);
    const listed = (config.pairs || []).find((/** @type {any} */ entry) => entry.name === form.pair);
    text(waiting, open && !hubEntry(form, config) ? say("viewer.hub.waiting", { pair: listed ? pairTitle(listed) : form.pair }) : "");
  }

  /** Both ids at once, when both are some: half a pair is none. */
  function apply() {
    const pair = fields.pair.input.value.trim(), draft = fields.draft.input.value.trim();
    if (!isHubId(pair) || !isHubId(draft)) return;
    applying = true;
    seen = { pair, draft };
    actions.setField("draft", draft);
    actions.setField("pair", pair);
    applying = false;
  }

  return {
    /** Whether the fields are chosen. */
    get open() { return open; },
    /** Shows the fields; what they held before is chosen again. */
    choose() {
      open = true;
      draw();
      apply();
      fields.pair.input.focus();
    },
    leave() {
      open = false;
      draw();
    },
    /** @param {any} view */
    update(view) {
      const { pair, draft } = view.form, ours = hubEntry(view.form, config) !== undefined;
      if (!applying && ours && (pair !== seen.pair || draft !== seen.draft)) {
        seen = { pair, draft };
        for (const name of ["pair", "draft"]) {
          fields[name].input.value = seen[/** @type {"pair"|"draft"} */ (name)];
          text(fields[name].problem, "");
          set(fields[name].input, { "aria-invalid": null, "aria-describedby": null });
        }
      }
      if (ours) open = true;
      form = view.form;
      draw();
      for (const name of ["pair", "draft"]) set(fields[name].input, { "data-changed": ours && view.changed.includes(name) });
    },
  };
}
