"""At temperature 0 the embedded pair writes what the target alone writes; a tie of two logits is told apart from a mistake."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from specdemo.decoding import speculative_decode
from specdemo.pairs import Pair
from tests.stories import prompts, stories
from tests.tiny import tiny_pair
from tests.toy_models import plain_logits

# Two logits closer than this may come out in the other order when the same numbers are added up in another one (float32).
TIE = 1e-4


def difference(pair: Pair, prompt: str, verifier: str, new_tokens: int, gamma: int = 4) -> str:
    """ "" where both texts are one, "tie" where they part at two equal logits, else what was found instead."""
    ids = torch.tensor([pair.encode(prompt).ids])
    with torch.no_grad():
        expected = pair.target_model.generate(
            ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=new_tokens, pad_token_id=1
        )[0].tolist()
    found = speculative_decode(
        pair.draft_model, pair.target_model, ids, gamma, temperature=0, max_new_tokens=new_tokens, verifier=verifier
    )[0].tolist()
    if found == expected:
        return ""
    place = next(
        (i for i, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b), min(len(found), len(expected))
    )
    if place >= min(len(found), len(expected)):
        return f"one text ends at {place}, the other goes on"
    logits = plain_logits(pair.target_model, found[:place])[-1]
    gap = float((logits[found[place]] - logits[expected[place]]).abs())
    below_top = float(logits.max() - logits[[found[place], expected[place]]].min())
    return (
        "tie" if max(gap, below_top) < TIE else f"{found[place]} instead of {expected[place]} at {place}, {gap} apart"
    )


@pytest.mark.parametrize("verifier", ["token", "block"])
def test_a_few_prompts(verifier: str) -> None:
    pair = stories()
    for prompt in prompts(2):
        assert difference(pair, prompt, verifier, 16) in ("", "tie")


@pytest.mark.slow
@pytest.mark.parametrize("draft", ["192", "96"])
def test_two_hundred_prompts(draft: str) -> None:
    pair, ties = stories(draft), []
    for i, prompt in enumerate(prompts(200)):
        found = difference(pair, prompt, ("token", "block")[i % 2], 24, gamma=1 + i % 8)
        assert found in ("", "tie"), f"{prompt!r}: {found}"
        ties += [prompt] if found else []
    print(f"{len(ties)} of 200 texts part at a tie: {ties}")
    assert len(ties) <= 10


def test_ends_of_text_are_ends_in_both() -> None:
    """With a target that ends its texts soon, both stop at the same token."""
    pair = tiny_pair()
    ends = {}
    for prompt in ("once upon", "the hat", "a dog ran", "the cat sat on the mat"):
        free = pair.target_model.generate(
            torch.tensor([pair.encode(prompt).ids]), do_sample=False, max_new_tokens=12, pad_token_id=1
        )[0].tolist()
        ends[prompt] = free[-6]
    for prompt, end in ends.items():
        pair.target_model.generation_config.eos_token_id = end
        assert difference(pair, prompt, "block", 30) == ""


def test_a_tie_is_told_from_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check itself: with two equal rows of the head both tokens are right; with another rule's text none is."""
    pair = tiny_pair(eos=None)
    prompt = "the cat sat"
    ids = torch.tensor([pair.encode(prompt).ids])
    greedy = pair.target_model.generate(ids, do_sample=False, max_new_tokens=4, pad_token_id=1)
    first = int(greedy[0, ids.shape[1]])
    other = 299 if first != 299 else 298

    def says(token: int) -> Any:
        changed = greedy.clone()
        changed[0, ids.shape[1]] = token
        return lambda *arguments, **settings: changed

    globals_of_check = difference.__globals__
    monkeypatch.setitem(globals_of_check, "speculative_decode", says(other))
    assert "instead of" in difference(pair, prompt, "block", 4)
    with torch.no_grad():
        pair.target_model.lm_head.weight[other] = pair.target_model.lm_head.weight[first]
    monkeypatch.setitem(globals_of_check, "speculative_decode", says(max(first, other)))
    assert difference(pair, prompt, "block", 4) in ("", "tie")
