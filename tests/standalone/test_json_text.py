"""The record's text: byte for byte what a browser writes, and nothing in it ends a script element."""

from __future__ import annotations

import json
import random
import struct
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from specdemo.standalone.json_text import script_json
from tests.viewer.javascript import call

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!-- <script>",
    "]]>",
    "\u2028\u2029",
    "`${alert(1)}`",
    "\\u003c",
    '"\\"',
    "\x00\x1f\x7f\x85\ufeff\ufffe",
    "\r\n\t\b\f",
    "&lt;&amp;",
    "🦊é",
    "\ud83e",
    "\udd8a x",
]


def doubles(count: int) -> list[float]:
    """Any finite floats, by their bits, and those where notations change."""
    rng, found = random.Random(0), [0.0, -0.0, 1.0, 1e21, 1e20, 123456789012345680000.0, 1e-6, 1e-7, 1.5e-7, 5e-324]
    found += [1.7976931348623157e308, 0.1, 1e16, 1e15, 123456789.25, -1.25e-9, 2.0**53, 9007199254740993.0, 1e300]
    while len(found) < count:
        (x,) = struct.unpack("<d", rng.randbytes(8))
        if x == x and abs(x) != float("inf"):
            found.append(x)
    return found + [rng.random() * 10.0 ** rng.randint(-25, 25) for _ in range(count)]


def test_it_is_what_a_browser_writes(request: pytest.FixtureRequest) -> None:
    keys: dict[str, Any] = {
        "b": 1,
        "10": 2,
        "9": [],
        "": {},
        "01": None,
        "4294967294": True,
        "4294967295": False,
        "-1": 0,
        "a<b": "x",
    }
    value = {
        "numbers": doubles(1500),
        "texts": HOSTILE,
        "keys": keys,
        "whole": [0, -5, 2**53 - 1, -(2**53) + 1],
        "__proto__": 1,
    }
    written = call(request, "save_html.js", "return m.scriptJson(payload);", value)
    assert script_json(value) == written
    assert json.loads(written, parse_int=float) == value


def test_numpys_floats_are_numbers_too() -> None:
    assert script_json([np.float64(0.25), np.float64(1e-9), np.float64(3)]) == "[0.25,1e-9,3]"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 2**53, -(2**64), b"bytes"])
def test_what_a_browser_cannot_hold_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="hold"):
        script_json({"deep": [value]})


def test_no_text_leaves_its_script_element() -> None:
    found: list[tuple[str, str]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: Any) -> None:
            found.append(("tag", tag))

        def handle_data(self, data: str) -> None:
            found.append(("data", data))

    text = script_json(HOSTILE)
    assert not set("<>&\u2028\u2029") & set(text) and text.encode()
    Reader().feed(f"<script type='application/json'>{text}</script>")
    assert [kind for kind, _ in found] == ["tag", "data"] and json.loads(found[1][1]) == HOSTILE
