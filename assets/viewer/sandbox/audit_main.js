/** `mount(root, bridge, frame)`: the Audit page. It asks whether a registered rule is lossless, and shows the answer with its counterexample. */

import { grouped } from "../compare/rule_words.js";
import { leftOut, placeReader, readLink, sentences } from "../link_values.js";
import { ALONE, pageOf, writeAddress } from "../pages.js";
import { groupWords, mistakeWords, ruleTitle, ruleWords } from "../rule_gallery.js";
import { html, set, show, text } from "../svg.js";
import { say } from "../words/parts/audit.js";
import { say as sayLink } from "../words/parts/link.js";
import { say as common } from "../words/parts/viewer.js";
import { createAsk, NoAnswer, patiently, Refused } from "./ask.js";
import { createReport } from "./audit_report.js";

const FIRST = "residual_without_weight"; // an audit that finds something teaches more
/** What the page calls what its parameters set. @type {Record<string, () => string>} */
const FIELDS = { page: () => sayLink("link.field.page"), rule: () => say("audit.rule"), run: () => say("audit.start") };
const COMMANDS = [
  ["python -m specdemo audit my_engine.py:verify", "function"],
  ["python -m specdemo audit --program ./my_engine", "program"],
  ["python -m specdemo audit --log steps.jsonl", "log"],
];

/**
 * @param {HTMLElement} root emptied and filled
 * @param {any} bridge see docs/viewer.md  @param {import("../pages.js").Frame} frame
 * @returns {{state: any, run: (rule?: string) => Promise<void>}}
 */
export function mount(root, bridge, frame = ALONE) {
  const { rules = [] } = bridge.config, ask = createAsk({ root: bridge.root });
  let state = { status: "empty", rule: rules.some((rule) => rule.name === FIRST) ? FIRST : (rules[0] || { name: "" }).name, audited: "", answer: null, error: "", unknown: "" };
  let timer = 0, began = 0;

  root.textContent = "";
  root.classList.add("sd", "sd-audit");
  set(root, { "data-page": "audit" });
  const form = html("form", { class: "sd-controls", autocomplete: "off" }, root);
  const label = html("label", { class: "sd-field", title: say("audit.rule.title") }, form);
  html("span", null, label, say("audit.rule"));
  const select = /** @type {HTMLSelectElement} */ (html("select", { id: "audit-rule" }, label));
  for (const [, list] of grouped(rules)) {
    const options = html("optgroup", { label: groupWords(list[0]) }, select);
    for (const rule of list) html("option", { value: rule.name, title: mistakeWords(rule.name, rule.goes_wrong) || ruleTitle(rule.name, rule.title) }, options, ruleWords(rule.name));
  }
  const start = /** @type {HTMLButtonElement} */ (html("button", { type: "submit", id: "audit-run", class: "sd-button primary" }, form, say("audit.start")));
  const words = html("p", { class: "sb-audit-status", role: "status" }, root);
  const retry = html("button", { type: "button", id: "audit-retry", class: "sd-button small" }, root, common("viewer.retry"));
  const report = createReport(root, frame);
  const yours = html("section", { class: "sd-panel sb-yours", "aria-label": say("audit.yours") }, root);
  html("h3", null, yours, say("audit.yours"));
  html("p", { class: "sd-soft" }, yours, say("audit.yours.about"));
  const list = html("dl", null, yours);
  for (const [command, means] of COMMANDS) {
    html("code", null, html("dt", null, list), command);
    html("dd", null, list, say(`audit.command.${means}`));
  }

  function change(to) {
    state = { ...state, ...to };
    draw();
  }
  function draw() {
    const { status, rule, audited, answer, error, unknown } = state, seconds = Math.floor((performance.now() - began) / 1000);
    set(root, { "data-state": status });
    select.value = rule;
    start.disabled = status === "running";
    text(words, unknown && status !== "running" ? unknown : {
      empty: say("audit.empty"),
      running: say(seconds ? "audit.running_since" : "audit.running", { rule: ruleWords(audited), seconds }),
      done: rule === audited ? "" : say("audit.other", { audited: ruleWords(audited), rule: ruleWords(rule) }),
      error,
    }[status]);
    show(words, Boolean(words.textContent));
    set(words, { class: `sb-audit-status ${unknown && status !== "running" ? "error" : status}` });
    show(retry, status === "error");
    show(report.root, Boolean(answer));
    set(report.root, { "data-old": status !== "done" });
    if (answer) report.update(answer, answer.rule);
  }

  async function run(rule = state.rule) {
    if (state.status === "running" || !rule) return;
    began = performance.now();
    timer = setInterval(draw, 1000);
    change({ status: "running", rule, audited: rule, error: "", unknown: "" });
    const own = `#page=audit&rule=${rule}&run=1`;
    if (frame.isVisible()) writeAddress(own);
    try {
      const found = await patiently(() => ask.ask("audit", { rule }));
      change({ status: "done", answer: { ...found, rule } });
    } catch (problem) {
      if (!(problem instanceof NoAnswer) && !(problem instanceof Refused)) throw problem;
      change({ status: "error", error: problem instanceof Refused ? problem.message : problem.said || say("audit.gone") });
    } finally {
      clearInterval(timer);
    }
    if (location.hash !== own) follow(); // the address has changed meanwhile
  }

  select.addEventListener("change", () => change({ rule: select.value, unknown: "" }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    run();
  });
  retry.addEventListener("click", () => run());
  window.addEventListener("online", () => { if (state.status === "error") run(state.audited); });

  /** What the hash asks for. */
  function follow() {
    if (!frame.isVisible() || state.status === "running") return;
    if (pageOf(location.hash) !== "audit") return writeAddress(state.audited ? `#page=audit&rule=${state.audited}&run=1` : "#page=audit");
    const { given, wrong: damaged, strange } = readLink(location.hash, FIELDS), wrong = [...damaged, ...strange], rule = given.get("rule"), starts = placeReader(given, wrong).on("run", FIELDS.run());
    const known = rule === null || rules.some((one) => one.name === rule), unknown = sentences([known ? "" : say("audit.unknown", { rule: String(rule).slice(0, 60) }), leftOut(wrong)]);
    if (rule === null || unknown) return change({ unknown, ...(rule !== null && known ? { rule } : {}) });
    if (starts && rule !== state.audited) run(rule);
    else change({ rule, unknown: "" });
  }
  draw();
  follow();
  window.addEventListener("hashchange", () => { if (pageOf(location.hash) === "audit") follow(); });
  frame.onVisible(follow);
  return { get state() { return state; }, run };
}
