"""Laws from logits: transformers' own warpers and a softmax in float64, for both models alike."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import torch
from transformers import LogitsProcessorList, TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

from specdemo.decoding.cached import CachedModel
from specdemo.decoding.drafters import ModelDrafter
from specdemo.decoding.laws import LawMaker, NonFiniteLogits, Processing
from tests.tiny import tiny_llama
from tests.toy_models import processed

EXACT = 1e-12
SETTINGS = list(itertools.product((0.2, 1.0, 1.9), (0, 1, 3, 50), (1.0, 0.9, 0.3)))


def random_logits(seed: int, rows: int = 6, size: int = 12) -> torch.Tensor:
    """Logits of ordinary size, in float64."""
    return torch.tensor(np.random.default_rng(seed).normal(0, 3, (rows, size)))


@pytest.mark.parametrize(("temperature", "top_k", "top_p"), SETTINGS)
def test_laws_are_those_of_transformers(temperature: float, top_k: int, top_p: float) -> None:
    logits = random_logits(0)
    warpers = LogitsProcessorList([TemperatureLogitsWarper(temperature)])
    if top_k:
        warpers.append(TopKLogitsWarper(top_k))
    if top_p < 1:
        warpers.append(TopPLogitsWarper(top_p))
    expected = torch.softmax(warpers(None, logits), dim=1).numpy()
    found = LawMaker(Processing(temperature, top_k, top_p), 12)(logits, "target", 0)
    assert np.abs(found - expected).max() < EXACT
    assert ((found > 0) == (expected > 0)).all()


@pytest.mark.parametrize(("temperature", "top_k", "top_p"), SETTINGS)
def test_laws_are_those_of_plain_python(temperature: float, top_k: int, top_p: float) -> None:
    logits = random_logits(1)
    found = LawMaker(Processing(temperature, top_k, top_p), 12)(logits, "draft", 0)
    expected = [processed(row, temperature, top_k, top_p) for row in logits.tolist()]
    assert np.abs(found - expected).max() < EXACT


def test_a_batch_of_rows_is_processed_row_by_row() -> None:
    """The target's γ+1 rows come together, the draft's one by one: the same logits give the same law."""
    logits, laws = random_logits(2), LawMaker(Processing(0.7, 5, 0.8), 12)
    one_by_one = np.concatenate([laws(row[None], "draft", i) for i, row in enumerate(logits)])
    assert np.array_equal(laws(logits, "target", 0), one_by_one)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_half_precision_logits_give_laws_that_sum_to_one(dtype: torch.dtype) -> None:
    logits = random_logits(3).to(dtype)
    laws = LawMaker(Processing(), 12)(logits, "draft", 0)
    assert laws.dtype == np.float64
    assert np.abs(laws.sum(axis=1) - 1).max() < EXACT
    assert np.abs(laws - torch.softmax(logits.double(), dim=1).numpy()).max() < EXACT


def test_temperature_zero_is_one_hot_at_the_first_highest_logit() -> None:
    logits = torch.tensor([[1.0, 3.0, 3.0, 0.0], [0.0, 0.0, 0.0, 0.0], [-5.0, -4.0, -9.0, -4.5]])
    laws = LawMaker(Processing(temperature=0), 4)(logits, "target", 0)
    assert laws.tolist() == np.eye(4)[[1, 0, 1]].tolist()


@pytest.mark.parametrize("temperature", [1e-3, 1e-10, 1e-307, 5e-324])
def test_the_smallest_temperatures_do_not_overflow(temperature: float) -> None:
    """Logits divided by almost nothing are infinite; the law is still one, close to temperature 0's."""
    logits = random_logits(4)
    laws = LawMaker(Processing(temperature), 12)(logits, "target", 0)
    assert np.abs(laws - LawMaker(Processing(0), 12)(logits, "target", 0)).max() < 1e-9


def test_a_high_temperature_is_almost_uniform() -> None:
    laws = LawMaker(Processing(1e300), 12)(random_logits(5), "target", 0)
    assert np.abs(laws - 1 / 12).max() < 1e-9


@pytest.mark.parametrize(("own", "common"), [(3, 5), (5, 5), (5, 3)])
@pytest.mark.parametrize("processing", [Processing(), Processing(0), Processing(0.5, 2), Processing(1.0, 0, 0.6)])
def test_padding_adds_zeros(own: int, common: int, processing: Processing) -> None:
    logits = random_logits(6, size=own)
    laws = LawMaker(processing, common)(logits, "draft", 0)
    assert laws.shape == (6, max(own, common))
    assert np.abs(laws[:, :own] - LawMaker(processing, own)(logits, "draft", 0)).max() == 0
    assert (laws[:, own:] == 0).all()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_broken_logits_name_the_model_and_the_place(value: float) -> None:
    logits = torch.zeros(3, 4)
    logits[2, 1] = value
    with pytest.raises(NonFiniteLogits, match=rf"the target model gave the logit {value} for token 1 at position 12"):
        LawMaker(Processing(), 4)(logits, "target", 10)
    assert issubclass(NonFiniteLogits, ValueError)


@pytest.mark.parametrize("size", [8, 9])
def test_a_draft_that_breaks_on_its_way_is_named(size: int) -> None:
    """The logits of a block are looked at together: the first that is not finite is named, whatever was drawn after it."""
    model = tiny_llama(8, seed=1, spread=0.4)
    drafter = ModelDrafter(CachedModel(model), LawMaker(Processing(), size), size)
    law = drafter.propose([1, 2], 1, np.array([0.5]))[1][0]
    with torch.no_grad():
        model.model.embed_tokens.weight[3] = float("nan")
    ids, draws_3 = [1, 2], float(law[:3].sum() + law[3] / 2)
    with pytest.raises(NonFiniteLogits, match="the draft model gave the logit nan for token 0 at position 3"):
        drafter.propose(ids, 4, np.array([draws_3, 0.5, 0.5, 0.5]))
    assert ids == [1, 2]


@pytest.mark.parametrize("size", [3, 2048, 49_152])
def test_running_sums_are_those_of_the_sampler(size: int) -> None:
    """The drafter lets PyTorch add the law up: to the bit what NumPy's sampler adds up."""
    law = np.random.default_rng(size).dirichlet(np.full(size, 0.1))
    assert np.array_equal(torch.from_numpy(law)[None].cumsum(1)[0].numpy(), np.add.accumulate(law))


def test_laws_written_row_by_row_are_those_of_all_rows() -> None:
    for processing in (Processing(), Processing(0.7, 5, 0.8), Processing(0.0)):
        for own in (12, 9):
            logits, maker = random_logits(2, size=own), LawMaker(processing, 12)
            written = torch.full((6, 12), -1.0, dtype=torch.float64)
            for i, row in enumerate(written):
                maker.write(logits[i, None].requires_grad_(), row[None])
            assert np.array_equal(written.numpy(), maker(logits.detach(), "draft", 0))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"temperature": -0.1}, r"temperature must be a finite number ≥ 0, got -0.1"),
        ({"temperature": float("nan")}, r"temperature must be a finite number ≥ 0, got nan"),
        ({"temperature": float("inf")}, r"temperature must be a finite number ≥ 0, got inf"),
        ({"top_k": -1}, r"top_k must be an integer ≥ 0 \(0 is off\), got -1"),
        ({"top_k": 1.5}, r"top_k must be an integer ≥ 0 \(0 is off\), got 1.5"),
        ({"top_k": True}, r"top_k must be an integer ≥ 0 \(0 is off\), got True"),
        ({"top_p": 0.0}, r"top_p must be in \(0, 1\] \(1 is off\), got 0.0"),
        ({"top_p": 1.1}, r"top_p must be in \(0, 1\] \(1 is off\), got 1.1"),
        ({"top_p": float("nan")}, r"top_p must be in \(0, 1\] \(1 is off\), got nan"),
    ],
)
def test_a_wrong_setting_is_named(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Processing(**settings)


def test_all_off_means_no_warpers() -> None:
    assert not Processing().warpers()
    assert [type(w).__name__ for w in Processing(0.5, 3, 0.9).warpers()] == [
        "TemperatureLogitsWarper", "TopKLogitsWarper", "TopPLogitsWarper",
    ]  # fmt: skip
