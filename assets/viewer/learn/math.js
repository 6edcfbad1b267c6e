/**
 * Formulas as MathML, which browsers draw themselves, from a line of text: nothing is loaded and nothing else can read it.
 *
 *     w_i = min(1, w_{i−1} r_i)      \frac{T(x)}{D(x)}      \tilde{T}      \sum_v min(D(v), T(v))
 *
 * A letter is a variable, two or more are a name (set upright); `_` and `^` take a letter, a number or a group in braces.
 */

const MATHML = "http://www.w3.org/1998/Math/MathML";
const TOKEN = /\s+|\\[a-z]+|[A-Za-z]+|[\u0370-\u03ff]|\d+(?:\.\d+)?|./gu;

/** @param {string} name @param {(Element|string)[]} [children] @param {Record<string, string>} [attributes] @returns {Element} */
function element(name, children = [], attributes = {}) {
  const node = document.createElementNS(MATHML, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** A tree of plain records: {name, text} or {name, parts}. @param {string} source */
export function parse(source) {
  const tokens = /** @type {string[]} */ (source.match(TOKEN) || []).filter((token) => token.trim());
  let at = 0;

  function group() {
    if (tokens[at] !== "{") return atom();
    at++;
    const parts = sequence("}");
    if (tokens[at++] !== "}") throw new SyntaxError(`"{" without "}" in ${source}`);
    return { name: "mrow", parts };
  }
  function atom() {
    const token = tokens[at++];
    if (token === undefined || token === "}") throw new SyntaxError(`something is missing in ${source}`);
    if (token === "\\frac") return { name: "mfrac", parts: [group(), group()] };
    if (token === "\\tilde") return { name: "mover", parts: [group(), { name: "mo", text: "~" }] };
    if (token === "\\sum") return { name: "mo", text: "∑" };
    if (token === "\\prod") return { name: "mo", text: "∏" };
    if (/^\d/.test(token)) return { name: "mn", text: token };
    if (/^[A-Za-z\u0370-\u03ff]/u.test(token)) return { name: token.length > 1 ? "mtext" : "mi", text: token };
    return { name: "mo", text: token === "-" ? "−" : token };
  }
  function scripted() {
    const base = atom(), scripts = {};
    while (tokens[at] === "_" || tokens[at] === "^") scripts[tokens[at++]] = group();
    const { _: below, "^": above } = scripts;
    if (!below && !above) return base;
    const large = base.text === "∑" || base.text === "∏";
    const name = below && above ? (large ? "munderover" : "msubsup") : below ? (large ? "munder" : "msub") : large ? "mover" : "msup";
    return { name, parts: [base, below, above].filter(Boolean) };
  }
  function sequence(end) {
    const parts = [];
    while (at < tokens.length && tokens[at] !== end) parts.push(scripted());
    return parts;
  }
  const parts = sequence("");
  if (at < tokens.length) throw new SyntaxError(`"${tokens[at]}" is too much in ${source}`);
  return { name: "mrow", parts };
}

const FENCES = "()│[]";

/** @param {any} node as parse makes them @returns {Element} */
function draw({ name, text, parts }) {
  if (parts) return element(name, parts.map(draw), name === "mover" && parts[1].text === "~" ? { accent: "true" } : {});
  // A fence grows with the largest thing in its row, and ours stand beside sums whose letters are small.
  return element(name, [text], name === "mo" && FENCES.includes(text) ? { stretchy: "false", lspace: "0", rspace: "0" } : {});
}

/** @param {string} source @param {{block?: boolean}} [options] @returns {Element} */
export function math(source, { block = false } = {}) {
  return element("math", [draw(parse(source))], block ? { display: "block", class: "learn-math", alttext: source } : { class: "learn-math", alttext: source });
}
