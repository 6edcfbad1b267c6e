/** What the page calls the options of a race and a law check, and its columns. No document. */

import { say as sayLaw } from "../words/parts/lawcheck.js";
import { say as sayMeasure } from "../words/parts/measure.js";
import { say } from "../words/parts/racing.js";

/** @type {Record<string, () => string>} */
const NAMES = {
  rules: () => sayMeasure("measure.setting.rules"), race: () => say("racing.title"), law: () => sayLaw("lawcheck.title"), seeds: () => say("racing.seeds"), prompt_set: () => say("racing.prompts"),
  axis: () => say("racing.axis"), c: () => say("racing.cost.c"), v: () => say("racing.cost.v"), samples: () => sayLaw("lawcheck.samples"),
};

/** @param {string} name of an option */
export const optionWords = (name) => NAMES[name]();

/** The axes of the lanes. */
export const AXES = ["calls", "measured", "predicted"];

/** @param {string} name of an axis */
export const axisWords = (name) => say(`racing.axis.${name}`);
