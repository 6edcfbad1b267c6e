"""docs/mistakes.md: the gallery's mistakes, what goes wrong in each, and the vectors that find it."""

from __future__ import annotations

from collections.abc import Sequence

from specdemo.auditor.vectors.check import TOLERANCES
from specdemo.auditor.vectors.record import Vector
from specdemo.verifiers import mistakes

COMMAND = "python -m specdemo vectors --table docs/mistakes.md"
NAMED = 6


def table(vectors: Sequence[Vector]) -> str:
    """The page in Markdown. Only vectors count that hold in float32, so that no rounding is taken for a find."""
    firm = [vector for vector in vectors if vector.firmness >= TOLERANCES["float32"]]
    lines = [
        "# Mistakes × conformance vectors",
        "",
        f"Made by `{COMMAND}` from the gallery (`specdemo.verifiers.mistakes`) and the vectors (`tests/data/vectors/`); a test keeps it up to date.",
        "",
        "A vector *finds* a mistake if the mistake keeps another number of tokens or emits another one. *In numbers only*: it decides the same",
        "there by luck, but its coin, weight or next law is another, which an implementation that shows them is told.",
        "",
        "| mistake | in | what goes wrong | seen in | found by | in numbers only |",
        "|---|---|---|---|---:|---:|",
    ]
    for name in mistakes.names():
        mistake = mistakes.get(name)
        found, in_numbers = killers(name, firm), [vector for vector in firm if name in vector.kills_in_numbers]
        issue = mistake.issue or ""
        lines.append(
            f"| `{name}` | {mistake.rule} | {mistake.goes_wrong} | {issue} | {len(found)} | {len(in_numbers)} |"
        )
    lines += ["", *_kit(firm), "", *_first_ones(firm)]
    return "\n".join(lines) + "\n"


def killers(mistake: str, vectors: Sequence[Vector]) -> list[Vector]:
    """The vectors on which that mistake decides otherwise."""
    return [vector for vector in vectors if mistake in vector.kills]


def kit(rule: str, vectors: Sequence[Vector]) -> list[Vector]:
    """A few vectors of a rule that together find all mistakes in it: at each step the one that finds most of the rest."""
    left = {name for name in mistakes.names() if mistakes.get(name).rule == rule and killers(name, vectors)}
    chosen: list[Vector] = []
    while left:
        best = max(vectors, key=lambda vector: (len(left & set(vector.kills)), vector.margin))
        chosen.append(best)
        left -= set(best.kills)
    return chosen


def _kit(vectors: Sequence[Vector]) -> list[str]:
    lines = [
        "## The smallest kit",
        "",
        "These few already find every mistake (chosen one by one, each for what it finds of the rest, then for its margin). ● found, · not.",
    ]
    for rule in dict.fromkeys(mistakes.get(name).rule for name in mistakes.names()):
        chosen = kit(rule, vectors)
        names = [name for name in mistakes.names() if mistakes.get(name).rule == rule]
        lines += ["", f"| {rule} | " + " | ".join(vector.case.name for vector in chosen) + " |"]
        lines.append("|---|" + ":-:|" * len(chosen))
        for name in names:
            lines.append(
                f"| `{name}` | " + " | ".join("●" if name in vector.kills else "·" for vector in chosen) + " |"
            )
    return lines


def _first_ones(vectors: Sequence[Vector]) -> list[str]:
    lines = [
        "## The firmest vectors for each mistake",
        "",
        f"By margin × condition, at most {NAMED}.",
        "",
        "| mistake | vectors |",
        "|---|---|",
    ]
    for name in mistakes.names():
        found = sorted(killers(name, vectors), key=lambda vector: -vector.firmness)[:NAMED]
        lines.append(f"| `{name}` | " + ", ".join(vector.case.name for vector in found) + " |")
    return lines
