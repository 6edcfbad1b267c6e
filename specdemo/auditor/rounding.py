"""What rounding to float32 looks like in an audit, and what to ask for then."""

from __future__ import annotations

from collections.abc import Collection

from specdemo.auditor.feeding import Feed

# The error of a subject that computes in float32 what it was fed in float64.
ROUNDING = 1e-5


def rounding_note(deviation: float, tolerance: float, problem_kinds: Collection[str], feed: Feed) -> str:
    """A sentence for a deviation no larger than float32's rounding; "" for others, and where other answers are wrong as well.

    Rounding also takes a uniform just below 1 to 1, where a running sum ends in a token of probability 0.
    """
    if not tolerance < deviation <= ROUNDING or set(problem_kinds) - {"zero target mass"}:
        return ""
    if not problem_kinds:
        what, instead = "rounding to float32 does", f"--tolerance {ROUNDING:g}"
    elif not feed.single:
        array = feed.kind.replace("float64", "float32") if "float64" in feed.kind else "numpy float32"
        what, instead = "rounding to float32 does, which also takes a uniform just below 1 to 1", f'--array "{array}"'
    else:
        return ""
    return f"so little is what {what}: if it computes in float32, {instead} says what else is wrong"


def apart(right: float, got: float) -> tuple[str, str]:
    """Both numbers with 6 significant digits, or as many more as show two digits of their difference.

    >>> apart(0.25, 0.5)
    ('0.25', '0.5')
    >>> apart(0.55857312, 0.55857308)
    ('0.55857312', '0.55857308')
    """
    for digits in range(6, 18):
        texts = f"{right:.{digits}g}", f"{got:.{digits}g}"
        shown = abs(float(texts[0]) - float(texts[1]))
        if right == got or abs(shown - abs(right - got)) <= 0.1 * abs(right - got):
            break
    return texts
