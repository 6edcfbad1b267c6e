/**
 * A chapter's question: its text with the numbers that the picture shows, a field or a choice, and what is said to the answer. It is asked
 * anew whenever the picture shows other numbers, and nothing of its answer is in the document before it has been given.
 */

import { number } from "../format.js";
import { createScroller } from "../scroller.js";
import { html, pool, set, text } from "../svg.js";
import { narrow, numberOf } from "../typed_numbers.js";
import { say } from "../words/parts/questions.js";
import { randomOf } from "./questions/asking.js";
import { putValue, rich } from "./rich.js";
import { keepAnswer, keptAnswer } from "./typed_answers.js";

/** A typed number: decimals with a point or a comma, a fraction, percent; null where it is none. @param {string} typed */
export function readNumber(typed) {
  const match = /^\s*([^/%]+?)\s*(?:\/\s*([^/%]+?))?\s*(%?)\s*$/.exec(narrow(typed).replace(/(\d),(\d)/, "$1.$2"));
  if (!match) return null;
  const above = numberOf(match[1]), below = match[2] === undefined ? 1 : numberOf(match[2]);
  return above === null || !below ? null : above / below / (match[3] ? 100 : 1);
}

/** What is said to a typed number: right, or the key of why not. @param {import("./questions/asking.js").Asked} asked @param {number} typed */
export function judge(asked, typed) {
  const { answer = NaN, tolerance = 0, slips = [], right, wrong = "" } = asked, near = (x) => Math.abs(typed - x) <= tolerance + 1e-9;
  if (near(answer)) return { right: true, words: right };
  const slip = slips.find(({ value }) => near(value));
  return { right: false, words: slip ? slip.words : wrong };
}

/**
 * @param {Element} container
 * @param {{question: any, scene: any, term: any, answered: () => void, seed: () => number}} context
 */
export function createQuestionForm(container, { question, scene, term, answered, seed }) {
  const root = html("section", { class: "learn-question sd-panel", "data-question": question.id, "aria-label": say("learn.question") }, container);
  html("h3", null, root, say("learn.question"));
  const ask = html("p", { class: "learn-ask", tabindex: -1 }, root);
  const scroll = createScroller(root), table = html("table", { class: "pic-table learn-table", hidden: true }, scroll), head = html("tr", null, html("thead", null, table)), body = html("tbody", null, table);
  const heads = pool(() => html("th", { scope: "col" }, head)), rows = pool(() => html("tr", null, body));
  const form = html("form", { class: "learn-form", autocomplete: "off", novalidate: "" }, root);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    check();
  });
  const field = html("label", { class: "sd-field" }, form);
  html("span", null, field, say("learn.answer"));
  const hintId = `learn-hint-${question.id}`;
  const input = /** @type {HTMLInputElement} */ (html("input", { type: "text", inputmode: "decimal", class: "learn-input", "aria-describedby": hintId }, field));
  const submit = /** @type {HTMLButtonElement} */ (html("button", { type: "submit", class: "sd-button primary" }, form, say("learn.check")));
  const plain = (key, act, name) => {
    const node = /** @type {HTMLButtonElement} */ (html("button", { type: "button", class: "sd-button", "data-do": name }, form, say(key)));
    node.addEventListener("click", act);
    return node;
  };
  const show = plain("learn.show", reveal, "show"), another = plain("learn.another", () => next(), "another");
  const hint = html("p", { class: "sd-soft", id: hintId }, root), feedback = html("p", { class: "learn-feedback", role: "status", "aria-live": "polite" }, root);
  const lead = html("b", null, feedback), why = html("span", null, feedback);
  let asked = null, given = seed(), settled = false, busy = false, waited = false, restored = false;

  const tell = (result, leadKey, key, values) => {
    set(root, { "data-result": result });
    text(lead, leadKey ? say(leadKey) : "");
    if (key) rich(why, key, values, { term });
    else text(why, "");
  };

  function check() {
    if (!asked) return;
    const typed = readNumber(input.value);
    set(input, { "aria-invalid": typed === null ? "true" : null });
    if (typed === null) return tell("unread", null, "learn.not_a_number", {});
    const { right, words: key } = judge(asked, typed);
    set(show, { hidden: right });
    if (right) settle("right", "learn.right", key);
    else tell("wrong", "learn.not_quite", key, asked.values);
  }
  function settle(result, leadKey, key) {
    const told = asked;
    settled = true; // the picture may move on to show the answer without asking anew
    scene.reveal();
    asked = told;
    if (result === "right") answered();
    tell(result, leadKey, key, told.values);
  }
  function reveal() {
    if (!asked) return;
    const { answer, tolerance, right, wrong } = asked, focused = document.activeElement === show;
    set(show, { hidden: true });
    settle("shown", null, wrong || right);
    if (focused) another.focus();
    text(lead, say("learn.it_is", { answer: tolerance ? number(answer) : String(answer) }));
  }

  async function next() {
    if (busy) return;
    busy = true;
    try {
      given = seed();
      settled = false;
      asked = null;
      scene.hide();
      await scene.show(question.draw(scene.live(), randomOf(given)));
    } finally {
      busy = false;
    }
    input.value = "";
    waited = true;
    ask.focus({ preventScroll: true }); // the numbers may have to be computed, and a disabled field takes no focus
    update();
  }

  /** What identifies a question: its numbers. */
  const keyOf = (one) => one && JSON.stringify([one.given, one.answer, Object.values(one.values).map((x) => (x && x.value !== undefined ? x.value : x && x.id !== undefined ? x.id : x)), one.table && one.table.rows.map((row) => row.map((x) => (x && x.value) ?? null))]);

  function update() {
    if (busy) return;
    const live = scene.live(), able = live.kind === "trace" ? Boolean(live.view.block) : Boolean(live.picture);
    const found = able ? question.ask(live, randomOf(given)) : null;
    const same = keyOf(found) === keyOf(asked);
    if (settled && same) return;
    if (same && asked) return;
    if (settled && !same) {
      settled = false;
      scene.hide();
    }
    asked = found;
    tell(null, null, null, {});
    set(input, { "aria-invalid": null });
    set(show, { hidden: false });
    const waiting = !able || scene.waits();
    set(root, { "data-waiting": !found && waiting });
    if (found) rich(ask, found.words, found.values, { term });
    else if (!waiting) text(ask, say("learn.unasked"));
    else if (!ask.firstChild) text(ask, say("learn.waiting")); // else the last question stays, until the numbers have come
    for (const control of [submit, show, input]) control.disabled = !found;
    if (waited && found) {
      waited = false;
      if (document.activeElement === ask) input.focus();
    }
    another.disabled = !able;
    set(root, { "data-asked": Boolean(found) });
    text(hint, !found ? "" : found.tolerance ? say("learn.tolerance", { tolerance: found.tolerance }) : say("learn.whole"));
    if (found || !waiting) drawTable(found && found.table);
  }
  function drawTable(shown) {
    set(table, { hidden: !shown });
    heads.take(shown ? shown.heads.length : 0).forEach((node, k) => text(node, say(shown.heads[k])));
    rows.take(shown ? shown.rows.length : 0).forEach((row, k) => {
      row.textContent = "";
      for (const cell of shown.rows[k]) putValue(html("td", null, row), cell);
    });
  }

  /** Keeps an answer that is not settled, for a reload. */
  function keep() {
    if (restored) keepAnswer(question.id, input.value.trim() && !settled ? { typed: input.value, given, picture: scene.shown() } : null);
  }
  /** The question, its picture and its answer as they were before a reload, where something had been typed. */
  async function restore() {
    const kept = restored ? null : keptAnswer(question.id);
    if (kept) {
      given = kept.given;
      await scene.show(kept.picture);
      if (!input.value) input.value = kept.typed;
    }
    restored = true;
  }
  input.addEventListener("input", keep);
  window.addEventListener("pagehide", keep);
  scene.onChange(update);
  return { root, update, restore, get asked() { return asked; }, get settled() { return settled; }, next };
}
