"""Every door, a few hostile texts each; `python -m tests.fuzzing` goes on for as long as one likes."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzzing.doors import Door, doors

EVERY = doors()


@pytest.mark.parametrize("door", EVERY, ids=[door.name for door in EVERY])
def test_good_records_are_answered(door: Door) -> None:
    """Else the damaged ones would all be refused for the same reason."""
    if door.name == "audit":
        pytest.skip("takes seconds; the tests of the Sandbox do it")
    for good in door.good:
        assert door.knock(json.dumps(good))


@pytest.mark.parametrize("door", [door for door in EVERY if not door.slow], ids=lambda door: door.name)
def test_a_hostile_text_is_answered_in_words(door: Door) -> None:
    _knock(door, 25)


@pytest.mark.parametrize("door", [door for door in EVERY if door.slow], ids=lambda door: door.name)
def test_a_hostile_text_to_the_models_is_answered_in_words(door: Door) -> None:
    _knock(door, 5)


def _knock(door: Door, examples: int) -> None:
    @settings(
        max_examples=examples, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(door.hostile(*door.good))
    def knock(text: Any) -> None:
        door.knock(text)

    knock()


@pytest.mark.slow
def test_ten_minutes_of_hostile_texts_find_nothing() -> None:
    done = subprocess.run([sys.executable, "-m", "tests.fuzzing", "--minutes", "10"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
