"""A pair of two tiny real models on three symbols, whose law of any text can be read exactly, and its trees."""

from __future__ import annotations

from typing import Any

from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from specdemo.decoding.laws import Processing
from specdemo.pairs import Pair
from tests.reference import Text
from tests.tiny import tiny_llama
from tests.toy_models import ToyWorld

PROMPT = "b c"


def letters_pair(spread: float = 1.0, seeds: tuple[int, int] = (5, 6)) -> Pair:
    """Three symbols a, b, c; `spread` widens the logits of both models."""
    backend = Tokenizer(models.WordLevel({"a": 0, "b": 1, "c": 2}, unk_token="a"))
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    draft, target = (tiny_llama(3, seed=seed, spread=spread) for seed in seeds)
    return Pair.from_models(draft, target, PreTrainedTokenizerFast(tokenizer_object=backend), name="letters")


def trees_of(pair: Pair, **processing: Any) -> tuple[Any, Any]:
    """Draft and target after PROMPT as functions from a text to a law, read from the models without a cache."""
    world = ToyWorld(pair.draft_model, pair.target_model, (1, 2), Processing(**processing))

    def as_floats(law: Any) -> Any:
        def tree(text: Text) -> list[float]:
            return [float(p) for p in law(text)]

        return tree

    return as_floats(world.draft), as_floats(world.target)
