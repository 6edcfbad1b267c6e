"""Uniforms: fixed for ever by seed and place, each used once, and the same for every verifier."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from specdemo.decoding.uniforms import PhiloxUniforms
from tests.loop_assertions import assert_seed_zero_repeats, assert_uniforms_are_all_different

# What seeds mean. If a change makes one of these fail, every shared link shows another text: do not adapt the numbers.
GOLDEN_DRAFT = {
    (0, 0, 0): [0.011546754286331562, 0.5023796042735054, 0.25382274039248487],
    (1, 0, 5): [0.45712505689230665, 0.536312456489981, 0.5606508715867471],
    (2**64 - 1, 3, 2): [0.21630313322795836, 0.26061389745541796, 0.17152739705022568],
}
GOLDEN_VERIFY = {
    (0, 0, 0): [0.21185954403345741, 0.7847420543536522, 0.6601686529632875],
    (7, 1, 2): [0.018513364408342614, 0.4719289070651489, 0.8157451776557842],
}


@pytest.mark.parametrize("place", GOLDEN_DRAFT)
def test_a_seed_keeps_its_meaning_for_drafts(place: tuple[int, int, int]) -> None:
    seed, stream, block = place
    assert PhiloxUniforms(seed, stream).draft(block, 3).tolist() == GOLDEN_DRAFT[place]


@pytest.mark.parametrize("place", GOLDEN_VERIFY)
def test_a_seed_keeps_its_meaning_for_verdicts(place: tuple[int, int, int]) -> None:
    seed, stream, block = place
    assert PhiloxUniforms(seed, stream).verify(block, 2).tolist() == GOLDEN_VERIFY[place]


def philox(counter: list[int], key: list[int]) -> list[int]:
    """Philox 4×64 with ten rounds (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3"), in plain integers."""
    word = 2**64
    for i in range(10):
        if i:
            key = [(key[0] + 0x9E3779B97F4A7C15) % word, (key[1] + 0xBB67AE8584CAA73B) % word]
        first, second = 0xD2E7470EE14C6C93 * counter[0], 0xCA5A826395121157 * counter[2]
        counter = [
            (second // word) ^ counter[1] ^ key[0], second % word, (first // word) ^ counter[3] ^ key[1], first % word
        ]  # fmt: skip
    return counter


def test_uniforms_are_philox_at_their_place() -> None:
    """Key (seed, stream), counter (position from 1, role, path, block), the first of the four words, its upper 53 bits."""
    assert philox([0] * 4, [0] * 2)[0] == 0x16554D9ECA36314C  # the known answer of the authors' own library
    for seed, stream, path, block in [(0, 0, 0, 0), (5, 7, 1, 3), (2**64 - 1, 2**63, 0, 2**40)]:
        source = PhiloxUniforms(seed, stream, path)
        for role, found in (
            (0, source.draft(block, 4)),
            (1, source.verify(block, 4)[:4]),
            (2, source.verify(block, 4)[4:]),
        ):
            words = [philox([i + 1, role, path, block], [seed, stream])[0] for i in range(len(found))]
            assert found.tolist() == [(word >> 11) / 2**53 for word in words]


def test_no_two_places_share_a_uniform() -> None:
    """Seeds, streams, paths, blocks, roles and positions, each varied against all others."""
    values = np.concatenate(
        [
            np.concatenate([source.draft(block, 8), source.verify(block, 8)])
            for seed, stream, path in product((0, 1, 2, 2**32, 2**64 - 1), (0, 1, 2, 2**40), (0, 1))
            for source in [PhiloxUniforms(seed, stream, path)]
            for block in (0, 1, 2, 3, 100)
        ]
    )
    assert len(np.unique(values)) == len(values) == 5 * 4 * 2 * 5 * 17


def test_seed_and_stream_are_not_added_up() -> None:
    assert PhiloxUniforms(1, 2).draft(0, 1) != PhiloxUniforms(2, 1).draft(0, 1)
    assert PhiloxUniforms(0, 3).draft(0, 1) != PhiloxUniforms(3, 0).draft(0, 1)


def test_a_shorter_block_has_the_same_uniforms() -> None:
    """Near the context limit γ shrinks; the uniforms of the positions that are left, and that of Y, stay."""
    source = PhiloxUniforms(5)
    long = source.verify(3, 6)
    for gamma in range(6):
        assert (source.draft(3, gamma) == source.draft(3, 6)[:gamma]).all()
        short = source.verify(3, gamma)
        assert short.shape == (gamma + 1,)
        assert (short[:-1] == long[:gamma]).all() and short[-1] == long[-1]


def test_nothing_depends_on_what_was_asked_before() -> None:
    source = PhiloxUniforms(5)
    first = source.draft(4, 3)
    source.verify(4, 3)
    source.draft(0, 3)
    assert (source.draft(4, 3) == first).all()


def test_uniforms_lie_in_the_half_open_interval_and_look_uniform() -> None:
    values = np.concatenate([PhiloxUniforms(seed).verify(block, 9) for seed in range(20) for block in range(50)])
    assert values.min() >= 0 and values.max() < 1
    counts, _ = np.histogram(values, bins=20, range=(0, 1))
    expected = len(values) / 20
    assert ((counts - expected) ** 2 / expected).sum() < 45  # χ² with 19 degrees of freedom: 1 in 1000
    firsts = np.array([PhiloxUniforms(seed).draft(0, 2) for seed in range(2000)])
    assert abs(np.corrcoef(firsts.T)[0, 1]) < 0.08
    assert abs(np.corrcoef(firsts[:-1, 0], firsts[1:, 0])[0, 1]) < 0.08


def test_the_greatest_raw_number_is_still_below_one() -> None:
    assert np.float64((2**64 - 1) >> 11) * 2.0**-53 < 1


def test_the_loops_own_source_is_sound() -> None:
    assert_uniforms_are_all_different(PhiloxUniforms)
    assert_seed_zero_repeats(PhiloxUniforms)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, True, "1", None])
def test_a_wrong_seed_is_named(seed: object) -> None:
    with pytest.raises(ValueError, match=r"seed must be an integer in 0 … 2\^64 − 1, got"):
        PhiloxUniforms(seed)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"stream must be an integer"):
        PhiloxUniforms(0, seed)  # type: ignore[arg-type]


def test_numpy_integers_are_seeds() -> None:
    assert (PhiloxUniforms(np.int64(3), np.int32(1)).draft(0, 2) == PhiloxUniforms(3, 1).draft(0, 2)).all()  # type: ignore[arg-type]
