"""The work folder of a run: recipe, tokenizer and packs, made once and read again by every later start of the run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from specdemo.pairs.corpus.build import HELD_OUT_SEED, SOURCES, held_out_documents, training_documents
from specdemo.pairs.training.packs import Packs, Sampler, pack_chapters, pack_generated
from specdemo.pairs.training.recipe import Recipe
from specdemo.pairs.training.tokens import train_tokenizer

TOKENIZER_TEXT = {"generated": 20_000, "austen": 259, "bible": 500}
HELD_OUT_COUNT = 400


@dataclass(frozen=True)
class Prepared:
    """What training reads: the recipe, the tokenizer, training packs by length and source."""

    recipe: Recipe
    tokenizer: Tokenizer
    packs: dict[int, dict[str, Packs]]

    def sampler(self, length: int, stage: int) -> Sampler:
        """A fresh sampler of rows of that length for a stage (0 target, 1 drafts)."""
        return Sampler(self.packs[length], self.recipe.shares, self.recipe.seed * 10 + stage)


def _texts(source: str, count: int) -> Iterator[str]:
    for number, document in enumerate(training_documents(source, count)):
        if number >= count:
            return
        yield "".join(document)


def _pack(tokenizer: Tokenizer, source: str, texts: Iterator[str], length: int) -> Packs:
    return (
        pack_generated(tokenizer, texts, length) if source == "generated" else pack_chapters(tokenizer, texts, length)
    )


def prepare(work: Path, recipe: Recipe) -> Prepared:
    """Make what the folder lacks, read what it has; the folder's own recipe wins over the one handed in."""
    work.mkdir(parents=True, exist_ok=True)
    kept = work / "recipe.json"
    if kept.exists():
        recipe = Recipe.load(kept)
    tokenizer_path = work / "tokenizer.json"
    if not tokenizer_path.exists():
        print("prepare  tokenizer", flush=True)
        limit = min(recipe.documents, TOKENIZER_TEXT["generated"])
        texts = (
            text
            for source in recipe.shares
            for text in _texts(source, limit if source == "generated" else TOKENIZER_TEXT[source])
        )
        train_tokenizer(texts, recipe.vocabulary).save(str(tokenizer_path))
    tokenizer = Tokenizer.from_file(str(tokenizer_path))
    packs: dict[int, dict[str, Packs]] = {}
    for length in (recipe.pack_length, recipe.long_pack_length):
        packs[length] = {}
        for source in recipe.shares:
            path = work / f"{source}-{length}.npy"
            if not path.exists():
                print(f"prepare  packs of {length} from {source}", flush=True)
                # The long packs are read for a short while only.
                count = recipe.documents if length == recipe.pack_length else recipe.documents // 3
                count = count if source == "generated" else 10**9
                partial = path.with_suffix(".part.npy")
                np.save(partial, _pack(tokenizer, source, _texts(source, count), length))
                partial.replace(path)
            packs[length][source] = np.load(path)
    if not kept.exists():
        recipe.save(kept)
    return Prepared(recipe, tokenizer, packs)


def held_out_packs(tokenizer: Tokenizer, source: str, length: int, count: int = HELD_OUT_COUNT) -> Packs:
    """Packs of the held-out part of "austen", "bible", "generated" or one kind of generated documents."""
    texts = ("".join(document) for document in held_out_documents(source, count))
    packed = (
        pack_chapters(tokenizer, texts, length) if source in SOURCES[1:] else pack_generated(tokenizer, texts, length)
    )
    return packed


__all__ = ["HELD_OUT_SEED", "Prepared", "held_out_packs", "prepare"]
