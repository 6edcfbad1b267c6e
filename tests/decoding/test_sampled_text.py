"""Sampled continuations of the embedded pair against the exact law of the target: χ² over the first two tokens."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pytest
import torch
from scipy.stats import chi2

from specdemo.arrays import FloatArray
from specdemo.decoding.drafters import ModelDrafter
from specdemo.decoding.laws import LawMaker, Processing
from specdemo.decoding.loop import BlockLoop
from specdemo.decoding.uniforms import PhiloxUniforms
from specdemo.verifiers import Verifier, get
from tests.mutants import RULE_MUTANTS
from tests.stories import stories
from tests.toy_models import RememberingModel, processed

PROMPT = "Once upon a time there was a"
Cell = tuple[int, int]
OTHER = -1


class RememberingLaws(LawMaker):
    """Laws of rows that were asked before are not computed again; the models keep the rows."""

    def __init__(self, processing: Processing, vocab_size: int) -> None:
        super().__init__(processing, vocab_size)
        self._answers: dict[int, FloatArray] = {}
        self._written: dict[int, torch.Tensor] = {}

    def write(self, logits: torch.Tensor, law: torch.Tensor) -> None:
        if id(logits) not in self._written:
            super().write(logits, law)
            self._written[id(logits)] = law.clone()
        law.copy_(self._written[id(logits)])

    def __call__(self, logits: torch.Tensor, model: str, first_position: int) -> FloatArray:
        if id(logits) not in self._answers:
            self._answers[id(logits)] = super().__call__(logits, model, first_position)
        return self._answers[id(logits)]


class Sampler:
    """Two-token continuations of one prompt. Models and laws answer every question once; rule, caches and uniforms are the loop's own.

    `hot_target`: the drafts come from the target itself at double the temperature. Any draft will do for the law, and from this one
    every mistake shows, however good or bad the pair's own drafts are.
    """

    def __init__(
        self, draft: str, settings: dict[str, Any], gamma: int, hot_target: bool = False, prompt: str = PROMPT
    ) -> None:
        self.pair = stories(draft)
        self.settings = settings
        self.prompt = self.pair.encode(prompt).ids
        self._gamma = gamma
        size, own = self.pair.vocab_size, Processing(**settings)
        hot = Processing(**settings | {"temperature": 2 * settings.get("temperature", 1.0)})
        self._target = RememberingModel(self.pair.target_model)
        self._laws = RememberingLaws(own, size)
        model = self.pair.target_model if hot_target else self.pair.draft_model
        self._drafter = ModelDrafter(RememberingModel(model), RememberingLaws(hot if hot_target else own, size), size)

    def counts(self, rule: Verifier, runs: int) -> Counter[Cell]:
        """How often each pair of first tokens was written, seeds 0 … runs−1."""
        loop = BlockLoop(
            self._drafter, self._target, self._laws, rule, PhiloxUniforms(0), self._gamma, frozenset(), 512
        )
        counts: Counter[Cell] = Counter()
        for seed in range(runs):
            loop.uniforms, loop.gamma = PhiloxUniforms(seed), self._gamma
            new = list(loop.block(self.prompt, 0, None, 2).committed)
            if len(new) < 2:
                loop.gamma = 1  # one token is missing: fewer questions, the same law
                new += loop.block([*self.prompt, *new], 1, None, 1).committed
            counts[new[0], new[1]] += 1
        return counts

    def law(self, smallest: float) -> tuple[list[float], dict[int, list[float]]]:
        """T of the first token, and of the second after every first token of at least this probability: whole texts, no cache."""
        first = self._exact([self.prompt])[0]
        likely = [v for v, p in enumerate(first) if p >= smallest]
        return first, dict(zip(likely, self._exact([[*self.prompt, v] for v in likely]), strict=True))

    def _exact(self, texts: list[list[int]]) -> list[list[float]]:
        with torch.no_grad():
            logits = self.pair.target_model(input_ids=torch.tensor(texts), use_cache=False).logits[:, -1]
        return [processed(row, **self.settings) for row in logits.double().tolist()]

    def p_value(self, rule: Verifier, runs: int) -> float:
        """The probability of so large a χ², or a larger one, if the texts follow the target.

        Cells expected fewer than five times are pooled with the others of the same first token, and if that is not enough, with all.
        """
        counts, smallest = self.counts(rule, runs), 5 / runs
        first, second = self.law(smallest)
        expected: dict[Cell, float] = defaultdict(float)
        cell_of: dict[Cell, Cell] = {}
        for x, law in second.items():
            own = [y for y, p in enumerate(law) if first[x] * p >= smallest]
            rest = first[x] * (1 - sum(law[y] for y in own))
            pool = (x, OTHER) if rest >= smallest else (OTHER, OTHER)
            cell_of |= {(x, y): (x, y) for y in own} | {(x, OTHER): pool}
            expected |= {(x, y): runs * first[x] * law[y] for y in own}
            expected[pool] += runs * rest
        expected[OTHER, OTHER] += runs * (1 - sum(first[x] for x in second))
        observed: Counter[Cell] = Counter()
        for (x, y), count in counts.items():
            observed[cell_of.get((x, y), cell_of.get((x, OTHER), (OTHER, OTHER)))] += count
        if expected[OTHER, OTHER] < 5:  # too little for a cell of its own: to the largest
            largest = max(expected, key=lambda cell: expected[cell])
            expected[largest] += expected.pop((OTHER, OTHER))
            observed[largest] += observed.pop((OTHER, OTHER), 0)
        assert abs(sum(expected.values()) - runs) < 1e-6 * runs and sum(observed.values()) == runs
        assert len(expected) >= 10, "too few cells to tell anything"
        statistic = sum((observed[cell] - mass) ** 2 / mass for cell, mass in expected.items())
        return float(chi2.sf(statistic, len(expected) - 1))


@pytest.fixture(scope="module")
def hot() -> Sampler:
    return Sampler("192", {"top_k": 12}, gamma=2, hot_target=True, prompt="The fox")


@pytest.fixture(scope="module")
def sampler() -> Sampler:
    return Sampler("192", {"temperature": 0.8, "top_k": 8}, gamma=2)


@pytest.mark.parametrize("verifier", ["token", "block"])
def test_two_thousand_continuations(sampler: Sampler, verifier: str) -> None:
    assert sampler.p_value(get(verifier), 2000) > 1e-4


def test_two_thousand_continuations_of_hot_drafts(hot: Sampler) -> None:
    assert hot.p_value(get("block"), 2000) > 1e-4


@pytest.mark.parametrize("mistake", ["keeps every drafted token", "break at the first failure"])
def test_so_many_are_enough_to_find_a_mistake(hot: Sampler, mistake: str) -> None:
    assert hot.p_value(RULE_MUTANTS[mistake].rule, 2000) < 1e-6


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draft", "verifier", "settings"),
    [
        ("192", "token", {"top_k": 12}),
        ("192", "block", {"top_k": 12}),
        ("96", "token", {"temperature": 0.5, "top_p": 0.8}),
        ("96", "block", {"temperature": 0.5, "top_p": 0.8}),
        ("192", "block", {"temperature": 1.2, "top_k": 30}),
    ],
)
def test_twenty_thousand_continuations(draft: str, verifier: str, settings: dict[str, Any]) -> None:
    assert Sampler(draft, settings, gamma=2).p_value(get(verifier), 20_000) > 1e-4


def test_the_statistic_of_the_target_itself() -> None:
    """The check itself, without any rule: pairs drawn from the exact law pass, from a slightly different one fail."""
    rng = np.random.default_rng(0)
    first, second = np.array([0.5, 0.3, 0.15, 0.05]), rng.dirichlet(np.ones(4), 4)

    class Known(Sampler):
        def __init__(self, drawn: Any) -> None:
            self._drawn = drawn

        def counts(self, rule: Verifier, runs: int) -> Counter[Cell]:
            places = rng.choice(16, size=runs, p=self._drawn.ravel())
            return Counter((int(i) // 4, int(i) % 4) for i in places)

        def law(self, smallest: float) -> tuple[list[float], dict[int, list[float]]]:
            return first.tolist(), {x: second[x].tolist() for x in range(4)}

    right = first[:, None] * second
    wrong = 0.8 * right + 0.2 * np.full((4, 4), 1 / 16)
    assert Known(right).p_value(get("token"), 2000) > 1e-3
    assert Known(wrong).p_value(get("token"), 2000) < 1e-6
