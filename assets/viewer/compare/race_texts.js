/** The texts of the first run's lanes, one below the other, and where each first differs from the token rule's. */

import { pieces, reading } from "../format.js";
import { frame } from "../marks.js";
import { modeOf } from "../prompt_modes.js";
import { FOREIGN_TEXT, html, pool, set, text } from "../svg.js";
import { say } from "../words/parts/racing.js";
import { pieces as phraseOf } from "../words/pieces.js";
import { phrase } from "./measure_parts.js";
import { laneWords, losslessHere, tag, theRule } from "./measure_rules.js";
import { ASSUMED, firstDifference, firstRun, laneOf, referenceOf } from "./race_model.js";
import { ordinal, textWords } from "./race_words.js";

/** @param {Element} container */
export function createTexts(container) {
  const { caption, body, instead } = frame(container, {
    name: "race-texts",
    title: say("racing.texts.title"),
    about: say("racing.texts.about"),
  });
  const begun = html("div", { class: "race-prompt" }, body);
  const named = html("p", { class: "sd-soft" }, begun), prompt = html("p", { class: "sd-line race-line", ...FOREIGN_TEXT }, begun);
  const list = html("div", { class: "race-texts" }, body);
  const lines = pool(() => createLine(list));
  const notes = html("div", { class: "measure-findings" }, body);
  const sentences = pool(() => html("p", null, notes));
  let last = null;
  return {
    update(race) {
      const record = race.record, run = record && record.runs[0];
      if (!run) {
        last = null;
        return instead(say("racing.texts.none"));
      }
      instead(null);
      if (run === last) return;
      last = run;
      const reference = referenceOf(record), lanes = record.rules.map((rule) => laneOf(record, 0, rule, "calls", ASSUMED));
      const base = (lanes.find((lane) => lane.rule === reference) || lanes[0]).ids || [];
      const first = firstRun(record);
      const does = modeOf(record.settings) === "chat" ? "answer" : "continue", which = record.prompts.length > 1 ? does : `${does}_this`;
      text(named, say(`racing.texts.${which}`, { run: first.words, notice: first.notice ? ` (${first.notice})` : "" }));
      text(prompt, readable(first.text));
      text(caption, say("racing.texts.caption"));
      lines.take(lanes.length).forEach((line, n) => line.update(record, lanes[n], lanes[n].rule === reference ? null : firstDifference(lanes[n].ids || [], base), reference));
      const words = textWords(record, reference);
      sentences.take(words.length).forEach((sentence, n) => text(sentence, words[n]));
    },
  };
}

function createLine(parent) {
  const root = html("div", { class: "race-text" }, parent);
  const head = html("p", { class: "race-text-head" }, root);
  const name = html("b", null, head), note = html("span", { class: "sd-soft" }, head), write = phrase(note);
  const line = html("p", { class: "sd-line race-line" }, root);
  const spans = pool(() => html("span", null, line));
  return {
    root,
    update(record, lane, difference, reference) {
      const lossless = losslessHere(record, lane.rule), ids = lane.ids || [];
      text(name, laneWords(lane.rule));
      set(root, { "data-rule": lane.rule, class: `race-text${lossless ? "" : " is-lossy"}` });
      const slots = { count: ids.length, rule: theRule(reference), position: { value: difference + 1, path: "derived:first_difference", format: ordinal }, tag: lossless ? "" : ` · ${tag()}` };
      write(phraseOf(lane.rule === reference ? "racing.texts.tokens" : difference === null ? "racing.texts.same" : "racing.texts.differs", slots));
      const kinds = lane.calls.flatMap((call) => call.kinds), parts = pieces(ids, (id) => record.pieces[id]);
      spans.take(parts.length).forEach((span, n) => {
        const part = parts[n], first = difference !== null && difference >= part.from && difference < part.from + part.ids.length;
        text(span, part.complete && part.raw ? reading(part.raw) : part.text);
        set(span, { class: `sd-tok race-tok is-${kinds[part.from] || "kept"}${part.special || !part.complete ? " special" : ""}${first ? " is-first-difference" : ""}`, "data-token-id": part.ids[0], title: first ? say("racing.texts.first", { rule: theRule(reference) }) : null, "data-first-difference": first ? difference : null });
      });
    },
  };
}

const readable = (raw) => reading(raw) || say("racing.texts.empty");

/** What a text ends with, in one line: enough to see what is continued. */
export function endOf(raw, most = 160) {
  const chars = Array.from(raw);
  return readable(chars.length > most ? `… ${chars.slice(2 - most).join("")}` : raw).replaceAll("⏎\n", "⏎ ");
}
