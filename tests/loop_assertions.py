"""What the parts around a rule must do, as named assertions: the right parts pass, every mutant of `tests/loop_mutants.py` fails one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import torch

from specdemo.decoding.cached import CachedModel
from specdemo.decoding.drafters import Drafter
from specdemo.decoding.laws import LawMaker, NonFiniteLogits, Processing
from specdemo.decoding.loop import BlockLoop
from specdemo.decoding.uniforms import UniformSource
from tests.loop_law import loop_distance
from tests.toy_models import ToyWorld, plain_logits

EXACT = 1e-12
CACHED = 1e-9

MakeUniforms = Callable[[int], UniformSource]
MakeLaws = Callable[[Processing, int], LawMaker]
MakeLoop = Callable[[ToyWorld], BlockLoop]
Commit = Callable[[Sequence[int], frozenset[int], int], tuple[tuple[int, ...], Any]]


def assert_loop_law(make: MakeLoop, world: ToyWorld, rule: str) -> None:
    """One block of the loop, filled up from the target, writes the target's law."""
    found = loop_distance(make(world), rule, world)
    assert found < EXACT, f"distance {found}"


def assert_draft_rows_are_what_was_sampled(make: Callable[[ToyWorld], Drafter], world: ToyWorld) -> None:
    """Token i is the cell of the returned row i in which its uniform lies: the row that is verified is the row that was drawn from."""
    drafter = make(world)
    _, laws = drafter.propose(list(world.prompt), 1, np.array([0.5]))
    below = 0.0
    for token, p in enumerate(laws[0].tolist()):
        if p > 1e-9:
            for part in (0.01, 0.5, 0.99):
                tokens, again = drafter.propose(list(world.prompt), 2, np.array([below + part * p, 0.5]))
                assert tokens[0] == token, f"{below + part * p} drew {tokens[0]}, its cell belongs to {token}"
                assert np.abs(again[0] - laws[0]).max() < CACHED
                first_cell = float(again[1, : tokens[1]].sum())
                assert first_cell <= 0.5 < first_cell + again[1, tokens[1]]
        below += p


# The questions a run asks, as (what is asked, ids, count): the caches must answer as if they had just been made.
_TEXT = [1, 5, 2, 0, 7, 3, 3, 0, 6, 4, 2, 2, 5, 1, 0, 0, 7]
QUESTIONS: list[tuple[str, list[int], int]] = [
    ("prompt", _TEXT[:5], 1),
    ("one more token", _TEXT[:6], 1),
    ("a block of three", _TEXT[:9], 4),
    ("rejected at the first", [*_TEXT[:6], 1], 1),
    ("a block again", [*_TEXT[:6], 1, 2, 3, 4], 4),
    ("rejected at the second", [*_TEXT[:6], 1, 2, 0], 1),
    ("a third block", [*_TEXT[:6], 1, 2, 0, 5, 6, 7], 4),
    ("rejected at the third", [*_TEXT[:6], 1, 2, 0, 5, 6, 0], 1),
    ("fully accepted: two tokens it has not seen", [*_TEXT[:6], 1, 2, 0, 5, 6, 0, 3, 4], 1),
    ("the same question again", [*_TEXT[:6], 1, 2, 0, 5, 6, 0, 3, 4], 1),
    ("more rows of it", [*_TEXT[:6], 1, 2, 0, 5, 6, 0, 3, 4], 5),
    ("a shorter text, its beginning", [*_TEXT[:6], 1, 2], 1),
    ("an early part of it, all rows", _TEXT[:3], 3),
    ("another text: nothing in common", [0, 0, 1, 2], 1),
    ("resumed far behind", _TEXT, 1),
    ("the last token alone is another", [*_TEXT[:-1], 1], 2),
    ("one id only", [0], 1),
    ("that id and the whole text", [0, *_TEXT], len(_TEXT) + 1),
]


def assert_cache_consistent(kind: Callable[[Any], CachedModel], model: Any, within: float = CACHED) -> None:
    """After every kind of rollback the rows are those of one pass over the whole text without a cache."""
    cached = kind(model)
    for what, ids, count in QUESTIONS:
        rows = cached.rows(ids, count)
        expected = plain_logits(model, ids)[-count:]
        assert rows.shape == expected.shape, what
        assert float((rows - expected).abs().max()) < within, what


def assert_cache_consistent_in_any_order(
    kind: Callable[[Any], CachedModel], model: Any, seed: int = 0, within: float = CACHED
) -> None:
    """The same for a random walk of accepting, rejecting and jumping."""
    rng = np.random.default_rng(seed)
    cached, ids = kind(model), [1]
    for step in range(60):
        length = int(rng.integers(1, len(ids) + 1)) if rng.random() < 0.5 else len(ids)
        ids = [*ids[:length], *rng.integers(0, 8, int(rng.integers(0, 5))).tolist()][:30]
        count = int(rng.integers(1, min(len(ids), 5) + 1))
        expected = plain_logits(model, ids)[-count:]
        assert float((cached.rows(ids, count) - expected).abs().max()) < within, f"step {step}"


def assert_both_models_are_processed_alike(make: MakeLaws) -> None:
    """The same logits become the same law, whichever model they come from, and not the unprocessed one."""
    logits = torch.tensor([[2.0, 1.0, 0.0, -1.0]], dtype=torch.float64)
    for processing in (Processing(temperature=0.5), Processing(top_k=2), Processing(top_p=0.7), Processing(0.0)):
        laws = make(processing, 4)
        draft, target = laws(logits, "draft", 0), laws(logits, "target", 0)
        assert np.array_equal(draft, target)
        assert np.abs(target - torch.softmax(logits, dim=1).numpy()).max() > 0.05


def assert_laws_have_full_mass(make: MakeLaws) -> None:
    """Padding to the common vocabulary adds zeros and takes no mass away, from whichever model is the larger."""
    rng = np.random.default_rng(0)
    for own, common in ((3, 5), (5, 5), (5, 3)):
        logits = torch.tensor(rng.normal(size=(4, own)))
        laws = make(Processing(), common)(logits, "target", 0)
        expected = torch.softmax(logits, dim=1).numpy()
        assert laws.shape == (4, max(own, common))
        assert np.abs(laws[:, :own] - expected).max() < EXACT and (laws[:, own:] == 0).all()


def assert_broken_logits_are_refused(make: MakeLaws) -> None:
    """NaN and infinite logits are an error that names the model, the token and the place in the text."""
    for processing in (Processing(), Processing(0.0), Processing(top_k=1)):
        for value in (float("nan"), float("inf"), float("-inf")):
            logits = torch.zeros(3, 4)
            logits[1, 2] = value
            with pytest.raises(
                NonFiniteLogits, match=rf"the draft model gave the logit {value} for token 2 at position 8"
            ):
                make(processing, 4)(logits, "draft", 7)


def assert_uniforms_are_all_different(make: MakeUniforms) -> None:
    """No uniform is used twice, neither within a block nor by another block or seed; and they are not all small or large."""
    values = [
        u
        for seed in range(4)
        for block in range(30)
        for u in (*make(seed).draft(block, 5), *make(seed).verify(block, 5))
    ]
    assert len(set(values)) == len(values)
    assert 0.45 < float(np.mean(values)) < 0.55


def assert_seed_zero_repeats(make: MakeUniforms) -> None:
    """Seed 0 is a seed: two runs with it are the same run, and another one than with seed 1."""
    first, second, other = (make(seed).verify(3, 4).tolist() for seed in (0, 0, 1))
    assert first == second != other


def assert_loop_uses_every_uniform_once(make: MakeLoop, world: ToyWorld) -> None:
    """Over a run of many blocks, no two draws are driven by the same uniform."""
    loop, ids, used = make(world), list(world.prompt), []
    for index in range(12):
        step = loop.block(ids, index, None, 1000)
        ids += step.committed
        used += [*step.draft_uniforms.tolist(), *step.verify_uniforms.tolist()]
    assert len(set(used)) == len(used)


def assert_text_ends_at_its_end(commit: Commit) -> None:
    """The first end-of-text token is the last of the text, wherever in the block it is and whatever its id."""
    assert commit([5, 2, 7, 2], frozenset([2]), 10) == ((5, 2), "eos")
    assert commit([2, 5], frozenset([2]), 10) == ((2,), "eos")
    assert commit([5, 0, 7], frozenset([0]), 10) == ((5, 0), "eos")
    assert commit([5, 9, 2], frozenset([2, 9]), 10) == ((5, 9), "eos")
    assert commit([5, 0, 7], frozenset([2]), 10) == ((5, 0, 7), None)
    assert commit([5, 0, 7], frozenset(), 10) == ((5, 0, 7), None)
    assert commit([5, 6, 7], frozenset([2]), 3) == ((5, 6, 7), "length")
    assert commit([5, 6, 2], frozenset([2]), 2) == ((5, 6), "length")
    assert commit([5, 2, 7], frozenset([2]), 2) == ((5, 2), "eos")
