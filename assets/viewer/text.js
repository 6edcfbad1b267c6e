/**
 * The running text: prompt, committed tokens and the block at hand, coloured by where each token came from.
 * One span for each whole character group; a group that needed several tokens carries a mark for each of them.
 */

import { joining } from "./derive.js";
import { createFold } from "./fold.js";
import { pieces, reading } from "./format.js";
import { beforePaint } from "./paint.js";
import { FOREIGN, html, set, text } from "./svg.js";
import { say as step } from "./words/parts/step.js";
import { say } from "./words/parts/viewer.js";

const LINE = 26; // px, of the text in viewer.css

const originOf = (/** @type {Token} */ token) => say(`viewer.origin.${token.frame ? "template" : token.kind}`);

/** @typedef {{id: number, kind: string, block: number, row: number, frame?: "before"|"after"|null}} Token `frame`: the template's, before or after the message */

/** The prompt's tokens. @param {any} trace @returns {Token[]} */
export function promptTokens({ prompt }) {
  const [first, end] = prompt.message || [0, prompt.ids.length];
  return prompt.ids.map((id, i) => ({ id, kind: "prompt", block: -1, row: -1, frame: i < first ? "before" : i < end ? null : "after" }));
}

/**
 * Everything to draw, in order: one entry a token.
 * @returns {Token[]}
 */
export function tokensOfView(view) {
  const { trace, block } = view;
  /** @type {Token[]} */
  const out = promptTokens(trace);
  for (let k = 0; k < view.blockIndex; k++) {
    const past = trace.blocks[k];
    past.committed.forEach((id, i) => out.push({ id, kind: i < past.kept ? "kept" : past.verdicts[past.verifier].next_kind, block: k, row: i }));
  }
  if (!block) return out;
  const drafted = block.paths[0].tokens;
  const { accepted, revealed, whatIf, verdict } = view;
  const now = view.blockIndex;
  if (view.phase === "commit") {
    const cut = whatIf ? Infinity : joining(trace, block, verdict);
    for (let i = 0; i < Math.min(accepted, cut); i++) out.push({ id: drafted[i], kind: "kept", block: now, row: i });
    if (accepted < cut && !(whatIf && whatIf.accepted !== verdict.accepted)) out.push({ id: verdict.next_token, kind: verdict.next_kind, block: now, row: accepted });
    return out;
  }
  const shown = view.phase === "verify" && !revealed.cut && verdict.order === "left_to_right" ? view.tried : 0;
  drafted.forEach((id, i) => {
    const kind = revealed.cut ? (i < accepted ? "kept" : "rejected") : i < shown ? "kept" : view.phase === "verify" && crossed(view, i) ? "rejected" : "draft";
    if (i === accepted && revealed.next && !(whatIf && whatIf.accepted !== verdict.accepted)) out.push({ id: verdict.next_token, kind: verdict.next_kind, block: now, row: i });
    out.push({ id, kind, block: now, row: i });
  });
  if (accepted === block.gamma && revealed.next) out.push({ id: verdict.next_token, kind: verdict.next_kind, block: now, row: accepted });
  return out;
}

/** Right to left: a token is out as soon as its prefix, and every longer one, has failed. */
function crossed(view, i) {
  return view.verdict.order === "right_to_left" && i >= view.block.gamma - view.tried;
}

/**
 * @param {Element} container @param {any} actions
 * @param {{tokensOf?: typeof tokensOfView, empty?: string}} [options] which tokens are drawn, and what is said before there are any
 */
export function createText(container, actions, { tokensOf = tokensOfView, empty: nothing = step("step.empty") } = {}) {
  const box = html("div", { class: "sd-text" }, container);
  const root = html("div", { class: "sd-text-scroll", role: "region", "aria-label": say("viewer.text"), tabindex: "0" }, box);
  const line = html("p", { class: "sd-line" }, root);
  const empty = html("span", { class: "sd-soft sd-text-empty" }, line);
  /** @type {{node: HTMLElement, signature: string}[]} */
  const spans = [];
  const folds = /** @type {const} */ (["before", "after"]).map((where) => ({ where, fold: createFold(line, where, (chip) => { root.scrollTop = lineOf(chip) * LINE; }) }));

  root.addEventListener("click", (event) => {
    const node = /** @type {Element} */ (event.target).closest("[data-block]");
    if (node && line.contains(node)) actions.goTo(Number(node.getAttribute("data-block")), Number(node.getAttribute("data-row")));
  });

  function draw(place, segment, tokens, now) {
    const first = tokens[segment.from], members = tokens.slice(segment.from, segment.from + segment.ids.length);
    const kinds = members.map((token) => token.kind + (token.block === now ? " now" : ""));
    const signature = [segment.text, segment.ids.join(), kinds.join(), first.block, first.row, first.frame || ""].join("|");
    let entry = spans[place];
    if (!entry) {
      entry = spans[place] = { node: html("span", null, line), signature: "" };
    }
    if (entry.signature === signature) return;
    entry.signature = signature;
    const { node } = entry;
    node.textContent = segment.complete && segment.raw ? reading(segment.raw) : segment.text;
    const many = members.length > 1;
    set(node, {
      class: `sd-tok ${members[members.length - 1].kind}${members.some((token) => token.block === now) ? " now" : ""}${many ? " group" : ""}${segment.special ? " special" : ""}${segment.complete ? "" : " broken"}`,
      "data-token-id": many ? null : first.id, ...FOREIGN, "data-block": first.block < 0 ? null : first.block, "data-row": first.block < 0 ? null : first.row,
      title: many ? say("viewer.tokens", { count: members.length, tokens: members.map(({ id, kind }) => say("viewer.one_token", { id, origin: say(`viewer.origin.${kind}`) })).join(say("viewer.comma")) }) : say("viewer.token", { id: first.id, origin: originOf(first) }),
    });
    if (many) {
      const marks = html("span", { class: "sd-marks", "aria-hidden": "true" }, node);
      for (const token of members) html("i", { class: token.kind, "data-token-id": token.id }, marks);
    }
  }

  return {
    update(view) {
      const { trace } = view;
      set(root, { "data-current": view.block ? view.phase : "none" });
      const tokens = trace ? tokensOf(view) : [];
      const segments = pieces(tokens.map((token) => token.id), view.pieces);
      text(empty, tokens.length ? "" : trace ? say("viewer.text_empty") : nothing);
      segments.forEach((segment, i) => draw(i, segment, tokens, view.blockIndex));
      for (const extra of spans.splice(segments.length)) extra.node.remove();
      for (const { where, fold } of folds) {
        const places = [...segments.keys()].filter((i) => tokens[segments[i].from].frame === where);
        fold.update(places.map((i) => spans[i].node), tokens.filter((token) => token.frame === where).length);
      }
      const focus = segments.findIndex((segment) => view.block && tokens[segment.from].block === view.blockIndex);
      beforePaint(root, () => scroll(focus));
    },
  };

  /** @param {HTMLElement} node */
  function lineOf(node) {
    return Math.round((node.offsetTop - line.offsetTop) / LINE);
  }

  /** Whole lines are brought into sight inside the box; the page itself does not move. */
  function scroll(first) {
    const seen = spans.filter(({ node }) => !node.hidden);
    if (!seen.length || root.scrollHeight <= root.clientHeight) return;
    const last = lineOf(seen[seen.length - 1].node), top = spans[first] ? lineOf(spans[first].node) : last;
    const visible = Math.floor(root.clientHeight / LINE);
    const upper = Math.max(0, last - top + 1 >= visible ? top : last - visible + 1);
    const wanted = upper * LINE;
    if (Math.abs(root.scrollTop - wanted) > 1) root.scrollTop = wanted;
  }
}
