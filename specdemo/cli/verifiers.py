"""`specdemo verifiers`: the registered rules."""

from __future__ import annotations

import argparse
import json


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Print name, title, source and losslessness of every verifier."""
    from specdemo import verifiers

    rules = [verifiers.get(name) for name in verifiers.names()]
    if options.json:
        fields = ("name", "title", "source", "lossless")
        print(
            json.dumps(
                [{field: getattr(rule, field) for field in fields} for rule in rules], ensure_ascii=False, indent=2
            )
        )
        return 0
    for rule in rules:
        print(f"{rule.name:<10} {rule.title} · lossless: {rule.lossless}\n{'':<10} {rule.source}")
    return 0
