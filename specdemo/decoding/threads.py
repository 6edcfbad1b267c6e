"""How many threads a forward pass should use: one for small models; for larger ones what is faster on this machine as it is now.

On a machine with nothing else to do a second thread makes a large model's pass shorter; where something else wants the cores, every
product waits for the thread that has lost its turn, and the pass takes several times as long. So it is tried, once for each model.
The number of threads changes no bit of a packed product (`specdemo/pairs/products.py`).
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from specdemo.pairs.pair import Pair

_CACHED, _FED = 32, 5  # tokens before, and tokens fed: a block's call of the target
_TRIES = 3
_LONG = 0.5  # seconds after which no other try is made

_found: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()


def use_fitting_threads(pair: Pair) -> int | None:
    """Set PyTorch's thread count to what suits this pair's target on a CPU, and return it; other devices are left alone (None).

    The count holds for the thread that calls, and for threads that have not used PyTorch yet. A large model's first call takes a moment.
    """
    import torch

    from specdemo.pairs.weights import threads_suited_to, weight_count

    if pair.device.type != "cpu":
        return None
    model = pair.target_model
    threads = threads_suited_to(weight_count(model))
    if threads > 1:
        threads = _found.get(model) or faster_threads(model, threads)
        _found[model] = threads
    if torch.get_num_threads() != threads:
        torch.set_num_threads(threads)
    return threads


def faster_threads(model: Any, most: int, clock: Callable[[], float] = time.perf_counter) -> int:
    """1 or `most`: the number of threads with which the shortest of a few forward passes was shorter."""
    import torch

    from specdemo.decoding.forward import forward_of

    seconds: dict[int, float] = {}
    with torch.inference_mode():
        forward = forward_of(model)
        for turn in range(_TRIES):
            for threads in (most, 1):
                torch.set_num_threads(threads)
                forward.step_back(_CACHED)
                if forward.length < _CACHED:
                    forward([0] * (_CACHED - forward.length), 1)
                started = clock()
                forward([0] * _FED, _FED)
                seconds[threads] = min(clock() - started, seconds.get(threads, float("inf")))
            if sum(seconds.values()) > _LONG and turn:
                break
    return min(seconds, key=lambda threads: (seconds[threads], threads))
