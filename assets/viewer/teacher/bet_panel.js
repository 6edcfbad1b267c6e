/** The bets: a row of buttons for each question, what came of it once it is shown, and the running score. */

import { html, set, show, text } from "../svg.js";
import { fill } from "./fill.js";
import { putTable } from "./paper.js";
import { say } from "../words/parts/teacher.js";

/**
 * @param {Element} container
 * @param {{ledger: any, onChange: () => void, onDone: () => void}} context `onChange`: after a bet that is not the last; `onDone`: after it
 */
export function createBetPanel(container, { ledger, onChange, onDone }) {
  const root = html("section", { class: "sd-predict", id: "predict", "aria-label": say("bet.title") }, container);
  const ask = html("div", { class: "sd-bets" }, root);
  const results = html("div", { class: "sd-predict-result", role: "status", "aria-live": "polite", tabindex: "-1" }, root);
  const foot = html("p", { class: "sd-bets-score" }, root), score = html("span", null, foot);
  const forget = html("button", { type: "button", class: "sd-link", id: "bets-forget", title: say("bet.forget_title") }, foot, say("bet.forget"));
  let drawn = "", said = "", chosen = false;
  forget.addEventListener("click", () => {
    ledger.forget();
    onChange();
  });

  function drawQuestions({ key, questions, pieces, numbers }) {
    const wanted = JSON.stringify([key, questions]);
    if (wanted !== drawn) {
      ask.textContent = "";
      for (const { id, words, slots, options } of questions) {
        const group = html("div", { role: "group", "data-question": id }, ask), lead = fill(html("span", { id: `bet-${id.replace(":", "-")}` }, group), words, slots, pieces);
        set(group, { "aria-labelledby": lead.id });
        for (const option of options) {
          const button = fill(html("button", { type: "button", class: "sd-button", "data-guess": option.value }, group), option.words, option.slots, pieces);
          button.addEventListener("click", () => {
            ledger.bet(key, id, option.value);
            if (questions.some((one) => !Object.hasOwn(ledger.bets(key), one.id))) return onChange();
            ledger.close(key);
            chosen = true;
            onDone();
          });
        }
      }
      if (numbers) putTable(html("div", { class: "sd-bets-table", tabindex: "0", role: "region", "aria-label": numbers.title }, ask), numbers.title, numbers.heads, numbers.rows, pieces);
      drawn = wanted;
    }
    for (const group of ask.querySelectorAll("[data-question]")) {
      const bet = ledger.bets(key)[group.getAttribute("data-question") || ""];
      for (const button of group.querySelectorAll("button")) set(button, { "aria-pressed": String(button.dataset.guess === bet) });
    }
  }

  function drawResults(told, pieces) {
    const signature = JSON.stringify(told);
    if (signature === said) return;
    said = signature;
    results.textContent = "";
    for (const { id, right, words, slots } of told) {
      const line = html("p", { "data-question": id, "data-right": String(right) }, results);
      html("b", null, line, `${right ? "✓" : "✗"} ${say(right ? "bet.right" : "bet.wrong")} `);
      fill(html("span", null, line), words, slots, pieces);
    }
  }

  return {
    root,
    /**
     * @param {{key: string, questions: import("./questions.js").Question[], asking: boolean, told: import("./questions.js").Told[]|null, pieces?: (id: number) => any, numbers?: any}} now
     *   `numbers`: a table to bet by, where the page shows none
     */
    update({ key, questions, asking, told, pieces, numbers }) {
      for (const { id, right } of told || []) ledger.settle(key, id, right);
      if (asking) drawQuestions({ key, questions, pieces, numbers });
      else ask.textContent = drawn = "";
      drawResults(told || [], pieces);
      show(ask, asking);
      show(results, Boolean(told && told.length));
      const { right, of } = ledger.score();
      text(score, of ? say("bet.score", { right, of }) : "");
      show(foot, of > 0);
      show(root, asking || Boolean(told && told.length) || of > 0);
      // The button that had the focus is gone: what came of it is the place to read on.
      if (chosen && told && told.length) {
        chosen = false;
        if (!document.activeElement || document.activeElement === document.body) results.focus({ preventScroll: true });
      }
    },
  };
}
