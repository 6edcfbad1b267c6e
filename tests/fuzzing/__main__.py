"""`python -m tests.fuzzing [--minutes 10]`: knocks at every door in turn until the time is over; status 1 where something was found."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings

from tests.fuzzing.doors import Door, doors


def knock(door: Door, until: float) -> int:
    """Some hostile texts; how many."""
    count = 0

    @settings(
        max_examples=30 if door.slow else 150, deadline=None, database=None, phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(door.hostile(*door.good))
    def once(text: Any) -> None:
        nonlocal count
        if time.monotonic() < until:
            count += 1
            door.knock(text)

    once()
    return count


def main() -> int:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--door", action="append", help="only these")
    options = parser.parse_args()
    until = time.monotonic() + 60 * options.minutes
    every = [door for door in doors() if not options.door or door.name in options.door]
    counts = dict.fromkeys((door.name for door in every), 0)
    found: dict[str, str] = {}
    while time.monotonic() < until and len(found) < len(every):
        for door in every:
            if door.name in found or time.monotonic() >= until:
                continue

            try:
                counts[door.name] += knock(door, until)
            except Exception:
                found[door.name] = traceback.format_exc()
                print(f"--- {door.name}\n{found[door.name][-4000:]}", flush=True)
    print(", ".join(f"{name} {count:,}" for name, count in counts.items()))
    print("nothing was found" if not found else f"found something at: {', '.join(found)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
