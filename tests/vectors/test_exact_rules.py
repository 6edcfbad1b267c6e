"""The exact rules against the independent reference, and every rule of the package against the vectors."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from specdemo.auditor.vectors.check import check
from specdemo.auditor.vectors.dice import Dice, recipe_law
from specdemo.auditor.vectors.exact_rules import LENIENCE, Laws, exactly, rules
from specdemo.auditor.vectors.generate import decide
from specdemo.auditor.vectors.hand_made import MODEL_C_TABLE, hand_made
from specdemo.auditor.vectors.laws import ExactLaw, difference, law_of
from specdemo.auditor.vectors.load import FOLDER, load
from specdemo.auditor.vectors.record import Recipe, Vector
from specdemo.auditor.vectors.subject import subject_of
from specdemo.verifiers import get
from tests import reference


@pytest.fixture(scope="module")
def vectors() -> Sequence[Vector]:
    return load()


def as_reference(laws: Laws) -> list[reference.Law]:
    return [law.fractions() for law in laws]


@pytest.mark.parametrize("rule", ["token", "block"])
def test_coins_weights_and_laws_are_the_references(vectors: Sequence[Vector], rule: str) -> None:
    for vector in vectors:
        case = vector.case
        if case.rule != rule or isinstance(case.rows, Recipe):
            continue
        said = reference.RULES[rule](case.tokens, as_reference(case.draft), as_reference(case.target))
        exact = exactly(rule, case.tokens, case.draft, case.target)
        assert list(vector.expected.accept_prob) == said.coins, case.name
        assert list(vector.expected.prefix_weight) == said.weights, case.name
        for i, law in enumerate(said.next_laws):
            assert exact.next_law(i).law.fractions() == law, f"{case.name} at τ = {i}"
        assert vector.expected.next_law == dict(enumerate(said.next_laws[vector.expected.accepted])), case.name


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
@pytest.mark.parametrize("rule", list(rules()))
def test_the_packages_rules_pass(vectors: Sequence[Vector], rule: str, dtype: str) -> None:
    report = check(subject_of(rule, get(rule)), rule, vectors, dtype)
    assert report.passed, [failure.to_json() for failure in report.failures]
    total = sum(vector.case.rule == rule for vector in vectors)
    assert report.ran + sum(report.skipped.values()) == total
    assert report.ran > (0.4 if dtype == "float16" else 0.95) * total


def test_the_first_emitted_token_follows_the_target_exactly() -> None:
    """The law of what one block emits first, averaged over drafts: in fractions, so that equal means equal."""
    draft = [law_of(["1/2", "1/3", "1/6"]), law_of(["0", "1/4", "3/4"])]
    target = [law_of(["1/6", "1/3", "1/2"]), law_of(["2/5", "2/5", "1/5"]), law_of(["1", "0", "0"])]
    for rule in ("token", "block", "greedy_block", "sampled_match"):
        first = [Fraction(0)] * 3
        for a in draft[0].support:
            for b in draft[1].support:
                exact = exactly(rule, (a, b), draft, target)
                fails = [1 - coin.chance for coin in exact.coins]
                mass, none_kept = draft[0][a] * draft[1][b], fails[0] * (fails[1] if exact.last_wins else 1)
                first[a] += mass * (1 - none_kept)
                first = [
                    sofar + mass * none_kept * p
                    for sofar, p in zip(first, exact.next_law(0).law.fractions(), strict=True)
                ]
        assert first == target[0].fractions(), rule


def test_the_table_of_model_c() -> None:
    cases = {case.name: case for case in hand_made()}
    for rule, kept in {"token": [2, 1, 2, 1, 0, 0], "block": [2, 0, 1, 1, 2, 0]}.items():
        found = [decide(cases[f"{rule}-model-c-{i}"]) for i in range(1, len(MODEL_C_TABLE) + 1)]
        assert [vector.expected.accepted for vector in found] == kept
    assert decide(cases["block-model-c-3"]).expected.next_law == {0: 0, 1: 1, 2: 0}


def test_integer_laws_are_fractions() -> None:
    target, draft, scale = law_of(["1/2", "0", "1/2"]), law_of(["1/3", "1/3", "1/3"]), Fraction(2, 3)
    left = difference(scale, target, draft)
    signed = [scale * t - d for t, d in zip(target.fractions(), draft.fractions(), strict=True)]
    assert left.mass == sum(p for p in signed if p > 0) and left.below == -sum(p for p in signed if p < 0)
    assert left.touching == (0, 2) and left.law() is None
    assert ExactLaw((2, 4)).same_as(ExactLaw((1, 2)))
    with pytest.raises(ValueError, match="is not a law"):
        law_of(["1/2", "1/3"])
    assert float(LENIENCE) == get("lenience").lenience  # type: ignore[attr-defined]


def test_recipes_give_laws_of_the_stated_weights() -> None:
    draft, target = recipe_law(77000, 0, 32000)
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert f"draft weights sum to {draft.total:,}, target weights to {target.total:,}" in readme
    assert f"have draft weights {', '.join(map(str, draft.weights[:5]))}." in readme
    dice = Dice(3)
    thrown = np.bincount([dice.below(6) for _ in range(6000)], minlength=6)
    assert thrown.min() > 850 and thrown.max() < 1150
