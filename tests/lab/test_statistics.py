"""The lab's statistics against sums done by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from specdemo.lab.statistics import (
    Mean,
    grouped_mean,
    interval,
    paired_difference,
    predicted_speedup,
    speedup_interval,
    spread,
    student_quantile,
)


def test_grouped_mean_by_hand() -> None:
    # Sums 3, 3, 8 over sizes 2, 1, 2: mean 14/5; deviations S − m n = −2.6, 0.2, 2.4; error √(3/2 · 12.56) / 5.
    found = grouped_mean([[1.0, 2.0], [3.0], [4.0, 4.0]])
    assert found.mean == pytest.approx(2.8)
    assert found.standard_error == pytest.approx(math.sqrt(1.5 * 12.56) / 5)


def test_groups_of_one_give_the_usual_standard_error() -> None:
    values = [1.0, 4.0, 2.0, 7.0]
    found = grouped_mean([[v] for v in values])
    assert found.standard_error == pytest.approx(float(np.std(values, ddof=1)) / math.sqrt(4))


def test_repeating_a_prompts_blocks_adds_no_certainty() -> None:
    once = grouped_mean([[1.0], [2.0], [4.0]])
    often = grouped_mean([[1.0] * 50, [2.0] * 50, [4.0] * 50])
    assert often.standard_error == pytest.approx(once.standard_error)


def test_one_group_has_no_error_and_empty_groups_do_not_count() -> None:
    assert grouped_mean([[1.0, 2.0]]).standard_error is None
    assert grouped_mean([[1.0], [], [3.0]]) == grouped_mean([[1.0], [3.0]])
    with pytest.raises(ValueError, match="nothing"):
        grouped_mean([[]])


def test_spread() -> None:
    assert spread([4.0, 1.0, 3.0, 2.0]).to_json() == {"median": 2.5, "low": 1.75, "high": 3.25}
    with pytest.raises(ValueError, match="nothing"):
        spread([])


def test_a_free_draft_and_a_free_verification_gain_every_token() -> None:
    assert predicted_speedup(3.5, gamma=4, draft_cost=0.0, verify_cost=1.0) == 3.5


def test_a_paired_difference_by_hand() -> None:
    # Sums 7, 8 over 1, 2: mean 5, parts (7 − 5)/3, (8 − 10)/3. Sums 6, 6 over 2, 1: mean 4, parts −2/3, 2/3. d = 4/3, −4/3.
    found = paired_difference([[7.0], [4.0, 4.0]], [[2.0, 4.0], [6.0]])
    assert found.mean == pytest.approx(1.0)
    assert found.standard_error == pytest.approx(math.sqrt(2 * 2 * 16 / 9))


def test_what_groups_have_in_common_cancels_in_a_paired_difference() -> None:
    token = [[1.0, 2.0], [11.0, 12.0], [5.0, 6.0]]
    block = [[value + 0.5 for value in group] for group in token]
    found = paired_difference(block, token)
    assert found.mean == pytest.approx(0.5) and found.standard_error == pytest.approx(0.0, abs=1e-12)
    assert paired_difference(block[:1], token[:1]) == Mean(0.5, None)


@pytest.mark.parametrize("wrong", [([[1.0]], [[1.0], [2.0]]), ([], []), ([[1.0], []], [[1.0], [2.0]])])
def test_what_cannot_be_paired_is_refused(wrong: tuple[list[list[float]], list[list[float]]]) -> None:
    with pytest.raises(ValueError, match=r"as many are needed|must be there on both sides"):
        paired_difference(*wrong)


def test_an_interval_has_one_degree_of_freedom_fewer_than_groups() -> None:
    assert student_quantile(2, 0.95) == pytest.approx(12.7062047, abs=1e-6)  # tables of Student's t, 1 and 9 degrees
    assert student_quantile(10, 0.95) == pytest.approx(2.2621572, abs=1e-6)
    found = interval(Mean(3.0, 0.5), groups=10)
    assert found.low == pytest.approx(3 - 1.1310786) and found.high == pytest.approx(3 + 1.1310786)
    assert interval(Mean(3.0, None), groups=1).to_json() == {
        "mean": 3.0, "standard_error": None, "low": None, "high": None,
    }  # fmt: skip


def test_a_speedup_by_hand() -> None:
    # 16 s for 20 tokens against 8 s for 20: twice. Parts of the logarithm: 10/16 − 1/2 − (2/8 − 1/2) = 3/8, and −3/8.
    found = speedup_interval([(10.0, 10.0), (6.0, 10.0)], [(2.0, 10.0), (6.0, 10.0)])
    assert found.mean == pytest.approx(2.0)
    assert found.standard_error == pytest.approx(2 * 0.75)
    assert found.low == pytest.approx(2 * math.exp(-12.7062047 * 0.75), rel=1e-6)
    assert found.high == pytest.approx(2 * math.exp(12.7062047 * 0.75), rel=1e-6)
    assert speedup_interval([(10.0, 10.0)], [(5.0, 10.0)]).to_json() == {
        "mean": 2.0, "standard_error": None, "low": None, "high": None,
    }  # fmt: skip
    with pytest.raises(ValueError, match="above 0"):
        speedup_interval([(0.0, 1.0)], [(1.0, 1.0)])
