/** What a rule that is not lossless really outputs, how far that is from the target, and the cell of its coupling where it goes wrong most. */

import { phrase } from "../compare/measure_parts.js";
import { exportButtons } from "../compare/pictures_export.js";
import { ruleWords } from "../compare/rule_words.js";
import { number } from "../format.js";
import { createScroller } from "../scroller.js";
import { html, onWidth, pool, present, set, text, value } from "../svg.js";
import { commonPrefix, EQUAL, isWrong, rulesOf, within } from "./blocks.js";
import { showChosenCell } from "./coupling_matrix.js";
import { signed } from "./matrix_sheets.js";
import { createOutputChart } from "./output_chart.js";
import { pictureFrame } from "./picture_frame.js";
import { csvButton, outputRows } from "./sandbox_tables.js";
import { lawsWords, titled } from "./sandbox_words.js";
import { allowSaves, captionLead, unsaved } from "./saving.js";

/** @param {Element} container @param {any} actions */
export function createMistake(container, actions) {
  const { root, tools, caption, body, instead } = pictureFrame(container, {
    name: "mistake",
    title: "What really comes out",
    about: "The exact law of the first γ tokens that a rule emits, over as many target calls as that needs. A lossless rule’s is the target’s. Total variation is half the sum of the absolute differences: the share of the probability that stands on the wrong blocks. "
      + "The cell named is the one whose mass differs most from that of the right rule’s coupling: the rule that a mistake is made in, for other lossy rules the token rule.",
  });
  const sections = pool(() => createSection(body, actions, () => ({ caption: `${caption.textContent} ${lawsWords(last.picture)}` })));
  const save = csvButton(tools, "output", () => outputRows(last.picture));
  let last = null, width = 0, drawn = null;
  onWidth(body, (w) => {
    width = w;
    drawn = null;
    draw();
  });

  function draw() {
    if (!last || !width) return;
    const lossy = wrongRules(last), rules = rulesOf(last), { column } = within(last.selected, last.picture);
    const key = [rules.join(" "), column].join("|");
    if (drawn && drawn.picture === last.picture && drawn.key === key) return;
    drawn = { picture: last.picture, key };
    sections.take(lossy.length).forEach((section, k) => section.draw(last.picture, lossy[k], rules, width, column));
  }

  return {
    update(view) {
      last = null;
      present(save, false);
      if (!view.picture) return instead("It is known once the first picture has come.");
      const rules = [...new Set(rulesOf(view))], names = rules.map(ruleWords).join(" and ");
      if (!wrongRules(view).length) return instead(`${rules.length > 1 ? "Both " : ""}${names} output${rules.length > 1 ? "" : "s"} exactly the target.${actions.setRule ? " Choose an entry of the gallery of mistakes, or a lossy rule, to see one that does not." : ""}`);
      instead(null);
      present(save, true);
      last = view;
      text(caption, captionLead(view) + "Where ink and orange differ in height, the text is no sample of the target: blocks come too often or too rarely, however fast they come.");
      set(root, { "data-stale": view.old, "data-pending": view.pending.picture });
      draw();
      allowSaves(root, unsaved(view));
    },
  };
}

/** The shown rules that do not claim to be lossless. @param {any} view */
const wrongRules = (view) => [...new Set(rulesOf(view))].filter((name) => view.picture.rules[name].lossless !== "always");

function createSection(parent, actions, words) {
  const root = html("div", { class: "sbx-mistake" }, parent);
  const head = html("p", { class: "sbx-mistake-head" }, root);
  const title = html("span", { class: "pic-formula-title" }, head), large = html("span", { class: "sbx-large" }, head), unit = html("span", { class: "sbx-unit" }, head);
  const tools = html("span", { class: "pic-tools" }, head);
  const wrong = html("p", { class: "sbx-goes-wrong" }, root);
  const where = html("p", { class: "sbx-worst" }, root), say = phrase(html("span", null, where)), show = html("button", { type: "button", class: "sd-button small" }, where, "show the cell");
  const beside = html("button", { type: "button", class: "sd-button small" }, where);
  const bonus = html("p", { class: "sbx-bonus" }, root), sayBonus = phrase(bonus);
  const chart = createOutputChart(createScroller(root));
  exportButtons(tools, chart.root, "output", words);
  let cell = null, of = "", against = { side: 0, rule: "" };
  show.addEventListener("click", () => {
    actions.select(cell);
    showChosenCell(of);
  });
  beside.addEventListener("click", () => actions.setRule(against.side, against.rule));
  return {
    root,
    draw(picture, name, rules, width, column) {
      const rule = picture.rules[name], own = `picture:/rules/${name}`, harmless = !isWrong(rule);
      set(root, { "data-rule": name });
      of = name;
      text(title, titled(name, rule));
      value(large, rule.tv, `${own}/tv`, { name: "total variation", format: (tv) => (harmless ? "0" : number(tv)) });
      text(unit, rule.unseen ? `total variation. ${rule.unseen}` : harmless ? rule.bonus_tv > EQUAL ? "total variation: these γ tokens follow the target, what comes after them does not" : "total variation on these laws: here this rule happens to output the target; other laws show what it does wrong" : "total variation: not the target’s law");
      text(wrong, rule.goes_wrong || (rule.lossless === "temperature_0" ? "Lossless at temperature 0 alone: these laws are not that cold." : "Lossy by intent: it keeps more than the target allows."));
      present(where, Boolean(rule.worst) && !harmless);
      if (rule.worst) {
        const { row, column: emitted, excess, right } = rule.worst, [a, b] = [picture.blocks[row], picture.blocks[emitted]];
        cell = { row, column: emitted, prefix: commonPrefix(a, b) };
        against = { side: rules[0] === name ? 1 : 0, rule: rule.worst.against };
        const called = `drafted ${a}, emitted ${b}`, wanted = ruleWords(against.rule);
        say([`The coupling goes wrong most where ${a} is drafted and ${b} emitted: `, { value: rule.coupling[row][emitted], path: `${own}/coupling/${row}/${emitted}`, name: called }, ", which is ", { value: excess, path: `${own}/worst/excess`, format: signed, name: `${called}: too much` },
          ` ${excess > 0 ? "too much" : "too little"} against ${wanted}, which has `, { value: right, path: `${own}/worst/right`, name: `${wanted}, ${called}` }, " here. "]);
        text(beside, `put ${wanted} on the ${against.side ? "right" : "left"}`);
        present(beside, Boolean(actions.setRule) && !rules.includes(against.rule));
      }
      const afterwards = rule.bonus_tv > EQUAL;
      present(bonus, afterwards);
      if (afterwards) sayBonus(["After a block that was kept whole the bonus is wrong too: by ", { value: rule.bonus_tv, path: `${own}/bonus_tv`, name: "total variation of the bonus from the target, weighted with the mass that gets one" }, " in total variation, weighted with the mass that gets one."]);
      chart.draw(picture, name, Math.max(width - 4, 240), column);
    },
  };
}
