"""What the development page of Compare asks for, answered by the library itself with tiny real models (tests/tiny.py)."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from typing import Any

from specdemo import verifiers
from specdemo.pairs import Pair
from specdemo.trace import RunState
from specdemo.verifiers import Verifier, mistakes

Message = dict[str, Any]

_turn = threading.Lock()


@functools.cache
def pair() -> Pair:
    """The one pair of the process."""
    from tests.tiny import tiny_pair

    return tiny_pair(chat=True)


def config() -> dict[str, Any]:
    """What the page knows before its first request: every rule of the registry and every mistake."""
    rules = [verifiers.get(name) for name in [*verifiers.names(), *mistakes.names()]]
    return {
        "pairs": [_listed("tiny", "text", "chat"), _listed("plain", "text"), _listed("talking", "chat", "text")],
        "verifiers": [_facts(rule) for rule in rules if rule.lossless == "always" and rule.has_residual],
        "rules": [
            {**_facts(rule), "remembers": rule.remembers, "goes_wrong": getattr(rule, "goes_wrong", None)}
            for rule in rules
        ],
        "limits": {"max_new_tokens": [1, 512], "race_runs": [1, 64], "law_samples": [1, 5000]},
        "prompt_sets": [],
        "base": "../../",
    }


def _listed(name: str, *modes: str) -> dict[str, Any]:
    """An entry of the list of pairs, the first mode its own. Whatever is asked for, the one pair answers."""
    return {
        "name": name,
        "title": f"{name.capitalize()} pair",
        "available": True,
        "note": "",
        "drafts": [{"name": "tiny-draft", "title": "tiny"}],
        "context_limit": 96,
        "prompt_modes": list(modes),
        "prompt_mode": modes[0],
    }


def _facts(rule: Verifier) -> dict[str, Any]:
    return {"name": rule.name, "title": rule.title, "source": rule.source, "lossless": rule.lossless}


def decode(request: Message) -> Iterator[Message]:
    """The messages of a run with the request's `rules`, one block each."""
    from specdemo.decoding import Decoding

    resume = request["resume"]
    state = None
    if resume:
        state = RunState(
            tuple(resume["ids"]), resume["prompt_length"], resume["block"], resume["memory"], resume["digest"]
        )
    with _turn:
        run = Decoding(pair(), request["prompt"], rules=request["rules"], resume=state, **request["settings"])
    yield {"kind": "start", "head": run.head} if state is None else {"kind": "start"}
    records = iter(run)
    finish, first = None, state.block if state else 0
    for place in range(first, first + request["blocks"] if request["blocks"] else 10**6):
        with _turn:
            record = next(records, None)
        if record is None:
            break
        finish = record.finish
        yield {"kind": "blocks", "first": place, "blocks": [record.to_json()], "memory": record.state.memory}
    yield {"kind": "end", "finish": finish}


def race(request: Message) -> Iterator[Message]:
    """The messages of a race of the prompt itself."""
    from specdemo.lab.race import race as events

    yield from events(
        pair(), [request["prompt"]], request["rules"], seeds=request["seeds"], lock=_turn, **request["settings"]
    )
    yield {"kind": "end"}


def law(request: Message) -> Iterator[Message]:
    """The messages of a law check."""
    from specdemo.lab.law import law_check

    records = law_check(
        pair(), request["prompt"], request["rules"], samples=request["samples"], lock=_turn, **request["settings"]
    )
    for record in records:
        yield {"kind": "law", "law": record}
    yield {"kind": "end"}
