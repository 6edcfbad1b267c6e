"""The head of a trace, and a whole run from its head and blocks."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from datetime import datetime, timezone
from importlib import metadata
from typing import TYPE_CHECKING, Any

from specdemo.trace.block import BlockRecord
from specdemo.trace.digest import head_digest

if TYPE_CHECKING:
    from specdemo.pairs.pair import EncodedPrompt, Pair

SCHEMA = "specdemo.trace/1"
DEFAULT_RULES = ("token", "block")


def run_head(
    pair: Pair, prompt: EncodedPrompt, settings: dict[str, Any], rules: Sequence[str] = DEFAULT_RULES
) -> dict[str, Any]:
    """The trace without blocks: what was asked of what, by which versions."""
    head: dict[str, Any] = {
        "schema": SCHEMA,
        "created": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "versions": versions(),
        "pair": pair_facts(pair),
        "settings": settings,
        "prompt": _prompt_part(prompt),
        "pieces": pair.pieces.table(prompt.ids),
        "verifiers": list(dict.fromkeys([*rules, settings["verifier"]])),
        "blocks": [],
        "finish": None,
        "smallest_margin": None,
        "memory": None,
    }
    head["head_digest"] = head["digest"] = head_digest(head)
    return head


def _prompt_part(prompt: EncodedPrompt) -> dict[str, Any]:
    part: dict[str, Any] = {"text": prompt.text, "ids": prompt.ids, "notice": prompt.notice}
    if prompt.message is not None:
        part["message"] = list(prompt.message)
    return part


def pair_facts(pair: Pair) -> dict[str, Any]:
    """What a record says of the pair: names, exact weights, sizes, device."""
    return {
        "name": pair.name,
        "title": pair.title,
        "draft": pair.draft_name,
        "draft_revision": pair.draft_revision,
        "target_revision": pair.target_revision,
        "vocab_size": pair.vocab_size,
        "context_limit": pair.context_limit,
        "device": str(pair.device),
        "dtype": pair.dtype,
        "eos_token_ids": sorted(pair.eos_token_ids),
    }


def whole_run(head: dict[str, Any], records: Iterable[BlockRecord]) -> dict[str, Any]:
    """A trace: the head with blocks, finish, digest and smallest margin filled in. The head itself is left as it is."""
    trace = {**head, "blocks": list(head["blocks"])}
    for record in records:
        block = record.to_json()
        trace["blocks"].append(block)
        trace["finish"], trace["digest"], trace["memory"] = block["finish"], block["digest"], record.state.memory
        margins = [m for m in (trace["smallest_margin"], block["margin"]) if m is not None]
        trace["smallest_margin"] = min(margins)
    return trace


def versions() -> dict[str, str]:
    """The versions of this package and of what the numbers depend on."""
    from specdemo import __version__

    found = {"specdemo": __version__, "python": platform.python_version()}
    for name in ("numpy", "torch", "transformers"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "absent"
    return found
