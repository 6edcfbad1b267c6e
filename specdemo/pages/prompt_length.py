"""How many tokens of a prompt are read while others wait: reading them is one step that nobody can interrupt."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from specdemo.pages.request import LIMITS, RequestError
from specdemo.sentences import sentence

if TYPE_CHECKING:
    from specdemo.pairs import Pair

# What a chat template adds to a message, with room to spare.
_TEMPLATE = 256
_SAMPLE_CHARACTERS = 2_000


def check_prompts(pair: Pair, prompts: Iterable[str], read_already: int = 0) -> None:
    """RequestError with what would be right where a prompt is longer than LIMITS["prompt_tokens"] on a CPU; a GPU reads any in no time.

    It is refused, not cut: the same link has to give the same run everywhere. `read_already`: the ids of a prompt that a resumed run hands back.
    """
    most = LIMITS["prompt_tokens"]
    if pair.device.type != "cpu":
        return
    if read_already > most + _TEMPLATE:
        raise RequestError(sentence("prompt_long", count=read_already, most=most))
    for prompt in prompts:
        if len(prompt.encode("utf-8", "replace")) <= most:  # a token has a byte at least
            continue
        encoded = pair.encode(prompt)
        if len(encoded.ids) > most:
            sample = prompt[:_SAMPLE_CHARACTERS]
            fits = most * len(sample) // max(1, len(pair.encode(sample).ids))
            code = "prompt_long_fits" if encoded.notice is None else "prompt_longer"
            characters = max(100, fits // 100 * 100)
            raise RequestError(sentence(code, count=len(encoded.ids), most=most, characters=characters))
