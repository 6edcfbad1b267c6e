"""`python -m specdemo.pairs.corpus --out DIR` writes the corpus as text files, one a source, documents apart by a line of dashes."""

from __future__ import annotations

import argparse
from pathlib import Path

from specdemo.pairs.corpus.build import SOURCES, training_documents


def main() -> None:
    """Write every source to `DIR/<source>.txt`."""
    parser = argparse.ArgumentParser(prog="specdemo.pairs.corpus", description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=60_000, help="generated documents to write")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for source in SOURCES:
        path = arguments.out / f"{source}.txt"
        with path.open("w", encoding="utf-8") as file:
            for document in training_documents(source, arguments.documents):
                file.write("".join(document) + "\n-----\n")
        print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
