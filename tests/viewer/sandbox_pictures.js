/** Helpers of the tests of the Sandbox's pictures, in the browser: the pictures on a bare page with a small store of their own. */

const ROOT = new URL("../../assets/viewer/", import.meta.url);
const FACTORIES = {
  coupling_matrix: "createCouplingMatrix", tree: "createTree", tree_formulas: "createTreeFormulas", mistake: "createMistake", longrun: "createLongRun",
};
const SHEETS = ["viewer.css", "pictures.css", "compare/measure.css", "sandbox/sandbox_pictures.css"];
const NOTHING = { row: null, column: null, prefix: null };
const pictures = {};
export const calls = [];
export let view = {
  state: null, picture: null, optimum: null, longrun: null, problems: [], pending: { picture: false, optimum: false, longrun: false }, status: "ready", message: null,
  old: false, selected: NOTHING, hovered: NOTHING, rules: ["token", "block"], difference: false, config: {},
};

/** Changes the view and draws it. */
export function show(change) {
  view = { ...view, ...change };
  for (const name in pictures) pictures[name].update(view);
}

/** Changes the view and draws one picture of it. */
export function one(name, change) {
  view = { ...view, ...change };
  pictures[name].update(view);
}

/** Mounts every picture; actions are recorded in `calls` and followed. */
export async function mount(wide = 1240) {
  document.body.className = "sd";
  for (const sheet of SHEETS) {
    const link = document.createElement("link");
    await new Promise((done) => {
      Object.assign(link, { rel: "stylesheet", href: new URL(sheet, ROOT).href, onload: done });
      document.head.append(link);
    });
  }
  const log = (name, work) => (...given) => {
    calls.push([name, ...given]);
    work(...given);
  };
  const actions = {
    select: log("select", (selected) => show({ selected })), hover: log("hover", (hovered) => show({ hovered })), toggleDifference: log("difference", () => show({ difference: !view.difference })),
    setRule: log("rule", () => {}), askLongRun: log("longrun", () => {}), setContext: log("context", () => {}),
  };
  for (const name in FACTORIES) {
    const box = document.createElement("div");
    box.id = name;
    box.className = "sd-panel";
    box.style.cssText = `margin: 8px; max-width: ${wide}px`;
    document.body.append(box);
    pictures[name] = (await import(new URL(`sandbox/${name}.js`, ROOT).href))[FACTORIES[name]](box, actions);
  }
  show({});
}

const displayed = (node) => {
  for (let at = node; at && at !== document.body; at = at.parentNode) if (at.style.display === "none") return false;
  return true;
};
const wordsOf = (node) => (node.querySelector("tspan") || node).textContent;

/** Every number shown, with its source. */
export const numbers = (selector = "body") => Array.from(document.querySelectorAll(`${selector} [data-path]`))
  .filter(displayed).map((node) => ({ path: node.dataset.path, value: node.dataset.value, text: wordsOf(node) }));

/** The rectangles of a kind: [path, value, x, y, width, height]. */
export const rectangles = (selector) => Array.from(document.querySelectorAll(selector))
  .map((node) => [node.dataset.path || null, Number(node.dataset.value), ...["x", "y", "width", "height"].map((name) => Number(node.getAttribute(name)))]);

/** Texts of a chart that cover each other or stick out of it; turned ones are left out. */
export function collisions() {
  const out = [];
  for (const chart of document.querySelectorAll("svg.pic-chart")) {
    if (!chart.getClientRects().length) continue;
    const frame = chart.getBoundingClientRect();
    const boxes = Array.from(chart.querySelectorAll("text"))
      .filter((node) => node.getClientRects().length && wordsOf(node).trim() && !node.matches("[transform]"))
      .map((node) => [wordsOf(node), node.getBoundingClientRect()]);
    for (const [words, box] of boxes) if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) out.push(["clipped", words]);
    for (let i = 0; i < boxes.length; i++) for (let j = 0; j < i; j++) {
      const a = boxes[i][1], b = boxes[j][1];
      if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2) out.push([boxes[i][0], boxes[j][0]]);
    }
  }
  return out;
}

const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

/** Milliseconds from a change of the view to its paint, for each of the changes, rising. */
export async function times(changes) {
  const out = [];
  for (const change of changes) {
    await painted();
    const start = performance.now();
    show(change);
    await painted();
    out.push(performance.now() - start);
  }
  return out.sort((a, b) => a - b);
}
