"""Where a run stands between two blocks: all that is needed to go on, on any replica."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from specdemo.sentences import sentence
from specdemo.trace.digest import PAIR_FIELDS


@dataclass(frozen=True)
class RunState:
    """The text so far (`ids`, prompt included), the `prompt_length` in tokens, the index of the next `block`, memory and digest.

    `made_with` says of which distributions the memory is, as far as that is known (see the function of this name).
    """

    ids: tuple[int, ...]
    prompt_length: int
    block: int = 0
    memory: Any = None
    digest: str = ""
    made_with: dict[str, Any] = field(default_factory=dict, compare=False)

    def after(self, committed: Sequence[int], memory: Any, digest: str) -> RunState:
        """The state after a block."""
        return RunState((*self.ids, *committed), self.prompt_length, self.block + 1, memory, digest, self.made_with)

    def check(self, vocab_size: int, context_limit: int) -> RunState:
        """Itself, if it can have come from a run of such a pair; ValueError saying what cannot be."""
        if not _integer(self.prompt_length) or not 1 <= self.prompt_length <= len(self.ids):
            raise ValueError(
                f"resume.prompt_length is {self.prompt_length!r}: it must be in 1 … {len(self.ids)}, the number of ids"
            )
        for place, token in enumerate(self.ids):
            if not _integer(token) or not 0 <= token < vocab_size:
                raise ValueError(f"resume.ids[{place}] is {token!r}: it must be an integer in 0 … {vocab_size - 1}")
        if len(self.ids) > context_limit + 1:  # the very last token of a run that fills the context is one nobody reads
            raise ValueError(f"resume.ids holds {len(self.ids)} tokens, this pair reads at most {context_limit}")
        new_tokens = len(self.ids) - self.prompt_length
        if not _integer(self.block) or not 0 <= self.block <= new_tokens:
            raise ValueError(
                f"resume.block is {self.block!r}: every block adds at least one token, so it must be in 0 … {new_tokens}"
            )
        if not isinstance(self.digest, str):
            raise ValueError(f"resume.digest is {self.digest!r}: it must be a string")
        return self

    def check_made_with(self, here: dict[str, Any]) -> None:
        """ValueError if there is a memory, and of other distributions than those of a run that is `made_with` what `here` says."""
        for name, value in here.items():
            if self.memory is not None and (made := self.made_with.get(name, value)) != value:
                raise ValueError(sentence("memory_of_others", name=name, made=str(made), here=str(value)))


def made_with(trace: dict[str, Any]) -> dict[str, Any]:
    """What decides D and T in a run, from its trace or head: a memory holds quotients of these distributions, and is of no use to others."""
    pair = {name: trace["pair"][name] for name in PAIR_FIELDS}
    return {"pair": pair.pop("name"), **pair, **{name: trace["settings"][name] for name in ("temperature", "top_k", "top_p")}}


def _integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def state_of(trace: dict[str, Any], blocks: int | None = None) -> RunState:
    """The state after the first `blocks` blocks of a trace (all of them by default).

    ValueError where the trace has fewer blocks, or where it was resumed and begins later than at its prompt.
    """
    count = len(trace["blocks"])
    if blocks is not None and not 0 <= blocks <= count:
        raise ValueError(f"blocks is {blocks}: the trace has {count}")
    if count and trace["blocks"][0]["index"] != 0:
        raise ValueError(f"the trace begins at block {trace['blocks'][0]['index']}: the text before it is missing")
    done = trace["blocks"] if blocks is None else trace["blocks"][:blocks]
    ids = [*trace["prompt"]["ids"], *(i for block in done for i in block["committed"])]
    following = trace["blocks"][len(done)]["memory"] if len(done) < len(trace["blocks"]) else trace.get("memory")
    if done and done[-1]["finish"] is not None:
        following = None  # see Step.next_memory; traces used to hold the memory of the block before it was cut
    digest = done[-1]["digest"] if done else trace["head_digest"]
    return RunState(tuple(ids), len(trace["prompt"]["ids"]), len(done), following, digest, made_with(trace))
