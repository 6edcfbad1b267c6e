/** The glossary's terms: symbol or formula, papers, and the chapter that shows them; and which of them a picture or a symbol of the pages is about. */

/** @typedef {{id: string, formula: string|null, papers: string[], chapter: string|null}} Term */

const term = (id, chapter, papers, formula = null) => ({ id, formula, papers, chapter });

/** In the order of their names in English; the page sorts them by their names in its own language. @type {Term[]} */
export const TERMS = [
  term("accepted", "why", ["leviathan"], "tau"),
  term("acceptance", "acceptance", ["leviathan"], "overlap"),
  term("auditor", "mistakes", []),
  term("block", "why", ["stern", "leviathan"]),
  term("block_rule", "block", ["sun"], "block_coin"),
  term("bonus", "bonus", ["leviathan", "chen"]),
  term("correction", "residual", ["leviathan", "chen"]),
  term("coupling", "transport", ["spectr", "villani"]),
  term("draft_model", "why", ["leviathan", "chen"]),
  term("efficiency", "cost", ["sun"], "efficiency"),
  term("exact_match", null, ["stern"]),
  term("greedy_block", "long_run", ["sun"], "optimum"),
  term("law", "law", []),
  term("length_law", "bonus", [], "length_law"),
  term("lossless", "law", ["leviathan", "chen"], "output"),
  term("lossy", "mistakes", ["medusa", "leviathan"]),
  term("modified_target", "long_run", [], "modified"),
  term("prefix_tree", "transport", []),
  term("prefix_weight", "block", ["sun"], "weight"),
  term("ratio", "ratio", ["leviathan"], "ratio"),
  term("rescue", "block", ["sun"]),
  term("residual", "residual", ["leviathan", "chen"], "residual"),
  term("sampled_match", null, [], "match"),
  term("speedup", "cost", ["leviathan"], "speedup"),
  term("target_model", "why", ["leviathan", "chen"]),
  term("temperature", null, ["fan", "holtzman"]),
  term("threshold", "block", ["sun"], "h"),
  term("token_rule", "ratio", ["leviathan", "chen"], "token_test"),
  term("total_variation", "acceptance", [], "variation"),
  term("transport", "transport", ["spectr", "sun", "villani"], "cost"),
  term("uniform", "ratio", [], "eta"),
  term("verifier", "why", ["leviathan", "sun"]),
];

/** The keys of a term's words. @param {Term} one */
export const keysOf = ({ id }) => ({ name: `term.${id}.name`, text: `term.${id}.text` });

/** What the pictures are about, by the name in their frame (marks.js): their "?" leads to these. */
export const PICTURES = {
  position: ["law", "residual", "correction"], coupling: ["coupling", "residual", "correction"], lengths: ["length_law", "accepted", "efficiency"], timestrip: ["speedup"],
  formulas: ["ratio", "prefix_weight", "threshold"], pour: ["residual", "correction", "total_variation"], laws: ["law", "draft_model", "target_model"],
  "coupling-matrix": ["coupling", "transport"], tree: ["prefix_tree", "accepted"], "tree-formulas": ["prefix_tree"], mistake: ["lossless", "lossy", "auditor"], longrun: ["greedy_block", "modified_target"],
  "race-lanes": ["efficiency", "speedup"], "race-table": ["efficiency", "speedup"], "law-next": ["lossless", "law"], "law-pairs": ["lossless", "total_variation"],
};

/** What the symbols in the pages' help are called here. */
export const SYMBOLS = {
  "γ": "block", "D, T": "law", TV: "total_variation", r: "ratio", w: "prefix_weight", h: "threshold", "η": "uniform", s: "residual", R: "greedy_block", "T̃": "modified_target",
  A: "residual", "τ": "accepted", "E[τ]": "efficiency", "E[τ│block]": "efficiency", Y: "correction", "S, B": "prefix_tree", cost: "transport", gap: "transport",
};
