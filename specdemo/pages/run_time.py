"""For how long one request may compute: tokens alone bound it only on a machine whose speed is known, and with a pair whose size is."""

from __future__ import annotations

import math
import os
import threading

from specdemo.pages.turns import PairTurn

# Of a run: 512 tokens of the pairs that ship need half of it at most on two old cores. What is longer, others wait for, four at a time.
RUN_SECONDS = 120.0
# A measurement is many runs, of which one is made at a time: 60,000 raced tokens of the built-in pair fit.
MEASUREMENT_RUNS = 5
MOST_SECONDS = 86_400.0
# A sweep, and what is measured on a lent GPU, is asked for in slices.
SLICE_SECONDS = 20.0
# What the page knows such an error by, and says in its own language.
REASON = "time"


def run_seconds() -> float:
    """Seconds that a run may compute: SPECDEMO_RUN_SECONDS, else 120. SystemExit with a sentence where that is no number of seconds."""
    text = os.environ.get("SPECDEMO_RUN_SECONDS", "").strip()
    if not text:
        return RUN_SECONDS
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= MOST_SECONDS:
        raise SystemExit(
            f"SPECDEMO_RUN_SECONDS is {text!r}: it must be the seconds that a run may compute, 0 … {MOST_SECONDS:.0f} "
            f"(0: one block), or nothing for {RUN_SECONDS:.0f}"
        )
    return seconds


def run_over(seconds: float) -> str:
    """What is said of a run that has computed for as long as it may."""
    return (
        f"This request has had its {seconds:,.0f} seconds of computing time, and others are waiting. "
        'What came is kept: the next block, or the same request once more from its last block ("Try again" on the page), goes on from there.'
    )


def measurement_over(seconds: float) -> str:
    """The same of a measurement, which does not go on."""
    return (
        f"This measurement has had its {seconds:,.0f} seconds of computing time, and others are waiting. "
        "What was measured is kept: fewer seeds or samples, fewer rules or shorter texts fit into it."
    )


class MeasurementStop:
    """Says, when it is asked before each call, whether a measurement is to stop; `over` then holds whether its time is the reason."""

    def __init__(self, cancelled: threading.Event, turn: PairTurn, seconds: float) -> None:
        self._cancelled, self._turn, self._seconds = cancelled, turn, seconds
        self.over = False

    def __call__(self) -> bool:
        """Whether to stop."""
        self.over = self.over or self._turn.seconds > self._seconds
        return self.over or self._cancelled.is_set()
