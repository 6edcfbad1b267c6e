"""Events of a race that grow the same run, sent together: a page that draws each one would draw a hundred times a second."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

Event = dict[str, Any]


def together(events: Iterable[Event], every: float, clock: Callable[[], float] = time.monotonic) -> Iterator[Event]:
    """The events, with race_calls joined until `every` seconds have passed since the last were handed on; the first goes at once."""
    waiting: Event | None = None
    sent_at = float("-inf")
    for event in events:
        if event["kind"] == "race_calls":
            waiting = event if waiting is None else _joined(waiting, event)
            if clock() - sent_at < every:
                continue
            yield waiting
            waiting, sent_at = None, clock()
            continue
        if waiting is not None:
            yield waiting
            waiting = None
        yield event
    if waiting is not None:
        yield waiting


def _joined(before: Event, after: Event) -> Event:
    lanes = {rule: dict(lane) for rule, lane in before["lanes"].items()}
    for rule, lane in after["lanes"].items():
        if rule in lanes:
            grown = lanes[rule]
            lanes[rule] = {**grown, "calls": grown["calls"] + lane["calls"], "ids": grown["ids"] + lane["ids"]}
        else:
            lanes[rule] = lane
    return {**before, "lanes": lanes, "pieces": {**before["pieces"], **after["pieces"]}}
