"""How many tokens of a prompt are read while others wait: reading them is one step that nobody can interrupt."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from specdemo.pages.request import LIMITS, RequestError

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
        raise RequestError(_words(f"{read_already:,}", None))
    for prompt in prompts:
        if len(prompt.encode("utf-8", "replace")) <= most:  # a token has a byte at least
            continue
        encoded = pair.encode(prompt)
        if len(encoded.ids) > most:
            sample = prompt[:_SAMPLE_CHARACTERS]
            fits = most * len(sample) // max(1, len(pair.encode(sample).ids))
            count = f"{len(encoded.ids):,}" if encoded.notice is None else f"more than {len(encoded.ids):,}"
            raise RequestError(_words(count, fits))


def _words(count: str, fits: int | None) -> str:
    characters = "" if fits is None else f", which is about {max(100, fits // 100 * 100):,} characters of this text"
    return (
        f"The prompt has {count} tokens. At most {LIMITS['prompt_tokens']:,} are read here, because others wait meanwhile{characters}: "
        "shorten it, or decode it on your own machine (python -m specdemo decode), where only the models' own limit counts"
    )
