"""JSON that nobody's page would send: anything at all, and good records with one to three things wrong in them."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import strategies as any_of

_WORDS = [
    "", "\x00", "\ud800", "</script><script>alert(1)</script>", "${alert(1)}", "{{value}}", "../../etc/passwd", "__proto__", "constructor",
    "NaN", "inf", "1e999", "-0", "stories", "tiny", "block", "token", "ﷺ" * 50, "🎯" * 200, "a" * 30_000, "sha256:" + "0" * 64,
    "\u202egnp.exe", "\u2028", "%s%n", "<|eos|>", "qwen3-hub",
]  # fmt: skip
_NUMBERS = [
    0, -1, 1, 2, 16, 17, 64, 65, 2**31 - 1, 2**31, 2**53 - 1, 2**53, 2**63, 10**30, 0.5, -0.0, 1e-320, 1e308, -1e308,
    float("nan"), float("inf"), float("-inf"),
]  # fmt: skip

scalars = (
    any_of.none()
    | any_of.booleans()
    | any_of.sampled_from(_NUMBERS)
    | any_of.integers()
    | any_of.floats()
    | any_of.sampled_from(_WORDS)
    | any_of.text(max_size=20)
)
values = any_of.recursive(
    scalars,
    lambda inner: any_of.lists(inner, max_size=4) | any_of.dictionaries(any_of.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)


def _nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


_HEAVY = [_nested(90), [0] * 30_000, {str(i): i for i in range(300)}, [[0.5] * 64] * 64]


@any_of.composite
def damaged(draw: Any, good: Any) -> Any:
    """One of the `good` records with one to three changes: a value replaced, repeated, removed, renamed or added, anywhere in it."""
    record = copy.deepcopy(draw(any_of.sampled_from(good)))
    for _ in range(draw(any_of.integers(1, 3))):
        holders = [holder for holder in _holders(record) if len(holder)]
        if not holders:
            break
        holder = draw(any_of.sampled_from(holders))
        key = draw(any_of.sampled_from(sorted(holder) if isinstance(holder, dict) else range(len(holder))))
        change = draw(any_of.sampled_from(["replace", "replace", "replace", "heavy", "remove", "add", "repeat"]))
        if change == "replace":
            holder[key] = draw(values)
        elif change == "heavy":
            holder[key] = copy.deepcopy(draw(any_of.sampled_from(_HEAVY)))
        elif change == "remove":
            del holder[key]
        elif isinstance(holder, dict):
            holder[draw(any_of.text(max_size=12))] = copy.deepcopy(holder[key]) if change == "repeat" else draw(values)
        else:
            holder.insert(key, copy.deepcopy(holder[key]) if change == "repeat" else draw(values))
    return record


def _holders(value: Any) -> list[Any]:
    if not isinstance(value, (dict, list)):
        return []
    inner = value.values() if isinstance(value, dict) else value[:40]
    return [value, *(holder for part in inner for holder in _holders(part))]


def texts(*good: Any) -> Any:
    """What is sent in place of a good record's text: mostly a damaged one, sometimes anything."""
    whole = damaged(good).map(json.dumps)
    cut = any_of.tuples(any_of.sampled_from([json.dumps(one) for one in good]), any_of.integers(0, 400)).map(
        lambda pair: pair[0][: pair[1]]
    )
    anything = any_of.text(max_size=60) | any_of.sampled_from(
        ["[" * 50_000, '{"a":' * 5000, "9" * 20_000, "\ufeff{}", "NaN"]
    )
    return any_of.one_of(whole, whole, whole, values.map(json.dumps), cut, anything)
