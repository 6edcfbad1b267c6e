"""For how many seconds a lent GPU is asked for: enough for the request, because what runs on is cut off, and little, because what is asked
for has to fit into what is left of the visitor's share. Only what is used is taken from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from specdemo.pages.lab_request import read_lab_request
from specdemo.pages.measure_request import LawRequest, RaceRequest, read_law, read_race
from specdemo.pages.request import DecodeRequest, read_request
from specdemo.pages.run_time import SLICE_SECONDS

# Moving the models to the GPU and the first call, which chooses kernels.
START_SECONDS = 8.0
# A block of a pair of 2.3 billion weights takes up to a quarter of a second, its record included, and gains three tokens.
SECONDS_PER_TOKEN = 0.1
# A measurement has the GPU for SLICE_SECONDS, then asks anew; besides there is the call that it is at (of a sweep the cell).
CALL_SECONDS = 2.0
# On its newer cards the lender takes what is asked for times 1.5 (the `duration_factor` of `spaces`), and gives visitors who have not
# signed in two minutes a day: what is asked for beyond 80 can never be granted to them.
LEAST, MOST = 10, 75

# The requests that decode, and how their text is read.
READERS: dict[str, Callable[[str], Any]] = {
    "decode": read_request,
    "race": read_race,
    "law": read_law,
    "lab": read_lab_request,
}


def gpu_seconds(kind: str, text: str) -> int:
    """Seconds for a request of a kind of READERS: 10 for a step, 15 for the 64 tokens of a default run, 75 at most."""
    request = READERS[kind](text)
    if isinstance(request, DecodeRequest):
        work = SECONDS_PER_TOKEN * _tokens(request)
    elif isinstance(request, (RaceRequest, LawRequest)):
        work = SLICE_SECONDS + CALL_SECONDS
    else:
        work = 2 * min(SLICE_SECONDS, request.seconds)
    return max(LEAST, min(MOST, math.ceil(START_SECONDS + work)))


def _tokens(request: DecodeRequest) -> int:
    """How many tokens it decodes at most."""
    resume, settings = request.resume, request.settings
    left = settings.max_new_tokens - (len(resume.ids) - resume.prompt_length if resume else 0)
    return max(1, min(left, request.blocks * (settings.gamma + 1)) if request.blocks else left)
