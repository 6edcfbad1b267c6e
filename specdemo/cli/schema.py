"""`specdemo schema`: the JSON Schema of the trace."""

from __future__ import annotations

import argparse
import json


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options: none."""


def run(options: argparse.Namespace) -> int:
    """Print the schema."""
    from specdemo.trace.schema import json_schema

    print(json.dumps(json_schema(), indent=2, ensure_ascii=False))
    return 0
