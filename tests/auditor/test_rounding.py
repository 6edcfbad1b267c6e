"""Deviations as small as rounding: numbers that can be told apart, and what to ask for next."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from specdemo.auditor import audit
from specdemo.auditor.feeding import Feed
from specdemo.auditor.rounding import apart, rounding_note
from tests.auditor.foreign import token_law


def draws_in_single_precision(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    """float32 rounds the uniform too: one just below 1 becomes 1, where the guard returns the last token, possible or not."""
    kept, law = token_law(tokens, draft, target, uniforms)
    steps = np.cumsum(law.astype(np.float32))
    place = np.searchsorted(steps / steps[-1], np.float32(uniforms[-1]), side="right")
    return kept, min(place, len(law) - 1)


def test_small_deviations_are_shown_and_explained() -> None:
    report = audit(draws_in_single_precision)
    assert not report.lossless and set(report.problem_counts) == {"zero target mass"}
    assert 1e-9 < report.max_deviation < 1e-6
    right, got = (
        float(n) for n in re.findall(r"with probability ([\d.]+), under this subject ([\d.]+)", report.text())[0]
    )
    assert abs(right - got) == pytest.approx(report.max_deviation, rel=0.1)
    assert "rounding to float32" in report.notes[0] and '--array "numpy float32"' in report.notes[0]
    assert audit(draws_in_single_precision, array="numpy float32").lossless


def test_numbers_have_no_more_digits_than_tell_them_apart() -> None:
    assert apart(0.349671, 0.2) == ("0.349671", "0.2")
    assert apart(1 / 3, 1 / 3 + 4.2e-8) == ("0.333333333", "0.333333375")
    assert apart(1 / 3, 1 / 3) == ("0.333333", "0.333333")


def test_only_what_rounding_can_do_is_put_down_to_it() -> None:
    double, lists, single = Feed(), Feed("lists"), Feed("torch float32")
    assert "--tolerance 1e-05" in rounding_note(4e-8, 1e-9, {}, double)
    assert '--array "torch float32"' in rounding_note(4e-8, 1e-9, {"zero target mass"}, Feed("torch float64"))
    assert '--array "numpy float32"' in rounding_note(4e-8, 1e-9, {"zero target mass"}, lists)
    assert rounding_note(4e-8, 1e-9, {"zero target mass"}, single) == ""
    assert rounding_note(4e-8, 1e-9, {"exception"}, double) == ""
    # A right law: what is wrong are the edges alone.
    assert rounding_note(1e-16, 1e-9, {"zero target mass"}, double) == ""
    assert rounding_note(1e-4, 1e-9, {}, double) == ""
