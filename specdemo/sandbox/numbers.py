"""Probabilities as people type them, read exactly: decimals (0.25, 0,25, 1e-3) and fractions (2/3, 0.5/3). No text makes a large integer.

A comma is a decimal mark too, unless it may as well stand between thousands, and wide signs (０．５) are read as narrow ones, in the
same way as on the pages (assets/viewer/typed_numbers.js).
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

LONGEST_TEXT = 40
# Below 10^−30 a probability is of no use here, and above 10^40 a part of a fraction is not either.
_SMALLEST, _LARGEST_PART = -30, 40
_MINUS_ZERO = re.compile(r"[-−–](?:0+(?:\.0*)?|\.0+)")
_DECIMAL = re.compile(r"\+?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?", re.ASCII)
_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    ord(wide): narrow for wide, narrow in zip("\u3002\uff61\u3001\uff64\u2212\u3000", "..,,- ", strict=True)
}
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}", re.ASCII)
_RIGHT = "a probability is a number from 0 to 1, such as 0.25, 1e-3 or 2/3"


class NotAProbability(ValueError):
    """A text that is no probability; the message says why, and what would be right."""


@lru_cache(maxsize=4096)
def read_probability(text: str) -> Fraction:
    """The probability that a text of at most 40 characters means, exactly; NotAProbability otherwise.

    >>> read_probability(" 2/3 "), read_probability("1e-3"), read_probability("0,25")
    (Fraction(2, 3), Fraction(1, 1000), Fraction(1, 4))
    """
    if len(text) > LONGEST_TEXT:
        raise NotAProbability(f"this has {len(text)} characters: at most {LONGEST_TEXT} are read")
    shown = text.translate(_NARROW).strip()
    if not shown:
        raise NotAProbability(f"nothing is typed here: {_RIGHT}; type 0 where there is none")
    if _MINUS_ZERO.fullmatch(shown):
        return Fraction(0)
    if shown[0] in "-−–":
        raise NotAProbability(f"{shown} is negative: {_RIGHT}")
    if shown.lstrip("+").lower() in ("nan", "inf", "infinity", "∞"):
        raise NotAProbability(f"{shown} is no finite number: {_RIGHT}")
    value = _fraction(shown) if "/" in shown else _number(shown, 1)
    if value > 1:
        raise NotAProbability(f"{shown} is larger than 1: {_RIGHT}")
    if 0 < value < Fraction(1, 10**-_SMALLEST):
        raise NotAProbability(f"{shown} is smaller than 1e{_SMALLEST}, the least that counts here: type 0")
    return value


def _fraction(shown: str) -> Fraction:
    parts = shown.split("/")
    if len(parts) != 2:
        raise NotAProbability(f"{shown} has more than one /: {_RIGHT}")
    above, below = (_number(part.strip(), _LARGEST_PART, whole=shown) for part in parts)
    if below == 0:
        raise NotAProbability(f"{shown} divides by 0: {_RIGHT}")
    return above / below


def _number(text: str, most: int, whole: str = "") -> Fraction:
    """The decimal below 10^`most`; `whole` is the fraction it is a part of."""
    shown = whole or text
    if _THOUSANDS.fullmatch(text):
        raise NotAProbability(f"{shown} can be read in two ways: write decimals with a point")
    match = _DECIMAL.fullmatch(text.replace(",", ".") if text.count(",") == 1 and "." not in text else text)
    before, after, exponent = match.groups(default="") if match else ("", "", "")
    if not before and not after:
        raise NotAProbability(f"{shown} is not read as a number: {_hint(shown)}")
    digits = (before + after).lstrip("0")
    if not digits:
        return Fraction(0)
    power = int(exponent or 0) - len(after)
    # The value lies in [10^(size−1), 10^size): what is far away is told without computing it.
    size = len(digits) + power
    if size > most:
        raise NotAProbability(f"{shown} is {'far too large' if whole else 'larger than 1'}: {_RIGHT}")
    if size < (-_LARGEST_PART if whole else _SMALLEST):
        least = f"is smaller than 1e{_SMALLEST}, the least that counts here: type 0"
        raise NotAProbability(f"{shown} {'has a part that is far too small: ' + _RIGHT if whole else least}")
    return Fraction(int(digits)) * Fraction(10) ** power


def _hint(shown: str) -> str:
    if shown.endswith("%"):
        return "percent are not read; 25 % is 0.25"
    if "^" in shown or "**" in shown:
        return "powers of ten are written 1e-3"
    return _RIGHT
