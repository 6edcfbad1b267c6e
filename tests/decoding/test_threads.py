"""The thread count of a pair: one for small models, and for larger ones what a trial says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

from specdemo.decoding import threads
from specdemo.decoding.threads import faster_threads, use_fitting_threads
from specdemo.pairs import weights
from tests.tiny import tiny_pair


@pytest.fixture(autouse=True)
def threads_put_back() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def clock_of(costs: dict[int, float]) -> Callable[[], float]:
    """A clock that goes on, at every look, by what the present number of threads costs."""
    now = [0.0]

    def clock() -> float:
        now[0] += costs[torch.get_num_threads()]
        return now[0]

    return clock


@pytest.mark.parametrize(("costs", "chosen"), [({1: 1.0, 2: 0.6}, 2), ({1: 1.0, 2: 4.0}, 1), ({1: 1.0, 2: 1.0}, 1)])
def test_the_faster_number_is_taken(costs: dict[int, float], chosen: int) -> None:
    assert faster_threads(tiny_pair().target_model, 2, clock_of(costs)) == chosen


def test_a_small_pair_uses_one_thread() -> None:
    torch.set_num_threads(2)
    assert use_fitting_threads(tiny_pair()) == 1 == torch.get_num_threads()


def test_a_large_pair_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pair, tried = tiny_pair(), list[int]()
    monkeypatch.setattr(weights, "SMALL_MODEL", 10)
    monkeypatch.setattr(weights, "_AVAILABLE_THREADS", 3)

    def trial(model: Any, most: int) -> int:
        tried.append(most)
        return most

    monkeypatch.setattr(threads, "faster_threads", trial)
    for _ in range(2):
        torch.set_num_threads(1)
        assert use_fitting_threads(pair) == 3 == torch.get_num_threads()
    assert tried == [3]
