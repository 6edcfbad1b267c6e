"""`specdemo pairs`: what can be chosen with --pair and --draft."""

from __future__ import annotations

import argparse
import json
from typing import Any


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Print the registry."""
    from specdemo.pairs import registry

    found: list[dict[str, Any]] = [
        {
            "name": entry.name,
            "title": entry.title,
            "drafts": {name: title for name, (title, _) in entry.drafts.items()},
            "embedded": entry.embedded,
            "available": entry.available() if entry.embedded else None,
            "note": entry.note,
        }
        for entry in registry.entries()
    ]
    if options.json:
        print(json.dumps(found, ensure_ascii=False, indent=2))
        return 0
    for pair in found:
        where = (
            ("ships with specdemo" if pair["available"] else "files are missing")
            if pair["embedded"]
            else "from the hub"
        )
        print(f"{pair['name']:<12} {pair['title']} · {where}")
        for name, title in pair["drafts"].items():
            print(f"{'':<12}   --draft {name}: {title}")
    return 0
