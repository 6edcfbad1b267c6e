"""The lab's statistics against sums done by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from specdemo.lab.statistics import grouped_mean, predicted_speedup, spread


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
