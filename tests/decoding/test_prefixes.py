"""Beginnings that were read before: the same bits as reading them anew, no more bytes than allowed, no weights mixed up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch

from specdemo.decoding import lean
from specdemo.decoding.cached import CachedModel
from specdemo.decoding.lean_weights import lean_weights_of
from specdemo.decoding.prefixes import PIECE, Prefixes
from tests.decoding.test_lean import assert_same_rows, small_llama

TEXT = [(7 * i + i * i) % 61 for i in range(2 * PIECE + 60)]


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[Prefixes]:
    """A store of its own, empty."""
    store = Prefixes()
    monkeypatch.setattr(lean, "prefixes", store)
    yield store


@pytest.fixture(scope="module")
def model() -> Any:
    return small_llama()


def told(model: Any, ids: list[int], count: int, monkeypatch: pytest.MonkeyPatch) -> tuple[torch.Tensor, list[int]]:
    """The rows by a new cache, and how many tokens each pass was fed."""
    fed: list[int] = []
    run = lean.LeanForward._pass

    def counted(self: lean.LeanForward, part: list[int]) -> torch.Tensor:
        fed.append(len(part))
        return run(self, part)

    with monkeypatch.context() as patched:
        patched.setattr(lean.LeanForward, "_pass", counted)
        return CachedModel(model).rows(ids, count), fed


def test_what_is_remembered_gives_the_same_bits(model: Any, fresh: Prefixes, monkeypatch: pytest.MonkeyPatch) -> None:
    anew, fed = told(model, TEXT, 5, monkeypatch)
    again, fed_again = told(model, TEXT, 5, monkeypatch)
    assert fed == [PIECE, PIECE, 60] and fed_again == [60]
    assert torch.equal(anew, again)
    # A text that parts from it later shares a piece, and continues as if it had been read alone.
    other = [*TEXT[: PIECE + 9], 5, 5, 5, *TEXT[:PIECE]]
    shared, fed = told(model, other, 3, monkeypatch)
    assert fed[0] == PIECE and len(fed) == 2
    fresh.clear()
    alone, fed = told(model, other, 3, monkeypatch)
    assert len(fed) == 3 and torch.equal(shared, alone)


def test_a_piece_is_known_only_behind_the_same_tokens(
    model: Any, fresh: Prefixes, monkeypatch: pytest.MonkeyPatch
) -> None:
    told(model, TEXT, 5, monkeypatch)
    other = [*TEXT[PIECE - 1 :: -1], *TEXT[PIECE:]]
    behind, fed = told(model, other, 5, monkeypatch)
    assert fed == [PIECE, PIECE, 60]
    fresh.clear()
    assert torch.equal(behind, told(model, other, 5, monkeypatch)[0])


def test_a_run_goes_on_after_a_shared_beginning(model: Any, fresh: Prefixes) -> None:
    """Its cache is its own: steps back, other tokens and growing beyond the first room leave what is shared alone."""
    questions = [(TEXT, 5), ([*TEXT[:200], 3], 1), (TEXT[:100], 1), ([*TEXT, *TEXT], 4), (TEXT, 7)]
    for _ in range(2):
        assert_same_rows(CachedModel(model), CachedModel(model, lean=False), questions)


def test_a_short_text_is_read_in_one_pass_and_not_kept(
    model: Any, fresh: Prefixes, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told(model, TEXT[: PIECE + 4], 5, monkeypatch)[1] == [
        PIECE,
        4,
    ]  # the first asked row lies in the first piece
    assert told(model, TEXT[:PIECE], 1, monkeypatch)[1] == [PIECE]
    assert fresh.bytes == 0


def test_other_weights_are_another_text(fresh: Prefixes) -> None:
    model = small_llama()
    before = CachedModel(model).rows(TEXT)
    with torch.no_grad():
        model.model.layers[0].self_attn.q_proj.weight.mul_(2.0)
    changed = CachedModel(model).rows(TEXT)
    assert float((changed - before).abs().max()) > 1e-3
    fresh.clear()
    assert torch.equal(CachedModel(model).rows(TEXT), changed)


def test_bytes_are_bounded_and_the_least_used_goes_first() -> None:
    states = torch.zeros(1, 2, 4, 8)
    store, name = Prefixes(most_bytes=3 * states.nbytes), object()
    for token in range(3):
        store.keep(name, [token], states.clone())
    assert store.get(name, [0]) is not None  # used again: 1 is now the oldest
    store.keep(name, [3], states.clone())
    assert [store.get(name, [token]) is not None for token in range(4)] == [True, False, True, True]
    assert store.bytes == 3 * states.nbytes
    store.keep(name, [3], states.clone())
    assert store.bytes == 3 * states.nbytes
    store.keep(name, [9], torch.zeros(100, 100))  # larger than everything
    assert store.get(name, [9]) is None and store.get(object(), [0]) is None
    assert [store.get(name, [token]) is not None for token in range(4)] == [True, False, True, True], (
        "nothing went for it"
    )
    store.clear()
    assert store.bytes == 0


def test_forwards_of_one_model_share_a_name() -> None:
    one, other = small_llama(), small_llama()
    weights = [lean_weights_of(m) for m in (one, one, other)]
    assert weights[0] is weights[1] and weights[0] is not None and weights[2] is not None
    assert weights[0].name is not weights[2].name
