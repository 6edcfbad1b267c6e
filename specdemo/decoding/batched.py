"""`decode_many`: many prompts in, all texts out, several decoded at once; each is the text that `speculative_decode` gives alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from specdemo.decoding.batched_loop import BatchedLoop, Text
from specdemo.decoding.forward import check_models
from specdemo.decoding.laws import LawMaker, Processing
from specdemo.decoding.limits import (
    checked_gamma,
    checked_new_tokens,
    context_limit_of,
    end_of_text_ids,
    vocabulary_size_of,
)
from specdemo.decoding.uniforms import PhiloxUniforms
from specdemo.verifiers import Verifier, get


def decode_many(
    draft_model: Any,
    target_model: Any,
    prompts: Sequence[Sequence[int]],
    k: int = 4,
    *,
    batch: int = 16,
    streams: Sequence[int] | None = None,
    max_new_tokens: int = 64,
    verifier: str | Verifier = "block",
    temperature: float = 1.0,
    top_k: int = 0,
    top_p: float = 1.0,
    seed: int = 0,
    eos_token_id: int | Iterable[int] | None = None,
    lean: bool = True,
) -> list[list[int]]:
    """Decode every prompt (a list of ids), `batch` of them at once; the new ids of each. `k` = 0 is plain decoding.

    `streams` are the streams of the prompts' uniforms, their numbers where None: text n is that of
    `speculative_decode(…, uniforms=PhiloxUniforms(seed, streams[n]))`, to the bit where products are packed (docs/benchmarks.md, "Batches"), else
    but for draws whose margin is below the rounding of a padded pass. Other settings as there. Raises ValueError for bad settings, an empty
    prompt, ids outside the vocabulary or a prompt longer than the context, CannotStepBack for a model with a state.
    """
    numbers = range(len(prompts)) if streams is None else streams
    if len(numbers) != len(prompts):
        raise ValueError(f"{len(numbers)} streams were given for {len(prompts)} prompts")
    check_models(draft_model, target_model)
    sizes = [vocabulary_size_of(model) for model in (draft_model, target_model)]
    limit = context_limit_of(draft_model, target_model)
    for place, ids in enumerate(prompts):
        _check(place, ids, sizes[1], limit)
    laws, rule, gamma = (
        LawMaker(Processing(temperature, top_k, top_p), max(sizes)),
        get(verifier),
        checked_gamma(k, "k"),
    )
    most, ends = checked_new_tokens(max_new_tokens), end_of_text_ids(target_model, eos_token_id)
    texts = [
        Text(list(ids), most, laws, rule, PhiloxUniforms(seed, stream), gamma, ends)
        for ids, stream in zip(prompts, numbers, strict=True)
    ]
    loop = BatchedLoop(draft_model, target_model, max(sizes), limit, batch, lean)
    for _ in loop.rounds(texts):
        pass
    return [text.ids[len(ids) :] for text, ids in zip(texts, prompts, strict=True)]


def _check(place: int, ids: Sequence[int], readable: int, limit: int) -> None:
    if not len(ids):
        raise ValueError(f"prompts[{place}] is empty: start from the model's BOS token")
    if len(ids) > limit:
        raise ValueError(f"prompts[{place}] has {len(ids)} tokens, the models read at most {limit}: shorten it")
    for at, token in enumerate(ids):
        if isinstance(token, bool) or not isinstance(token, int) or not 0 <= token < readable:
            raise ValueError(
                f"prompts[{place}][{at}] is {token!r}: it must be an integer in 0 … {readable - 1}, the target's vocabulary"
            )
