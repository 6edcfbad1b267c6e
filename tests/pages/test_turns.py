"""The fair lock: one at a time, in the order of asking."""

from __future__ import annotations

import threading
import time

import pytest
import torch

from specdemo.decoding import threads
from specdemo.pages.turns import PairTurn, Turns
from specdemo.pairs import weights
from tests.tiny import tiny_pair


def test_who_waits_comes_before_who_had_it_last() -> None:
    turns, order = Turns(), []
    going = threading.Event()

    def again_and_again() -> None:
        while not going.is_set():
            with turns:
                order.append("often")
                time.sleep(0.001)

    thread = threading.Thread(target=again_and_again)
    thread.start()
    while len(order) < 5:
        time.sleep(0.001)
    for _ in range(20):
        before = len(order)
        with turns:
            order.append("once")
        # At most the one that has the turn, and one that asked before, come first.
        assert order[before:].index("once") <= 2
    going.set()
    thread.join()


def test_one_at_a_time() -> None:
    turns, inside, most = Turns(), 0, 0

    def work() -> None:
        nonlocal inside, most
        for _ in range(50):
            with turns:
                inside += 1
                most = max(most, inside)
                time.sleep(0)
                inside -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_a_wait_can_be_given_up_and_others_still_get_their_turn() -> None:
    turns = Turns()
    assert turns.acquire()
    assert not turns.acquire(timeout=0.02)
    got = []
    thread = threading.Thread(target=lambda: got.append(turns.acquire(timeout=5)))
    thread.start()
    assert not turns.acquire(timeout=0.02)
    turns.release()
    thread.join()
    assert got == [True]
    turns.release()
    with pytest.raises(RuntimeError, match="nobody has"):
        turns.release()


def test_every_turn_has_the_threads_of_its_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """In whichever thread: PyTorch counts for each of them, and the turn before may have been another pair's."""
    small, large, turns = tiny_pair(), tiny_pair(), Turns()
    monkeypatch.setattr(weights, "weight_count", lambda model: 10**8 if model is large.target_model else 10**3)
    monkeypatch.setattr(weights, "_AVAILABLE_THREADS", 2)
    monkeypatch.setattr(threads, "faster_threads", lambda model, most: most)
    seen: list[tuple[str, int]] = []

    def work() -> None:
        for name, pair in (("small", small), ("large", large), ("small", small)):
            with PairTurn(turns, pair):
                seen.append((name, torch.get_num_threads()))

    before = torch.get_num_threads()
    try:
        thread = threading.Thread(target=work)
        thread.start()
        work()
        thread.join()
    finally:
        torch.set_num_threads(before)
    assert sorted(seen) == [("large", 2)] * 2 + [("small", 1)] * 4
    assert turns.acquire(timeout=0)


def test_a_turn_that_cannot_begin_is_given_back() -> None:
    turns = Turns()
    with pytest.raises(AttributeError), PairTurn(turns, None):  # type: ignore[arg-type]
        pass
    assert turns.acquire(timeout=0)
