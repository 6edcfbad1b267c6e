"""`specdemo verifiers`: the registered rules, and the gallery of mistakes."""

from __future__ import annotations

import argparse
import json


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument(
        "--mistakes", action="store_true", help="list the gallery of mistakes instead, each with what goes wrong"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Print name, title, source and losslessness of every verifier, or what goes wrong with every mistake."""
    from specdemo import verifiers
    from specdemo.verifiers import mistakes

    fields: tuple[str, ...]
    if options.mistakes:
        fields = ("name", "title", "rule", "goes_wrong", "issue")
        records = [{field: getattr(mistakes.get(name), field) for field in fields} for name in mistakes.names()]
    else:
        fields = ("name", "title", "source", "lossless")
        records = [{field: getattr(verifiers.get(name), field) for field in fields} for name in verifiers.names()]
    if options.json:
        print(json.dumps(records, ensure_ascii=False, indent=2))
        return 0
    width = max(len(record["name"]) for record in records) + 1
    for record in records:
        if options.mistakes:
            seen = f" Seen in {record['issue']}." if record["issue"] else ""
            print(f"{record['name']:<{width}} {record['title']}\n{'':<{width}} {record['goes_wrong']}{seen}")
        else:
            print(
                f"{record['name']:<{width}} {record['title']} · lossless: {record['lossless']}\n{'':<{width}} {record['source']}"
            )
    return 0
