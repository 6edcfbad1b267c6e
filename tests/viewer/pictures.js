/** Helpers of test_pictures.py, in the browser: the pictures on a bare page, and what is to be seen there. */

const ROOT = new URL("../../assets/viewer/", import.meta.url);
const FACTORIES = {
  position: "createPosition", coupling: "createCoupling", lengths: "createLengths", timestrip: "createTimestrip", formulas: "createFormulas",
};
const pictures = {};
export const calls = [];
let trace = null, pieces = null;

/** Mounts every picture; clicks are recorded in `calls`. */
export async function mount(given) {
  trace = given;
  pieces = Object.assign({}, trace.pieces, ...trace.blocks.map((block) => block.pieces));
  document.body.className = "sd";
  for (const sheet of ["viewer.css", "pictures.css"]) {
    const link = document.createElement("link");
    await new Promise((done) => {
      Object.assign(link, { rel: "stylesheet", href: new URL(sheet, ROOT).href, onload: done });
      document.head.append(link);
    });
  }
  const actions = {
    select: (what) => calls.push(["select", what]),
    setRule: (name) => calls.push(["rule", name]),
    explain(name, args) {
      calls.push(["explain", name, args]);
      pictures.formulas.show(name, args);
    },
  };
  for (const name in FACTORIES) {
    const box = document.createElement("div");
    box.id = name;
    box.style.cssText = "margin: 0 8px 8px; max-width: 760px";
    document.body.append(box);
    pictures[name] = (await import(new URL(`${name}.js`, ROOT).href))[FACTORIES[name]](box, actions);
  }
}

/** Draws row `position` of block k under a rule, everything revealed unless `more` says otherwise. */
export function look(k, rule, position, more = {}) {
  const block = trace.blocks[k], verdict = block.verdicts[rule];
  const view = {
    trace, block, verdict, blockIndex: k, rule, position, phase: "commit", tried: 0, token: null, pieces: (id) => pieces[id], whatIf: null,
    accepted: verdict.accepted, revealed: { scores: true, cut: true, next: true }, predicting: false, ...more,
  };
  for (const name in pictures) pictures[name].update(view);
}

export const mode = (name) => document.querySelector(`[data-choice=${name}]`)?.click();

const visible = (node) => node.getClientRects().length > 0 || node.tagName === "rect" || node.tagName === "path";
const displayed = (node) => {
  for (let at = node; at && at !== document.body; at = at.parentNode) if (at.style.display === "none") return false;
  return true;
};
const wordsOf = (node) => (node.querySelector("tspan") || node).textContent;

/** Every number shown, with its source. */
export const numbers = () => Array.from(document.querySelectorAll("[data-path]"))
  .filter((node) => displayed(node) && visible(node))
  .map((node) => ({ path: node.dataset.path, value: node.dataset.value, text: wordsOf(node) }));

/** Sum of the marks of a kind in a picture. */
export const sum = (picture, kind) => Array.from(document.querySelectorAll(`.pic-${picture} [data-kind=${kind}]`))
  .filter(displayed).reduce((total, node) => total + Number(node.dataset.value), 0);

/** Texts of a chart that cover each other or stick out of it. Turned ones and those with a halo over bands are left out. */
export function collisions() {
  const out = [];
  for (const chart of document.querySelectorAll("svg.pic-chart")) {
    if (!chart.getClientRects().length) continue;
    const frame = chart.getBoundingClientRect();
    const boxes = Array.from(chart.querySelectorAll("text"))
      .filter((node) => node.getClientRects().length && wordsOf(node).trim() && !node.matches("[transform], .pic-halo"))
      .map((node) => [wordsOf(node), node.getBoundingClientRect()]);
    for (const [words, box] of boxes) {
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) out.push(["clipped", words]);
    }
    for (let i = 0; i < boxes.length; i++) for (let j = 0; j < i; j++) {
      const a = boxes[i][1], b = boxes[j][1];
      if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2) out.push([boxes[i][0], boxes[j][0]]);
    }
  }
  return out;
}

/** Milliseconds of script for each of `count` different steps, rising. */
export function times(count) {
  return Array.from({ length: count }, (_, n) => {
    const start = performance.now();
    look(n % 20, "block", n % 6);
    return performance.now() - start;
  }).sort((a, b) => a - b);
}
