"""The entropy of a task's texts: exact where it is known, the same laws as the models give, and the order of the tasks."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from specdemo.lab import task_entropy
from specdemo.lab.task_entropy import entropy_of, openness
from specdemo.lab.tasks import Task, get, read_own
from specdemo.pairs import Pair
from specdemo.verifiers.sampling import draw
from tests.stories import stories
from tests.tiny import tiny_pair

CATS = read_own("the cat sat\na dog ran\nonce upon")


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair()


def test_entropy_of_known_laws() -> None:
    assert entropy_of(np.eye(5)[2]) == 0.0
    assert entropy_of(np.full(8, 1 / 8)) == pytest.approx(math.log(8), abs=1e-15)
    assert entropy_of(np.array([0.25, 0.0, 0.75])) == pytest.approx(math.log(4) - 0.75 * math.log(3), abs=1e-15)


def test_what_is_averaged_are_the_laws_at_the_places_that_are_continued(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole text read at once by each model gives the same entropies and overlaps as the walk that wrote it."""
    drawn: list[int] = []

    def noted(law: np.ndarray, uniform: float) -> int:
        drawn.append(draw(law, uniform))
        return drawn[-1]

    monkeypatch.setattr(task_entropy, "draw", noted)
    found = openness(pair, Task("cats", "cats", "Cats.", CATS.prompts[:1]), new_tokens=12)
    start = pair.encode(CATS.prompts[0]).ids
    with torch.inference_mode():
        target, draft = (
            torch.softmax(model(torch.tensor([[*start, *drawn]])).logits[0, len(start) - 1 : -1].double(), -1).numpy()
            for model in (pair.target_model, pair.draft_model)
        )
    assert found.tokens == len(drawn) == len(target) and found.prompts == 1
    assert found.entropy.mean == pytest.approx(float(-(target * np.log(target)).sum(1).mean()), abs=1e-9)
    assert found.overlap.mean == pytest.approx(float(np.minimum(target, draft).sum(1).mean()), abs=1e-9)
    assert found.entropy.standard_error is None, "one prompt says nothing of others"


def test_prompts_are_the_groups_and_a_text_ends_at_its_end(pair: Pair) -> None:
    same = replace(pair, draft_model=pair.target_model)
    found = openness(same, CATS, new_tokens=10)
    assert found.overlap.mean == pytest.approx(1.0, abs=1e-12) and found.prompts == 3
    assert found.entropy.standard_error is not None and found.entropy.standard_error > 0
    assert openness(same, CATS, new_tokens=10) == found != openness(same, CATS, new_tokens=10, seed=1)
    assert openness(same, CATS, prompts=2, new_tokens=10).prompts == 2
    every = frozenset(range(pair.vocab_size))
    assert openness(replace(pair, eos_token_ids=every), CATS, new_tokens=10).tokens == 3


def test_what_cannot_be_measured_is_refused(pair: Pair) -> None:
    with pytest.raises(ValueError, match="'instruct' is to be answered, not continued"):
        openness(pair, get("instruct"))
    for wrong in ({"prompts": 0}, {"new_tokens": 0}):
        with pytest.raises(ValueError, match="at least 1"):
            openness(pair, CATS, **wrong)


@pytest.mark.slow
def test_tasks_stand_from_low_to_high_entropy() -> None:
    """Neighbours may swap with other numbers; what stands first leaves the target far less to choose from than what stands last."""
    low, high = (
        [openness(stories(), get(name), prompts=12, new_tokens=24).entropy.mean for name in some]
        for some in (("stories", "code", "dialogue"), ("verse", "scripture", "austen"))
    )
    assert max(low) + 0.3 < min(high)
    assert high == sorted(high)
