"""Target calls of a text, exact: against the enumeration of every run of the loop, for all rules that are suited, with and without an end of text."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from specdemo.arrays import FloatArray
from specdemo.lab import sweep_texts
from specdemo.lab.sweep_texts import Text, call_starts, expected_calls, kept_by_text, longest_gamma, suited, text_calls
from specdemo.transport.exact import block_outcomes
from specdemo.transport.trees import as_trees
from specdemo.verifiers import get, names
from tests.worlds import KINDS, Tree, random_trees, rows_along

SUITED = ("token", "block", "sampled_match")
EXACT = 1e-12
Kept = Callable[[str, Text, int], FloatArray]


def texts(draft: Tree, target: Tree, limit: int, eos: int | None) -> Iterator[tuple[Text, float]]:
    """Every text of the target, until an end of text or the limit, with its probability."""
    open_ones: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    while open_ones:
        prefix, mass = open_ones.pop()
        ended = bool(prefix) and prefix[-1] == eos
        if ended or len(prefix) == limit:
            rows = [rows_along(tree, prefix, len(prefix)) for tree in (draft, target)]
            yield Text(np.array(prefix, dtype=np.int64), rows[0], rows[1], ended, limit), mass
            continue
        for symbol, p in enumerate(target[len(prefix)][prefix]):
            if p > 0:
                open_ones.append(((*prefix, symbol), mass * float(p)))


def by_texts(
    rule: str, draft: Tree, target: Tree, limit: int, longest: int, eos: int | None, kept: Kept = kept_by_text
) -> tuple[FloatArray, FloatArray]:
    """E[calls] and E[gained] for γ = 1 … longest, averaged over all texts."""
    calls, gained = np.zeros(longest), np.zeros(longest)
    for text, mass in texts(draft, target, limit, eos):
        found = expected_calls(kept(rule, text, longest))
        calls, gained = calls + mass * found[0], gained + mass * found[1]
    return calls, gained


def by_runs(rule: str, draft: Tree, target: Tree, starts: int, gamma: int, eos: int | None) -> tuple[float, float]:
    """The same for one γ from every run of the rule itself: calls that stand before `starts` in a text that has not ended."""
    drafts, targets, _ = as_trees(draft, target, gamma)
    reached: dict[tuple[int, ...], float] = {(): 1.0}
    calls = gained = 0.0
    while reached:
        prefix, mass = reached.popitem()
        calls += mass
        for emitted, _, probability in block_outcomes(get(rule), drafts, targets, prefix, gamma, None):
            end = emitted.index(eos) + 1 if eos in emitted else len(emitted)
            gained += mass * probability * end
            after = (*prefix, *emitted[:end])
            if eos not in emitted and len(after) < starts:
                reached[after] = reached.get(after, 0.0) + mass * probability
    return calls, gained


def distance(
    kind: str, seed: int, eos: int | None, kept: Kept = kept_by_text, rules: tuple[str, ...] = SUITED
) -> float:
    """The largest difference between the two, for three symbols, calls at two places, γ up to 2."""
    longest, starts = 2, 2
    limit = starts + longest
    draft, target = random_trees(seed, 3, limit + 1, kind)
    worst = 0.0
    for rule in rules:
        calls, gained = by_texts(rule, draft, target, limit, longest, eos, kept)
        for gamma in range(1, longest + 1):
            own = by_runs(rule, draft, target, starts, gamma, eos)
            worst = max(worst, abs(own[0] - calls[gamma - 1]), abs(own[1] - gained[gamma - 1]))
    return worst


@pytest.mark.parametrize("eos", [None, 0])
@pytest.mark.parametrize("kind", KINDS)
def test_calls_and_gains_are_those_of_the_runs_themselves(kind: str, eos: int | None) -> None:
    assert distance(kind, 5, eos) < EXACT


def test_longer_blocks_and_texts() -> None:
    draft, target = random_trees(3, 2, 8, "mixed")
    for rule in SUITED:
        calls, gained = by_texts(rule, draft, target, 7, 4, None)
        for gamma in (1, 3, 4):
            assert (calls[gamma - 1], gained[gamma - 1]) == pytest.approx(
                by_runs(rule, draft, target, 3, gamma, None), abs=EXACT
            )
        assert calls[3] < calls[0] and gained[3] / calls[3] > gained[0] / calls[0]


def test_greedy_decoding_with_exact_match() -> None:
    """At temperature 0 all laws are one-hot, and a rule that is lossless only there is suited."""
    assert suited("exact_match", 0.0) and not suited("exact_match", 1.0)
    draft, target = random_trees(8, 3, 5, "one_hot")
    found = by_texts("exact_match", draft, target, 4, 2, None)
    assert found[0][1] == pytest.approx(by_runs("exact_match", draft, target, 2, 2, None)[0], abs=EXACT)


def test_who_is_suited() -> None:
    assert [rule for rule in names() if suited(rule, 1.0)] == ["token", "block", "sampled_match"]
    assert [rule for rule in names() if suited(rule, 0.0)] == ["token", "block", "sampled_match", "exact_match"]


@pytest.mark.parametrize("rule", [rule for rule in names() if suited(rule, 0.0)])
def test_prefix_weights_do_not_depend_on_the_rest_of_the_block(rule: str) -> None:
    """Why one text gives every γ: whoever registers a rule for which this is not so finds out here."""
    draft, target = random_trees(4, 3, 6, "plain")
    block = (1, 0, 2, 1, 1)

    def weights(gamma: int) -> FloatArray:
        rows = [rows_along(tree, block[:gamma], gamma + more) for tree, more in ((draft, 0), (target, 1))]
        found = get(rule).core_plan(np.array(block[:gamma]), rows[0], rows[1]).prefix_weight
        assert found is not None
        return found

    for gamma in range(1, 5):
        assert np.array_equal(weights(gamma), weights(5)[: gamma + 1])


def test_shorter_blocks_are_cut_from_the_longest() -> None:
    rng = np.random.default_rng(0)
    kept = np.sort(rng.random((6, 5)), axis=1)[:, ::-1]
    kept[:, 0] = 1.0
    calls, gained = expected_calls(kept)
    for gamma in range(1, 5):
        alone = expected_calls(kept[:, : gamma + 1])
        assert (alone[0][-1], alone[1][-1]) == pytest.approx((calls[gamma - 1], gained[gamma - 1]), abs=EXACT)


def test_one_drafted_token_is_the_same_for_token_and_block_on_every_text() -> None:
    draft, target = random_trees(2, 3, 5, "plain")
    for text, _ in texts(draft, target, 4, None):
        found = text_calls(["token", "block"], text, 2)
        assert found["token"]["calls"][0] == found["block"]["calls"][0]


def test_huge_ratios_are_nothing_to_warn_of() -> None:
    """A token that the draft hardly or never offers: R overflows or D is 0, and nothing is kept from there on."""
    tokens = np.zeros(6, dtype=np.int64)
    draft = np.tile([1e-320, 1.0], (6, 1))
    draft[2] = [0.0, 1.0]
    target = np.tile([0.5, 0.5], (6, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for rule in SUITED:
            kept = kept_by_text(rule, Text(tokens, draft, target, False, 6), 3)
            assert np.isfinite(kept).all() and kept[:, 0].tolist() == [1.0] * 3 and kept[:, 1:].max() < 1e-300


def test_how_far_is_looked() -> None:
    assert [longest_gamma(gamma, 64) for gamma in (1, 8, 16, 24, 63, 64)] == [16, 16, 16, 24, 63, 0]
    assert [longest_gamma(4, most) for most in (4, 5, 8, 20, 32, 200)] == [0, 4, 4, 10, 16, 16]
    tokens, laws = np.zeros(5, dtype=np.int64), np.ones((5, 1))
    assert call_starts(Text(tokens, laws, laws, True, 20), 4) == 5
    assert call_starts(Text(tokens, laws, laws, True, 6), 4) == 2, "as many as of a text that did not end"
    assert call_starts(Text(tokens, laws, laws, False, 5), 4) == 1
    assert text_calls(["token"], Text(tokens, laws, laws, False, 5), 5) == {}


def weights_without_ratio(rule: str, text: Text, longest: int) -> FloatArray:
    """Forgets that the text is the target's, not the draft's."""
    kept = kept_by_text(rule, text, longest)
    for t in range(len(kept)):
        drafted = text.draft[np.arange(t, t + longest), text.tokens[t : t + longest]]
        written = text.target[np.arange(t, t + longest), text.tokens[t : t + longest]]
        kept[t, 1:] *= np.cumprod(written / np.maximum(drafted, 1e-300))
    return kept


def next_place(rule: str, text: Text, longest: int) -> FloatArray:
    """Off by one: the call at t is taken for that at t + 1."""
    moved = Text(text.tokens[1:], text.draft[1:], text.target[1:], text.ended, text.limit)
    return np.concatenate([kept_by_text(rule, moved, longest - 1), np.zeros((2, longest))])[:2]


def behind_the_end(rule: str, text: Text, longest: int) -> FloatArray:
    """Lets calls reach over the end of a text as if it went on with certainty."""
    kept = kept_by_text(rule, text, longest)
    for row in kept:
        row[row == 0] = row[row > 0].min()
    return kept


@pytest.mark.parametrize(
    ("mutant", "kind", "eos"),
    [(weights_without_ratio, "plain", None), (next_place, "plain", None), (behind_the_end, "plain", 0)],
)
def test_mistakes_are_noticed(mutant: Kept, kind: str, eos: int | None) -> None:
    assert distance(kind, 5, eos, mutant) > 1e-3


def test_a_rule_that_is_not_suited_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """greedy_block's later blocks are not those of a fresh rule, a lossy rule's text is not the target's."""
    assert distance("plain", 5, None, rules=("threshold",)) > 1e-3
    monkeypatch.setattr(sweep_texts, "suited", lambda rule, temperature: True)
    draft, target = random_trees(5, 3, 5, "plain")
    fresh = (
        by_texts("greedy_block", draft, target, 4, 2, None)[1][1]
        / by_texts("greedy_block", draft, target, 4, 2, None)[0][1]
    )
    block = by_texts("block", draft, target, 4, 2, None)[1][1] / by_texts("block", draft, target, 4, 2, None)[0][1]
    assert fresh > block, "the figure that would be wrong: greedy is better in one block only"
