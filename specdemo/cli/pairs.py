"""`specdemo pairs`: what can be chosen with --pair and --draft."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from specdemo.pairs.registry import PairEntry


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Print the registry."""
    from specdemo.pairs import registry

    found = registry.entries()
    if options.json:
        print(json.dumps([_facts(entry) for entry in found], ensure_ascii=False, indent=2))
        return 0
    for entry in found:
        print(f"{entry.name:<12} {entry.title} · {_where(entry)}")
        for name, (title, _) in entry.drafts.items():
            print(f"{'':<12}   --draft {name}: {title}")
        if entry.hint():
            print(f"{'':<12}   {entry.hint()}")
    return 0


def _facts(entry: PairEntry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "title": entry.title,
        "drafts": {name: title for name, (title, _) in entry.drafts.items()},
        "embedded": entry.embedded,
        # Nobody knows of the hub before it is asked.
        "available": None if entry.available() and not entry.embedded else entry.available(),
        "note": entry.note,
        "hint": entry.hint(),
        "prompt_mode": entry.prompt_mode,
        "examples": list(entry.examples),
    }


def _where(entry: PairEntry) -> str:
    package = entry.target.package
    if not entry.available():
        return "files are missing"
    if not entry.embedded:
        return "from the hub"
    return "ships with specdemo" if package is None else f"installed ({package.distribution} {package.version()})"
