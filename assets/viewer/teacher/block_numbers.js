/** The numbers of a drafted block as cells of a table (paper.js): what all rules share, and what one rule does. No document. */

import { fates } from "../compare/fates.js";
import { tokensOf } from "../derive.js";
import { ruleWords } from "../rule_gallery.js";
import { say } from "../words/parts/teacher.js";

export const number = (value, path) => ({ value, path });

/** D, T and r of a drafted token, as every rule sees them. @param {any} view @param {number} i from 0 */
export function shared(view, i) {
  const row = view.block.paths[0].rows[i], base = `/blocks/${view.blockIndex}/paths/0/rows/${i}`;
  return [String(i + 1), { id: row.token, kind: "draft" }, number(row.draft, `${base}/draft`), number(row.target, `${base}/target`), number(row.ratio, `${base}/ratio`)];
}
const HEADS = ["", "handout.token"], LAWS = ["D", "T", "r"];
/** The heads of a block's table, with more behind them. @param {string[]} more */
export const heads = (more) => [...HEADS.map((key) => key && say(key)), ...LAWS, ...more];

/** A rule's threshold and, where it may be known, what became of the token: a cell. @param {any} view @param {string} rule @param {number} i from 0 @param {boolean} known */
export function outcome(view, rule, i, known) {
  const verdict = view.block.verdicts[rule];
  if (!verdict) return "–";
  const h = verdict.accept_prob ? ["h ", number(verdict.accept_prob[i], `/blocks/${view.blockIndex}/verdicts/${rule}/accept_prob/${i}`), " "] : [];
  const fate = { kept: "carried", unlooked: "unneeded" };
  const found = known ? fates(view.block, verdict)[i].fate : "";
  return [...h, known ? say(`handout.${fate[found] || found}`) : null];
}

/** What is known of a block before its coins: D, T and r of each token, and every rule's thresholds. @param {any} view of Compare */
export function scored(view) {
  const { block, blockIndex, rules } = view, known = rules.filter((rule) => block.verdicts[rule] && block.verdicts[rule].accept_prob);
  const rows = tokensOf(block).map((_, i) => [...shared(view, i), ...known.map((rule) => number(block.verdicts[rule].accept_prob[i], `/blocks/${blockIndex}/verdicts/${rule}/accept_prob/${i}`))]);
  return { title: say("bet.numbers"), heads: heads(known.map((rule) => say("bet.threshold", { rule: ruleWords(rule) }))), rows };
}
