/** The laws: which one is edited, its bars and texts, and what can be done to all of them at once. */

import { frame } from "../marks.js";
import { html, pool, set, show, text } from "../svg.js";
import { say } from "../words/parts/sandbox.js";
import { createBars } from "./bars.js";
import { indexOf, lawAt, letters, placeAt, prefixAt, SIDES } from "./laws.js";

/** @param {Element} container @param {any} actions */
export function createEditor(container, actions) {
  const { root, heading, caption, body } = frame(container, { name: "laws", title: say("sandbox.laws.everywhere"), about: say("sandbox.editor.about") });
  text(caption, say("sandbox.editor.caption"));
  const chooser = createChooser(body, actions);
  const bars = createBars(body, actions);
  const all = html("div", { class: "sb-all" }, body);
  const button = (label, title, act) => {
    const node = html("button", { type: "button", class: "pic-toggle", title }, all, label);
    node.addEventListener("click", act);
    return node;
  };
  let place = { level: 0, row: 0 };
  const copies = SIDES.map((side) => button("", say("sandbox.copy.title", { side: say(`sandbox.side.${side}`) }), () => actions.copyToAll(side, place.level, place.row)));
  const independent = button(say("sandbox.independent.prefix"), say("sandbox.independent.title"), () => actions.setContext("free"));
  const elsewhere = createElsewhere(body, actions);

  return {
    root,
    update(view) {
      place = view.place;
      const { context } = view.state;
      const { kind, slots } = placeAt(view.state, place.level, place.row);
      text(heading, say(`sandbox.laws.${kind}`, slots));
      chooser.update(view);
      bars.update(view);
      show(all, context !== "free");
      SIDES.forEach((side, i) => text(copies[i], say(context === "prefix" ? "sandbox.copy.prefix" : "sandbox.copy.position", { side: say(`sandbox.side.${side}`) })));
      show(independent, Boolean(actions.setContext));
      text(independent, say(context === "prefix" ? "sandbox.independent.prefix" : "sandbox.independent.position"));
      elsewhere.update(view);
    },
  };
}

/** Which law: a row of letters for each token of the prefix, or the positions. */
function createChooser(container, actions) {
  const root = html("div", { class: "sb-chooser", role: "group", "aria-label": say("sandbox.which") }, container);
  const label = html("span", { class: "sd-soft" }, root);
  const groups = pool(() => {
    const group = html("div", { class: "pic-choice", role: "group" }, root);
    const make = pool(() => {
      const node = html("button", { type: "button" }, group);
      node.addEventListener("click", () => actions.select({ prefix: node.dataset.prefix }));
      return node;
    });
    return { root: group, make };
  });

  return {
    update(view) {
      const { symbols, gamma, context } = view.state, { prefix, level } = view.place;
      show(root, context !== "free" && gamma > 1);
      if (context === "free") return void groups.take(0);
      // Where a law of a row or below it is wrong, its button says so.
      const marked = (start) => view.problems.some((one) => (context === "position" ? one.level === start.length : startsWith(one, start, symbols)));
      const put = (node, words, to, pressed, title) => {
        const bad = marked(to) && !pressed;
        text(node, words + (bad ? " !" : ""));
        set(node, { "data-prefix": to, "aria-pressed": String(pressed), title: bad ? say("sandbox.which.wrong", { law: title }) : title });
      };
      if (context === "position") {
        text(label, say("sandbox.which.position"));
        const [one] = groups.take(1);
        set(one.root, { "aria-label": say("sandbox.which.position") });
        // The tokens before a position do not matter here: any will do.
        one.make.take(gamma).forEach((node, i) => put(node, String(i + 1), (prefix + "AAAA").slice(0, i), i === level, say("sandbox.which.at_position", { position: i + 1 })));
        return;
      }
      text(label, say("sandbox.which.after"));
      const depths = Math.min(prefix.length + 1, gamma - 1);
      groups.take(depths + 1).forEach((group, n) => {
        if (n === 0) {
          set(group.root, { "aria-label": say("sandbox.which.no_token") });
          return put(group.make.take(1)[0], say("sandbox.which.start"), "", prefix === "", say("sandbox.which.at_start"));
        }
        const before = prefix.slice(0, n - 1);
        set(group.root, { "aria-label": say("sandbox.which.token", { number: n }) });
        group.make.take(symbols).forEach((node, i) => put(node, letters(symbols)[i], before + letters(symbols)[i], prefix[n - 1] === letters(symbols)[i], say("sandbox.which.at_prefix", { prefix: before + letters(symbols)[i] })));
      });
    },
  };
}

/** Whether a problem is in the row of a prefix or of one that begins with it. */
function startsWith(problem, start, symbols) {
  const deeper = problem.level - start.length;
  return deeper >= 0 && Math.floor(problem.row / symbols ** deeper) === indexOf(start, symbols);
}

const MOST = 4; // problems elsewhere that are listed

/** What is wrong with laws that are not the ones shown, each a way there; and one button for all sums. */
function createElsewhere(container, actions) {
  const root = html("div", { class: "sb-elsewhere" }, container);
  const list = html("ul", null, root);
  const items = pool(() => {
    const item = html("li", null, list), button = html("button", { type: "button", class: "sd-link" }, item);
    const words = html("span", null, item);
    button.addEventListener("click", () => actions.select({ prefix: button.dataset.prefix }));
    return { root: item, button, words };
  });
  const more = html("p", { class: "sd-soft" }, root);
  const all = html("button", { type: "button", class: "sd-button small", "data-normalise": "all" }, root);
  all.addEventListener("click", () => actions.normaliseAll());

  return {
    update(view) {
      const { state, place, problems } = view;
      const others = problems.filter((one) => one.level !== place.level || one.row !== place.row);
      const first = others.slice(0, MOST);
      items.take(first.length).forEach((item, i) => {
        const { side, level, row, symbol, message } = first[i];
        text(item.button, lawAt(side, state, level, row));
        set(item.button, { "data-prefix": prefixAt(level, row, state.symbols) });
        text(item.words, symbol === null ? say("sandbox.elsewhere.row", { problem: message }) : say("sandbox.elsewhere.entry", { symbol: letters(state.symbols)[symbol], problem: message }));
      });
      const unseen = others.length - first.length;
      text(more, unseen > 0 ? say("sandbox.elsewhere.more", { count: unseen }) : "");
      show(more, unseen > 0);
      const sums = actions.unbalanced().length;
      show(all, sums > 1);
      text(all, say("sandbox.normalise_all", { count: sums }));
      show(root, others.length > 0 || sums > 1);
    },
  };
}
