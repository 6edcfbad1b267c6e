"""`python -m specdemo.examples`: find and write the example traces, then the screenshots (where Chromium is installed)."""

from __future__ import annotations

import argparse
import sys

from specdemo.decoding.threads import use_fitting_threads
from specdemo.examples import files
from specdemo.examples.kinds import KINDS
from specdemo.examples.search import find
from specdemo.pairs import Pair, load_pair


def main() -> int:
    """Write everything; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m specdemo.examples", description=__doc__)
    parser.add_argument("--only", choices=["traces", "screenshots"], help="write only these")
    options = parser.parse_args()
    if options.only != "screenshots":
        pairs: dict[str, Pair] = {}
        entries = []
        for kind in KINDS:
            if kind.draft not in pairs:
                pairs[kind.draft] = load_pair("stories", draft=kind.draft, device="cpu", dtype="float32")
                use_fitting_threads(pairs[kind.draft])
            trace, block = find(kind, pairs[kind.draft])
            entries.append(files.write(kind, trace, block))
            print(f"{kind.name}: block {block} of seed {trace['settings']['seed']}, {trace['prompt']['text'][:50]!r}")
        files.write_index(entries)
    if options.only != "traces":
        from specdemo.examples.screenshots import take_all

        for path in take_all():
            print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
