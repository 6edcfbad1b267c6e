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
| documents of 23 kinds written by `specdemo/pairs/corpus` (stories are 40 % of them) | 68 % | this project's own |
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
documents. This pair was trained on a busy machine in two cycles. In the first one query and key matrices grew until attention put all its
weight on one token and no character was remembered (rates 0.02 and 0.004; 4 layers, from minute 15 on 8, from minute
35 on 12); the second one (from the minutes in `cycle_starts`, at the rates below) began from
its weights with these matrices scaled down and limited. The trainer now limits them from the start, so one cycle should do. Slips of
grammar in the generator ("a honest", a question mark, a stray space) were corrected meanwhile, the first two also in the packs in use.
"""

LIMITS = """## Limits

- Sentences are right, stories are loose: a hero with a name is often kept, an animal without one is often forgotten for another ("a kind
  old fox" may go on as a hen), and pronouns change. The target saw too little text for more; a longer run is the remedy.
- Sums and programs are written in the right form, but their results are mostly wrong, and so are facts in quizzes.
- Words that are not in the corpus are ignored or taken for names.
- Austen-like prose keeps her tone and loses its grammar within a sentence or two; it has no plot, and names of several novels mix.
- The target's loss is flat up to 512 tokens, the drafts get weaker in the last hundred of them; beyond 512 nothing is promised.
"""
