"""Every mistake around a rule is caught by a named assertion that the right parts pass."""

from __future__ import annotations

from typing import Any

import pytest

from specdemo.decoding.cached import CachedModel
from specdemo.decoding.laws import LawMaker
from specdemo.decoding.loop import commit
from specdemo.decoding.uniforms import PhiloxUniforms
from tests import loop_assertions as must
from tests.loop_mutants import LOOP_DISTANCES, LOOP_MUTANTS
from tests.tiny import tiny_llama
from tests.toy_models import three_symbols
from tests.wrong_parts import GREEDY

CLEARLY = 1e-3


@pytest.mark.parametrize("mistake", LOOP_MUTANTS)
def test_mutants_are_caught(mistake: str) -> None:
    # pytest.raises inside an assertion reports a missing error with its own exception, an AssertionError's sibling.
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        LOOP_MUTANTS[mistake]()


@pytest.mark.parametrize("mistake", LOOP_DISTANCES)
def test_wrong_laws_deviate_clearly(mistake: str) -> None:
    assert LOOP_DISTANCES[mistake]() > CLEARLY


@pytest.mark.parametrize("processing", [{}, {"temperature": 0.5}, {"top_k": 2}, {"draft_processing": GREEDY}], ids=str)
def test_the_loop_and_its_drafter_pass(processing: dict[str, Any]) -> None:
    world = three_symbols(**processing)
    must.assert_loop_law(lambda w: w.loop("block", 2), world, "block")
    must.assert_draft_rows_are_what_was_sampled(lambda w: w.loop("block", 2).drafter, world)


def test_the_cache_passes() -> None:
    must.assert_cache_consistent(CachedModel, tiny_llama(8, seed=3, layers=2))


def test_the_laws_pass() -> None:
    must.assert_both_models_are_processed_alike(LawMaker)
    must.assert_laws_have_full_mass(LawMaker)
    must.assert_broken_logits_are_refused(LawMaker)


def test_the_uniforms_pass() -> None:
    must.assert_uniforms_are_all_different(PhiloxUniforms)
    must.assert_seed_zero_repeats(PhiloxUniforms)
    must.assert_loop_uses_every_uniform_once(lambda w: w.loop("block", 2), three_symbols())


def test_the_commit_passes() -> None:
    must.assert_text_ends_at_its_end(commit)
