"""Exact numbers as texts: fractions that a person can read, and decimals."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

READABLE_DIGITS = 12


def fraction_text(value: Fraction | None) -> str | None:
    """ "11/9" or "2"; None where numerator or denominator has more than 12 digits.

    >>> fraction_text(Fraction(22, 18)), fraction_text(Fraction(2)), fraction_text(Fraction(1, 10**13))
    ('11/9', '2', None)
    """
    if value is None or max(abs(value.numerator), value.denominator) >= 10**READABLE_DIGITS:
        return None
    return str(value)


def decimal(value: Fraction) -> str:
    """The value with at most six significant digits.

    >>> decimal(Fraction(7, 6)), decimal(Fraction(3, 2)), decimal(Fraction(1, 10**8))
    ('1.16667', '1.5', '0.00000001')
    """
    return format(Decimal(f"{float(value):.6g}"), "f")
