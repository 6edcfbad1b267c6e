"""Drawing one token from a law with one uniform: the only sampler of the package, used for drafts and next tokens alike."""

from __future__ import annotations

import bisect
from collections.abc import Iterator

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.verifiers.sums import CHUNK, residual_piece, residual_sums, running, scratch

_LOOKED_AT = 1024
SHORT = 1 << 13  # tokens, below which one operation on a whole law is quicker than several on parts of it
_PIECE = 128
_ROUNDING = 2.0**-50  # of a sum, for each number in it: sums in any two orders are nearer to each other, several times
_SMALLEST = 2.0**-900  # of a mass, below which products with it are no longer rounded by their own size


def draw(law: FloatArray, uniform: float) -> int:
    """The smallest v with cumulative(law)[v] > uniform; never a zero-probability token, the last positive one if rounding runs out.

    `law` (V,) sums to 1 up to rounding, `uniform` is in [0, 1).

    >>> draw(np.array([0.0, 0.5, 0.5]), 0.0)
    1
    """
    token = _clear_place(law, uniform, 0.0, len(law) * _ROUNDING) if len(law) > SHORT else None
    return _draw_by_running_sum(law, uniform) if token is None else token


def draw_along(law: FloatArray, sums: FloatArray, uniform: float) -> int:
    """`draw` where the running sums (V,) of the law are known.

    >>> draw_along(np.array([0.0, 0.5, 0.5]), np.array([0.0, 0.5, 1.0]), 0.7)
    2
    """
    token = int(sums.searchsorted(uniform, "right"))
    # A zero-probability token never raises the cumulative sum, so searchsorted passes over it by itself.
    return token if token < len(law) else _last_positive(law)


def draw_residual(
    scale: float, target: FloatArray, draft: FloatArray, uniform: float, sums: tuple[float, ...] | None = None
) -> int | None:
    """`draw(norm((scale · target − draft)₊), uniform)` without that law in memory; None where it has to be asked.

    `sums` are `residual_sums` of the same arguments, where they are known: then one piece of the rows (V,) is read and no more.
    None: V is small, the residual is empty, or the uniform is so near a step that the order of summing could give another token.
    """
    if len(target) <= SHORT:
        return None
    ends = running(sums or residual_sums(scale, target, draft))
    mass = ends[-1]
    wanted = uniform * mass
    place = bisect.bisect_right(ends, wanted)
    if not mass > _SMALLEST or place == len(ends):
        return None
    piece = residual_piece(scale, target, draft, place)
    inner = _clear_place(piece, wanted, ends[place - 1] if place else 0.0, len(target) * _ROUNDING)
    return None if inner is None else place * CHUNK + inner


def _clear_place(numbers: FloatArray, wanted: float, carried: float, rounding: float) -> int | None:
    """Where the running sum of `numbers`, which begins at `carried`, passes `wanted`; None where that is nearer to
    a step than `rounding` of the sum, so that another order of summing could give another place.

    A running sum waits for every addition before the next; sums of pieces do not.
    """
    whole = len(numbers) - len(numbers) % _PIECE
    ends = np.add.accumulate(np.add.reduce(numbers[:whole].reshape(-1, _PIECE), axis=1))
    place = int(ends.searchsorted(wanted - carried, "right"))
    before = carried + (ends.item(place - 1) if place else 0.0)
    sums = np.add.accumulate(numbers[place * _PIECE : (place + 1) * _PIECE])
    inner = int(sums.searchsorted(wanted - before, "right"))
    if inner == len(sums):
        return None
    below, above = before + (sums.item(inner - 1) if inner else 0.0), before + sums.item(inner)
    doubt = rounding * above
    return place * _PIECE + inner if below + doubt < wanted < above - doubt else None


def _draw_by_running_sum(law: FloatArray, uniform: float) -> int:
    """`draw` as it is defined, up to the piece where the running sum passes the uniform."""
    if len(law) <= CHUNK:
        return draw_along(law, np.add.accumulate(law, out=scratch(len(law))), uniform)
    for start, _, sums in _running_sums(law):
        if sums[-1] > uniform:
            return start + int(sums.searchsorted(uniform, "right"))
    return _last_positive(law)


def margin(law: FloatArray, uniform: float) -> float:
    """Distance from `uniform` to the nearest step of the cumulative law at which the drawn token would change.

    >>> round(margin(np.array([0.25, 0.75]), 0.2), 12)
    0.05
    """
    # The sum only rises, so no step is nearer than the two around the uniform. Behind the last positive token nothing changes
    # any more, wherever rounding has left the sum.
    around = [0.0]
    for _, carried, sums in _running_sums(law[: _last_positive(law)]):
        around = [float(sums[-1])]
        if sums[-1] > uniform:
            place = int(sums.searchsorted(uniform, "right"))
            around = [float(sums[place - 1]) if place else carried, float(sums[place])]
            break
    # Steps at 0 and 1 move no token.
    return min((abs(step - uniform) for step in around if 0 < step < 1), default=1.0)


def _running_sums(law: FloatArray) -> Iterator[tuple[int, float, FloatArray]]:
    """The cumulative law, to the bit, piece by piece in scratch memory: where a piece starts, the sum before it, its sums."""
    carried = 0.0
    for start in range(0, len(law), CHUNK):
        piece = law[start : start + CHUNK]
        sums = scratch(len(piece))
        sums[:] = piece
        sums[0] += carried
        np.cumsum(sums, out=sums)
        yield start, carried, sums
        carried = float(sums[-1])


def _last_positive(law: FloatArray) -> int:
    """The last token of positive probability, looked for from the end."""
    for start in range(len(law) - 1, -1, -_LOOKED_AT):
        found = law[max(0, start - _LOOKED_AT + 1) : start + 1].nonzero()[0]
        if len(found):
            return max(0, start - _LOOKED_AT + 1) + int(found[-1])
    raise ValueError("the law has no positive probability")
