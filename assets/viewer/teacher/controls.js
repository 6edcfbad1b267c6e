/**
 * Every control of Step, Compare and Sandbox that a link can fix or hide: its name in the link, where it stands, and which of the page's
 * actions it stands for, so that no key and no picture can do what the control may not. No document.
 *
 * `at` are selectors below the page's root, `panel` those of what goes when it is hidden, where that is more. `field` is the name that
 * `setField` has for it. Groups: "setting" and "change" make another state, "walk" goes through the one that there is, "tool" and "panel".
 */

/** @typedef {{name: string, group: "setting"|"change"|"walk"|"tool"|"panel", at: string, panel?: string, field?: string, actions?: string[]}} Control */

export const EVERYTHING = "all";
/** What "all" stands for: who has fixed everything leaves the walk through the state; who has hidden everything leaves the pictures, too. */
const ALL = { fix: ["setting", "change"], hide: ["setting", "change", "tool"] };

/** @returns {Control} */
const setting = (name, at, more = {}) => ({ name, group: "setting", at, ...more });
const walk = (name, at, ...actions) => /** @type {Control} */ ({ name, group: "walk", at, actions });
const tool = (name, at, ...actions) => /** @type {Control} */ ({ name, group: "tool", at, actions });
const panel = (name, at) => /** @type {Control} */ ({ name, group: "panel", at });

/** The fields that Step and Compare share. */
const FIELDS = [
  setting("prompt", ".sd-field-prompt", { field: "prompt" }), setting("mode", ".sd-field-prompt-mode", { field: "prompt_mode" }),
  setting("pair", ".sd-field-pair", { field: "pair", panel: ".sd-field-pair, .sd-pair-note" }), setting("draft", ".sd-field-draft", { field: "draft" }),
  setting("gamma", ".sd-field-gamma", { field: "gamma" }), setting("temperature", ".sd-field-temperature", { field: "temperature" }),
  setting("top_k", ".sd-field-top-k", { field: "top_k" }), setting("top_p", ".sd-field-top-p", { field: "top_p" }),
  setting("seed", ".sd-field-seed", { field: "seed" }), setting("max", ".sd-field-max-tokens", { field: "max_new_tokens" }),
];

/** @type {Record<string, Control[]>} */
const PAGES = {
  step: [
    ...FIELDS,
    setting("rule", ".sd-field-verifier, #continue-here, .pic-lengths .pic-table button", { panel: ".sd-field-verifier, .sd-other-rule", actions: ["setRule", "nextRule", "continueHere"] }),
    { name: "coins", group: "change", at: ".sd-dot", actions: ["drag", "resetDrag"] },
    { name: "examples", group: "change", at: ".sd-examples", actions: ["openExample"] },
    { name: "import", group: "change", at: "#import", actions: ["importFile"] },
    walk("step", "#step", "step"), walk("back", "#back", "back"), walk("play", "#play", "play"), walk("start", "#to-start", "toStart"), walk("end", "#to-end", "toEnd"),
    walk("run", "#run", "run"), walk("restart", "#restart", "restart"), walk("phases", ".sd-phases", "toPhase"), walk("blocks", ".sd-scrub", "goTo"),
    tool("copy", "#copy-link", "copyLink"), tool("export", "#export", "exportTrace"), tool("save", "#save-html", "saveHtml"), tool("compare", "#open-compare"), tool("help", "#help", "help"),
    panel("text", ".sd-text"), panel("sentence", ".sd-sentence"), panel("lane", ".sd-lane"), panel("position", ".sd-panel:has(> .pic-position)"),
    panel("coupling", ".sd-panel:has(> .pic-coupling)"), panel("lengths", ".sd-panel:has(> .pic-lengths)"), panel("time", ".sd-panel:has(> .pic-timestrip)"),
    panel("formulas", ".sd-panel:has(> .pic-formulas)"),
  ],
  compare: [
    ...FIELDS,
    setting("rule", ".cmp-name, [id^=compare-remove-], .sd-field:has(> #compare-add)", { panel: "[id^=compare-remove-], .sd-field:has(> #compare-add)", actions: ["addRule", "replaceRule", "removeRule"] }),
    setting("follow", ".cmp-follow", { actions: ["follow"] }),
    { name: "examples", group: "change", at: ".sd-examples, .sd-menu:has(> #compare-examples)", actions: ["openExample"] },
    { name: "race", group: "change", at: "#compare-race", panel: "#compare-race", actions: ["startRace", "setRaceOption"] },
    { name: "law", group: "change", at: "#compare-law", panel: "#compare-law", actions: ["startLaw", "setLawOption"] },
    walk("run", "#compare-run", "run"), walk("blocks", "#compare-first, #compare-previous, #compare-next, #compare-last", "first", "previous", "next", "last", "goTo"),
    walk("differences", "#compare-next-difference, #compare-previous-difference", "nextDifference", "previousDifference"),
    tool("copy", "#compare-copy-link", "copyLink"), tool("export", ".sd-menu:has(> #compare-export)", "exportJson", "exportCsv", "exportPicture"),
    tool("step_page", "#compare-open-step", "openStep"), tool("help", "#compare-help", "help"),
    panel("text", ".sd-text"), panel("sentence", ".sd-sentence"),
  ],
  sandbox: [
    setting("symbols", ".sd-field:has(> #sandbox-symbols)", { actions: ["setSymbols"] }), setting("gamma", ".sd-field:has(> #sandbox-gamma)", { actions: ["setGamma"] }),
    setting("context", ".sd-field:has(> #sandbox-context)", { actions: ["setContext"] }),
    setting("rule", ".sd-field:has(> #sandbox-left-rule), .sd-field:has(> #sandbox-right-rule)", { actions: ["setRule"] }),
    setting("laws", ".sb-bars, .sb-all, .sb-elsewhere, .sb-part", { panel: ".sd-panel:has(> .pic-laws)", actions: ["drag", "setProbability", "normalise", "normaliseAll", "copyToAll"] }),
    setting("seed", ".sb-random > label", { actions: ["setSeed"] }),
    { name: "preset", group: "change", at: ".sd-field:has(> #sandbox-preset)", actions: ["openPreset"] }, { name: "random", group: "change", at: ".sb-random", actions: ["randomise"] },
    { name: "undo", group: "change", at: "#sandbox-undo, #sandbox-redo", actions: ["undo", "redo"] }, { name: "import", group: "change", at: "#sandbox-import", actions: ["importFile"] },
    tool("copy", "#sandbox-copy-link", "copyLink"), tool("export", "#sandbox-export", "exportJson"), tool("save", "#sandbox-save-html", "saveHtml"), tool("help", "#sandbox-help", "help"),
    panel("sentence", ".sb-sentence"), panel("numbers", ".sb-strip"), panel("pour", ".sd-panel:has(> .pic-pour)"), panel("coupling", ".sd-panel:has(> .pic-coupling-matrix)"),
    panel("tree", ".sd-panel:has(> .pic-tree)"), panel("formulas", ".sd-panel:has(> .pic-tree-formulas)"), panel("mistake", ".sd-panel:has(> .pic-mistake)"), panel("longrun", ".sd-panel:has(> .pic-longrun)"),
  ],
};

/** Other names that people may write. @type {Record<string, string>} */
export const ALIASES = {
  rules: "rule", verifier: "rule", "γ": "gamma", "top-k": "top_k", "top-p": "top_p", topk: "top_k", topp: "top_p", max_tokens: "max", "max-tokens": "max", alphabet: "symbols", presets: "preset", example: "examples",
};

/** What would change something fixed by the way. @type {Record<string, string[]>} */
const CARRIED = {
  pair: ["draft", "mode"], preset: ["symbols", "gamma", "context", "rule", "laws"], random: ["laws"],
};
/** These bring a whole other state. */
const WHOLE = ["examples", "import"];

/** The controls of a page, in the order of the teacher's list. @param {string} page @returns {Control[]} */
export const controlsOf = (page) => PAGES[page] || [];

/** Whether some page has a control of this name. @param {string} name */
export const known = (name) => Object.values(PAGES).some((list) => list.some((control) => control.name === name));

/**
 * The names of a page's controls that a list of a link means: "all" spelled out, other pages' left out.
 * @param {string} page @param {"fix"|"hide"} kind @param {string[]} names
 */
export function meant(page, kind, names) {
  return controlsOf(page).filter(({ name, group }) => names.includes(name) || (names.includes(EVERYTHING) && ALL[kind].includes(group))).map(({ name }) => name);
}

/** The fixed ones and those that would change them by the way. @param {string} page @param {string[]} names as `meant` makes them */
export function withCarried(page, names) {
  const list = controlsOf(page), settings = list.some(({ name, group }) => group === "setting" && name !== "seed" && names.includes(name)) || (page !== "sandbox" && names.includes("seed"));
  const also = list.filter(({ name }) => (settings && WHOLE.includes(name)) || (CARRIED[name] || []).some((other) => names.includes(other))).map(({ name }) => name);
  return [...new Set([...names, ...also])];
}

/** As short as a link can say it. @param {string} page @param {"fix"|"hide"} kind @param {string[]} names */
export function shortened(page, kind, names) {
  const all = meant(page, kind, [EVERYTHING]);
  if (!all.length || !all.every((name) => names.includes(name))) return names;
  return [EVERYTHING, ...names.filter((name) => !all.includes(name))];
}
