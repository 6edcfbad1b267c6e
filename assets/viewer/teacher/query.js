/**
 * A teacher's settings as parameters of a link, before its "#": they outlive every state that the page writes behind it. No document.
 *
 *     ?fix=rule,gamma&hide=seed,draft&predict=tau,rescued&big=1#prompt=Once&…
 */

import { ALIASES, EVERYTHING, known } from "./controls.js";

/** What can be asked before it is shown. */
export const PREDICTIONS = ["tau", "rescued"];
const OWN = ["fix", "hide", "predict", "big"];

/**
 * @typedef {object} Settings
 * @property {string[]} fix  @property {string[]} hide names of controls.js, or "all"
 * @property {string[]} predict of PREDICTIONS  @property {boolean} big
 * @property {string[]} unknown what was written and means nothing, with its parameter
 */

/** @param {string} text of a parameter @returns {string[]} its names, each once */
const namesIn = (text) => [...new Set(text.split(",").map((name) => name.trim().toLowerCase()).filter(Boolean))];

/** @param {string} search the address's query @returns {Settings} */
export function read(search) {
  const given = new URLSearchParams(search), unknown = /** @type {string[]} */ ([]);
  const taken = (parameter, understand) => {
    const found = namesIn(given.getAll(parameter).join(",")).map((name) => ({ name, meant: understand(name) }));
    unknown.push(...found.filter(({ meant }) => meant === null).map(({ name }) => `${parameter}=${name.slice(0, 40)}`));
    return [...new Set(found.flatMap(({ meant }) => meant ?? []))];
  };
  const control = (name) => {
    const own = ALIASES[name] || name;
    return own === EVERYTHING || known(own) ? own : null;
  };
  const fix = taken("fix", control), hide = taken("hide", control);
  const predict = taken("predict", (name) => (name === "1" ? "tau" : name === "0" ? [] : PREDICTIONS.includes(name) ? name : null));
  const big = given.get("big");
  if (new Set(given.getAll("big")).size > 1) unknown.push("big=" + given.getAll("big").map((value) => value.slice(0, 20)).join(" big="));
  if (big !== null && !["0", "1"].includes(big)) unknown.push(`big=${big.slice(0, 20)}`);
  return { fix, hide, predict, big: big === "1", unknown: [...new Set(unknown)] };
}

/** Whether a link sets anything that its reader cannot undo on the page. @param {Settings} settings */
export const isRestricted = ({ fix, hide, predict }) => fix.length + hide.length + predict.length > 0;

/**
 * A query with these settings in place of its own; what is not a teacher's stays.
 * @param {string} search @param {Partial<Settings>} settings
 */
export function written(search, { fix = [], hide = [], predict = [], big = false }) {
  const others = new URLSearchParams(search);
  for (const name of OWN) others.delete(name);
  const lists = Object.entries({ fix, hide, predict }).filter(([, names]) => names.length).map(([name, names]) => `${name}=${names.join(",")}`);
  const all = [...(others.size ? [String(others)] : []), ...lists, ...(big ? ["big=1"] : [])].join("&");
  return all ? `?${all}` : "";
}

/** The query without a teacher's settings; large stays as it is, anybody can change that. @param {string} search */
export const released = (search) => written(search, { big: read(search).big });
