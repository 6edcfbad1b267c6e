"""The parts of the model card that do not depend on a run."""

from __future__ import annotations

HEAD = """---
language: en
license: cc0-1.0
tags: [speculative-decoding, llama, tiny]
---

# The pair "stories"

A target and two drafts, trained from scratch on two CPU cores for a demonstration of speculative decoding: small enough to be kept in
a repository, good enough to write the sentences of little stories, and different enough from each other that drafts get rejected. They know nothing
about the world, are no assistants, and should be used for nothing else.

All three are plain `transformers` Llamas with one byte-level BPE tokenizer of 2,048 entries (digits apart, any UTF-8 text round-trips).
A document starts with `<|bos|>` (the tokenizer adds it) and ends with `<|eos|>`. The context is 512 tokens: that is the longest text
they were trained on, and they have not been taught to go beyond it.
"""

CORPUS = """## Corpus

| source | share of the tokens read | licence |
|---|---:|---|
| documents of 23 kinds written by `specdemo/pairs/corpus` (two fifths of them stories) | 68 % | this project's own |
| Jane Austen's six novels, Debian package `r-cran-janeaustenr` 1.0.0-1 | 19 % | public domain (packaging: MIT) |
| an English Bible, altered, Debian package `sword-text-web` 426.0-1 | 13 % | public domain |

The Bible text is without notes, headings and verse numbers, and its punctuation was made plain; being altered, it does not carry the
name of the edition that it was made from.
Every 20th chapter of the novels, every 60th of the Bible, and generated documents with seeds from 1,000,000,000 on were held out.
Models and tokenizer are given to the public domain (CC0).
"""

REBUILD = """## How to rebuild it

    apt-get install r-cran-janeaustenr sword-text-web
    python -m specdemo.pairs.corpus --out build/corpus      # only to look at the corpus
    python -m specdemo.pairs.train --minutes 80             # corpus, tokenizer, target, drafts, export, this card

The schedule follows the clock, so another machine reads more or fewer tokens and gets other weights; the same seed writes the same
documents. The target is grown while it is trained: 4 layers at first, then 8, then 12. Query and key matrices are kept from growing without
limit, as they do under Muon, until attention puts all its weight on one token: without that no character is remembered.
"""

LIMITS = """## Limits

- Sentences are right and heroes are mostly kept (the share is above); now and then an animal without a name turns into another, a pronoun
  changes, or a word is made up ("stoutcock"). Plots are loose: what was lost is not always what is found.
- Sums and programs are written in the right form, but their results are mostly wrong, and so are facts in quizzes.
- Words that are not in the corpus are ignored or taken for names.
- Austen-like prose keeps her tone and loses its grammar within a sentence or two; it has no plot, and names of several novels mix.
- The target's loss is flat up to 512 tokens, the drafts get weaker in the last hundred of them; beyond 512 nothing is promised.
"""
