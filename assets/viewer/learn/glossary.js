/** The glossary: every term, in English too, with what it means, its symbol or formula, the papers, and the chapter that shows it. */

import { html, set, text } from "../svg.js";
import { say } from "../words/parts/glossary.js";
import { inEnglish, language as spoken, open } from "../words/words.js";
import { CHAPTERS } from "./chapters.js";
import { FORMULAS } from "./formulas.js";
import { math } from "./math.js";
import { PAPERS } from "./papers.js";
import { rich } from "./rich.js";
import { keysOf, TERMS } from "./terms.js";
import { termLink } from "./terms_links.js";

const folded = (words) => words.toLowerCase().normalize("NFD").replace(/\p{Diacritic}/gu, "");

/** @param {{language: string|null, go: (place: any) => void}} context */
export function createGlossary({ language, go }) {
  const root = html("article", { class: "learn-glossary", "aria-labelledby": "learn-glossary-title" });
  const heading = html("h2", { id: "learn-glossary-title", tabindex: -1 }, root, say("learn.glossary"));
  html("p", { class: "sd-soft" }, root, say("glossary.intro"));
  const field = html("label", { class: "sd-field" }, html("p", null, root));
  html("span", null, field, say("glossary.find"));
  const find = /** @type {HTMLInputElement} */ (html("input", { type: "search", class: "learn-input learn-find" }, field));
  const none = html("p", { class: "sd-soft", role: "status" }, root), list = html("dl", { class: "learn-terms" }, root);

  const made = TERMS.map((one) => ({ one, name: say(keysOf(one).name), english: inEnglish(keysOf(one).name), meaning: open(keysOf(one).text) })).sort((a, b) => a.name.localeCompare(b.name, spoken()));
  const entries = made.map(({ one, name, english, meaning }) => {
    const entry = html("div", { class: "learn-entry", "data-term": one.id, id: `learn-term-${one.id}`, tabindex: -1 }, list);
    const head = html("dt", null, entry);
    html("b", null, head, name);
    if (english !== name) html("span", { class: "sd-soft learn-english", lang: "en" }, head, english);
    if (one.chapter) {
      const number = CHAPTERS.findIndex(({ id }) => id === one.chapter) + 1;
      html("button", { type: "button", class: "sd-link" }, head, say("glossary.shown_in", { number })).addEventListener("click", () => go({ view: "chapter", chapter: /** @type {string} */ (one.chapter) }));
    }
    const body = html("dd", null, entry);
    rich(html("p", null, body), keysOf(one).text, {}, { term: (parent, id, shown) => termLink(parent, id, shown, { language }) });
    if (one.formula) html("p", { class: "learn-formula" }, body).append(math(FORMULAS[one.formula]));
    if (one.papers.length) {
      const papers = html("p", { class: "learn-papers" }, body, say("glossary.papers"));
      one.papers.forEach((key, k) => {
        const { cited, arxiv } = PAPERS[key];
        if (k) papers.append("; ");
        if (arxiv) html("a", { href: `https://arxiv.org/abs/${arxiv}`, target: "_blank", rel: "noopener noreferrer" }, papers, `${cited}, arXiv ${arxiv}`);
        else papers.append(cited);
      });
    }
    return { id: one.id, entry, sought: folded(`${name} ${english} ${meaning}`) };
  });

  function filter() {
    const wanted = folded(find.value.trim()), found = entries.filter(({ entry, sought }) => {
      const fits = sought.includes(wanted);
      set(entry, { hidden: !fits });
      return fits;
    });
    text(none, found.length ? "" : say("glossary.none"));
  }
  find.addEventListener("input", filter);

  return {
    root, heading,
    /** @param {{term: string|null}} place */
    shown({ term }) {
      for (const { id, entry } of entries) set(entry, { "data-chosen": id === term });
      const chosen = entries.find(({ id }) => id === term);
      if (!chosen) return null;
      find.value = "";
      filter();
      chosen.entry.scrollIntoView({ block: "center" });
      return chosen.entry;
    },
  };
}
