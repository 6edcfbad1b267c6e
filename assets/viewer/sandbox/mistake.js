/** What a rule that is not lossless really outputs, how far that is from the target, and the cell of its coupling where it goes wrong most. */

import { phrase } from "../compare/measure_parts.js";
import { exportButtons } from "../compare/pictures_export.js";
import { number } from "../format.js";
import { lossyWords, ruleWords } from "../rule_gallery.js";
import { createScroller } from "../scroller.js";
import { html, onWidth, pool, present, set, text, value } from "../svg.js";
import { say } from "../words/parts/sandbox_pictures.js";
import { pieces } from "../words/pieces.js";
import { commonPrefix, EQUAL, isWrong, rulesOf, within } from "./blocks.js";
import { showChosenCell } from "./coupling_matrix.js";
import { createOutputChart } from "./output_chart.js";
import { pictureFrame } from "./picture_frame.js";
import { csvButton, outputRows } from "./sandbox_tables.js";
import { lawsWords, titled } from "./sandbox_words.js";
import { allowSaves, captioned, unsaved } from "./saving.js";

/** The words say whether it is too much or too little. @param {number} excess */
const size = (excess) => number(Math.abs(excess));

/** @param {Element} container @param {any} actions */
export function createMistake(container, actions) {
  const { root, tools, caption, body, instead } = pictureFrame(container, {
    name: "mistake",
    title: say("picture.mistake.title"),
    about: say("picture.mistake.about"),
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
      if (!view.picture) return instead(say("picture.mistake.waits"));
      if (!wrongRules(view).length) {
        const [first, second] = [...new Set(rulesOf(view))].map(ruleWords), none = second ? say("picture.mistake.none_both", { first, second }) : say("picture.mistake.none", { rule: first });
        return instead(actions.setRule ? say("picture.mistake.none_choose", { none }) : none);
      }
      instead(null);
      present(save, true);
      last = view;
      text(caption, captioned(view, say("picture.mistake.caption")));
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
  const where = html("p", { class: "sbx-worst" }, root), tell = phrase(html("span", null, where)), show = html("button", { type: "button", class: "sd-button small" }, where, say("picture.mistake.show"));
  const beside = html("button", { type: "button", class: "sd-button small" }, where);
  const bonus = html("p", { class: "sbx-bonus" }, root), tellBonus = phrase(bonus);
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
      value(large, rule.tv, `${own}/tv`, { name: say("picture.mistake.tv"), format: (tv) => (harmless ? "0" : number(tv)) });
      text(unit, say(`picture.mistake.${rule.unseen ? "unseen" : !harmless ? "wrong" : rule.bonus_tv > EQUAL ? "afterwards" : "harmless"}`));
      text(wrong, lossyWords(name, rule.goes_wrong) || say(rule.lossless === "temperature_0" ? "picture.mistake.cold" : "picture.mistake.lossy"));
      present(where, Boolean(rule.worst) && !harmless);
      if (rule.worst) {
        const { row, column: emitted, excess, right } = rule.worst, [a, b] = [picture.blocks[row], picture.blocks[emitted]];
        cell = { row, column: emitted, prefix: commonPrefix(a, b) };
        against = { side: rules[0] === name ? 1 : 0, rule: rule.worst.against };
        const pair = { drafted: a, emitted: b }, wanted = ruleWords(against.rule);
        tell(pieces(excess > 0 ? "picture.mistake.worst" : "picture.mistake.worst_little", {
          ...pair, rule: wanted, mass: { value: rule.coupling[row][emitted], path: `${own}/coupling/${row}/${emitted}`, name: say("picture.cell.pair", pair) },
          excess: { value: excess, path: `${own}/worst/excess`, format: size, name: say("picture.mistake.excess_name", pair) },
          right: { value: right, path: `${own}/worst/right`, name: say("picture.mistake.right_name", { ...pair, rule: wanted }) },
        }));
        text(beside, say(against.side ? "picture.mistake.put_right" : "picture.mistake.put_left", { rule: wanted }));
        present(beside, Boolean(actions.setRule) && !rules.includes(against.rule));
      }
      const afterwards = rule.bonus_tv > EQUAL;
      present(bonus, afterwards);
      if (afterwards) tellBonus(pieces("picture.mistake.bonus", { tv: { value: rule.bonus_tv, path: `${own}/bonus_tv`, name: say("picture.mistake.bonus_name") } }));
      chart.draw(picture, name, Math.max(width - 4, 240), column);
    },
  };
}
