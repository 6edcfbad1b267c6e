/** `mount(root, bridge, frame)`: the Audit page. It asks whether a registered rule is lossless, and shows the answer with its counterexample. */

import { grouped, ruleWords } from "../compare/rule_words.js";
import { ALONE, pageOf, writeAddress } from "../pages.js";
import { html, set, show, text } from "../svg.js";
import { createAsk, NoAnswer, patiently, Refused } from "./ask.js";
import { createReport } from "./audit_report.js";

const FIRST = "residual_without_weight"; // an audit that finds something teaches more
const COMMANDS = [
  ["python -m specdemo audit my_engine.py:verify", "a function (tokens, draft, target, uniforms) → (accepted, next token), or one of other shapes"],
  ["python -m specdemo audit --program ./my_engine", "a program in any language that answers JSON lines"],
  ["python -m specdemo audit --log steps.jsonl", "what a serving engine has really done"],
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
  const label = html("label", { class: "sd-field", title: "a rule of the registry, or an entry of the gallery of mistakes" }, form);
  html("span", null, label, "rule");
  const select = /** @type {HTMLSelectElement} */ (html("select", { id: "audit-rule" }, label));
  for (const [group, list] of grouped(rules)) {
    const options = html("optgroup", { label: group }, select);
    for (const rule of list) html("option", { value: rule.name, title: rule.goes_wrong || rule.title }, options, ruleWords(rule.name));
  }
  const start = /** @type {HTMLButtonElement} */ (html("button", { type: "submit", id: "audit-run", class: "sd-button primary" }, form, "Audit"));
  const words = html("p", { class: "sb-audit-status", role: "status" }, root);
  const retry = html("button", { type: "button", id: "audit-retry", class: "sd-button small" }, root, "Try again");
  const report = createReport(root, frame);
  const yours = html("section", { class: "sd-panel sb-yours", "aria-label": "Audit your own code" }, root);
  html("h3", null, yours, "Audit your own code");
  html("p", { class: "sd-soft" }, yours, "This page audits the rules of this project. Your verifier is audited on your machine, with the same worlds and the same kind of report; docs/audit.md has the forms it may have.");
  const list = html("dl", null, yours);
  for (const [command, means] of COMMANDS) {
    html("code", null, html("dt", null, list), command);
    html("dd", null, list, means);
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
    text(words, unknown && status !== "running" ? `There is no rule “${unknown}” here: choose one of the list.` : {
      empty: "The auditor tries a rule in some forty small worlds, follows every draft and every cell of uniforms, and compares the law of the text with the target's. It takes a few seconds.",
      running: `Auditing ${ruleWords(audited)} in small worlds, every draft and every cell of uniforms … ${seconds ? `${seconds} s` : ""}`,
      done: rule === audited ? "" : `The report below is on ${ruleWords(audited)}: press Audit for ${ruleWords(rule)}.`,
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
      change({ status: "error", error: problem instanceof Refused ? problem.message : problem.said || "The server does not answer. Try again in a moment." });
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
    const given = new URLSearchParams(location.hash.slice(1)), rule = given.get("rule");
    if (rule === null) return;
    if (!rules.some((known) => known.name === rule)) return change({ unknown: rule.slice(0, 60) });
    if (given.get("run") === "1" && rule !== state.audited) run(rule);
    else change({ rule, unknown: "" });
  }
  draw();
  follow();
  window.addEventListener("hashchange", () => { if (pageOf(location.hash) === "audit") follow(); });
  frame.onVisible(follow);
  return { get state() { return state; }, run };
}
