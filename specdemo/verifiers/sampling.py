"""Drawing one token from a law with one uniform: the only sampler of the package, used for drafts and next tokens alike."""

from __future__ import annotations

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.verifiers.sums import CHUNK, scratch


def draw(law: FloatArray, uniform: float) -> int:
    """The smallest v with cumulative(law)[v] > uniform; never a zero-probability token, the last positive one if rounding runs out.

    `law` (V,) sums to 1 up to rounding, `uniform` is in [0, 1).

    >>> draw(np.array([0.0, 0.5, 0.5]), 0.0)
    1
    """
    if len(law) > CHUNK:
        return _draw_in_pieces(law, uniform)
    token = int(law.cumsum().searchsorted(uniform, side="right"))
    # A zero-probability token never raises the cumulative sum, so searchsorted passes over it by itself.
    return token if token < len(law) else int(np.nonzero(law)[0][-1])


def _draw_in_pieces(law: FloatArray, uniform: float) -> int:
    """`draw` for a long law, to the bit: the running sum is carried from piece to piece, up to the piece where it passes the uniform."""
    carried = 0.0
    for start in range(0, len(law), CHUNK):
        piece = law[start : start + CHUNK]
        sums = scratch(len(piece))
        sums[:] = piece
        sums[0] += carried
        np.cumsum(sums, out=sums)
        carried = float(sums[-1])
        if carried > uniform:
            return start + int(sums.searchsorted(uniform, side="right"))
    return int(np.nonzero(law)[0][-1])


def margin(law: FloatArray, uniform: float) -> float:
    """Distance from `uniform` to the nearest step of the cumulative law at which the drawn token would change.

    >>> round(margin(np.array([0.25, 0.75]), 0.2), 12)
    0.05
    """
    # Behind the last positive token nothing changes any more, wherever rounding has left the sum.
    steps = law.cumsum()[: int(law.nonzero()[0][-1])]
    place = int(steps.searchsorted(uniform, side="right"))
    # The sum only rises, so no step is nearer than the two around the uniform; steps at 0 and 1 move no token.
    around = [abs(step - uniform) for step in steps[max(place - 1, 0) : place + 1].tolist() if 0 < step < 1]
    return min(around, default=1.0)
