"""JSON exactly as a browser writes it, and so that no text in it can end the script element it stands in.

assets/viewer/save_html.js does the same with JSON.stringify; tests hold the two to the same bytes.
"""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from typing import Any

# What could begin or end markup, what old parsers take for line ends, and halves of characters, which UTF-8 cannot hold.
ESCAPED = re.compile("[<>&\u2028\u2029\ud800-\udfff]")
INDEX = re.compile(r"0|[1-9]\d{0,9}")
MOST_EXACT = 2**53 - 1
MOST_INDEX = 2**32 - 2


def script_json(value: Any) -> str:
    r"""The text of a record of dicts, lists, strings, numbers, booleans and None.

    Raises ValueError for numbers that a browser cannot hold: NaN, infinities, whole numbers beyond 2^53 − 1.

    >>> script_json({"b": 1e-07, "a": "</script>", "10": 1.0, "9": [True, None]})
    '{"9":[true,null],"10":1,"b":1e-7,"a":"\\u003c/script\\u003e"}'
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))
    if isinstance(value, int):
        if abs(value) > MOST_EXACT:
            raise ValueError(f"a browser cannot hold the whole number {value} exactly: 2^53 − 1 is the largest")
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{script_json(key)}:{script_json(value[key])}" for key in _keys(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(script_json, value)) + "]"
    raise ValueError(f"a record holds no {type(value).__name__}")


def _keys(record: dict[str, Any]) -> list[str]:
    """A browser's order: whole numbers first, rising, then the others as they came."""
    indices = [key for key in record if INDEX.fullmatch(key) and int(key) <= MOST_INDEX]
    return [*sorted(indices, key=int), *(key for key in record if key not in set(indices))]


def _number(x: float) -> str:
    """The shortest digits that give the same float, in ECMAScript's notation (Number::toString)."""
    if not math.isfinite(x):
        raise ValueError(f"a record holds no {x}")
    text = float.__repr__(x)  # numpy's own says more than the number
    if "e" not in text:
        return ("0" if x == 0 else text).removesuffix(".0")
    sign, figures, exponent = Decimal(text).normalize().as_tuple()
    assert isinstance(exponent, int)
    digits, point = "".join(map(str, figures)), len(figures) + exponent
    if len(digits) <= point <= 21:
        shown = digits + "0" * (point - len(digits))
    elif 0 < point <= 21:
        shown = f"{digits[:point]}.{digits[point:]}"
    elif -6 < point <= 0:
        shown = f"0.{'0' * -point}{digits}"
    else:
        mantissa = digits if len(digits) == 1 else f"{digits[0]}.{digits[1:]}"
        shown = f"{mantissa}e{point - 1:+d}"
    return ("-" if sign else "") + shown
