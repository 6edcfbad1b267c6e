"""Rows of one setting put together: sums over groups, and from them estimates with errors that count prompts (docs/lab.md, "Groups").

A group is a prompt with all its seeds, or, where a task has one prompt, a seed. Rows are sorted first, so that nothing depends on who measured
what when.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from specdemo.lab.estimates import Estimate, ratio_of_sums
from specdemo.lab.lane_names import PARTS, PLAIN
from specdemo.lab.sweep_cells import TOKEN

Row = Mapping[str, Any]
Grouping = Literal["prompt", "seed"]
COSTS = ("draft_step_ms", "target_step_ms", "target_call_ms", "c", "v")


@dataclass(frozen=True)
class Pool:
    """Rows in groups, all of one setting. Whatever is about time is only for a pool of `timed` rows."""

    rows: tuple[Row, ...]
    groups: tuple[tuple[Row, ...], ...]
    grouping: Grouping

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Pool:
        """The pool of rows of one setting, at least one."""
        ordered = tuple(sorted(rows, key=lambda row: (row["cell"]["prompt"], row["cell"]["seed"])))
        grouping: Grouping = "prompt" if len({row["cell"]["prompt"] for row in ordered}) > 1 else "seed"
        groups: dict[int, list[Row]] = {}
        for row in ordered:
            groups.setdefault(row["cell"][grouping], []).append(row)
        return cls(ordered, tuple(map(tuple, groups.values())), grouping)

    def count(self, of: Literal["prompt", "seed"]) -> int:
        """How many different prompts or seeds there are."""
        return len({row["cell"][of] for row in self.rows})

    def facts(self) -> dict[str, Any]:
        """How much was measured, and what the errors count."""
        return {
            "prompts": self.count("prompt"), "seeds": self.count("seed"), "groups": self.grouping, "group_count": len(self.groups),
        }  # fmt: skip

    @property
    def timed(self) -> Pool | None:
        """Those of the rows that have times; None where none has."""
        rows = [row for row in self.rows if row["timings"] is not None]
        return Pool.of(rows) if rows else None

    def ratio(self, numerator: Callable[[Row], float], denominator: Callable[[Row], float]) -> Estimate | None:
        """Σ numerator / Σ denominator over all rows, with the influence of each group; None where the denominators are 0."""
        sums, sizes = ([sum(map(of, group)) for group in self.groups] for of in (numerator, denominator))
        return ratio_of_sums(sums, sizes) if sum(sizes) > 0 else None

    def run_efficiency(self, rule: str) -> Estimate:
        """Block efficiency in the rule's own runs."""
        return _there(self.ratio(lambda row: _run(row, rule)["expected"], lambda row: _run(row, rule)["calls"]))

    def block_efficiency(self, rule: str) -> Estimate:
        """What the rule keeps a call of the blocks that all rules are asked about."""
        return _there(self.ratio(lambda row: _blocks(row)["expected"][rule], lambda row: _blocks(row)["count"]))

    def acceptance(self, rule: str) -> list[Estimate | None]:
        """P(τ ≥ i) / P(τ ≥ i − 1) for i = 1 … γ: of the calls that keep at least i − 1 tokens, the share that keeps i too."""

        def at(i: int) -> Estimate | None:
            return self.ratio(
                lambda row: _position(row)["kept"][rule][i], lambda row: _position(row)["reached"][rule][i]
            )

        return [at(i) for i in range(self.gamma)]

    def distance(self) -> list[Estimate | None]:
        """The mean of TV(D, T) at position i = 1 … γ of the drafted blocks, after the drafted prefix."""

        def at(i: int) -> Estimate | None:
            return self.ratio(lambda row: _position(row)["tv"][i], lambda row: _position(row)["count"][i])

        return [at(i) for i in range(self.gamma)]

    def seconds_a_token(self, lane: str) -> Estimate:
        """Seconds of all calls of a lane over the tokens that they showed."""
        return _there(self.ratio(lambda row: seconds(_lane(row, lane)), lambda row: _lane(row, lane)["tokens"]))

    def over_plain(self, rule: str) -> Estimate:
        """How many times as fast as plain decoding, paired by group."""
        return self.seconds_a_token(PLAIN).over(self.seconds_a_token(rule))

    def over_token(self, rule: str) -> Estimate:
        """How many times as fast as the token rule, paired by group."""
        return self.seconds_a_token(TOKEN).over(self.seconds_a_token(rule))

    def split(self, lane: str) -> dict[str, float]:
        """Mean milliseconds a call, part by part."""
        calls = sum(_lane(row, lane)["calls"] for row in self.rows)
        return {f"{part}_ms": sum(_lane(row, lane)[f"{part}_ms"] for row in self.rows) / calls for part in PARTS}

    def costs(self) -> dict[str, float] | None:
        """Medians over rows of what each row measured in its own turns; None where none could."""
        return median_costs(self.rows)

    @property
    def gamma(self) -> int:
        """The γ of the setting."""
        return int(self.rows[0]["cell"]["gamma"])


@dataclass(frozen=True)
class TextPool:
    """The target's own texts of a setting without γ and rules, each text once. `longest` is the largest γ looked at."""

    pool: Pool
    longest: int

    @classmethod
    def of(cls, rows: Sequence[Row]) -> TextPool | None:
        """The texts of rows that agree in all but γ and rules, and in `longest`; None where none has a text."""
        texts: dict[tuple[int, int], dict[str, Any]] = {}
        for row in rows:
            if row["statistics"]["text"] is None:
                continue
            at = (row["cell"]["prompt"], row["cell"]["seed"])
            text = row["statistics"]["text"]
            if at not in texts:
                texts[at] = {"cell": row["cell"], "statistics": {**row["statistics"], "text": text}}
            else:  # the same text under other rules
                known = texts[at]["statistics"]["text"]
                texts[at]["statistics"]["text"] = {**known, "rules": {**text["rules"], **known["rules"]}}
        if not texts:
            return None
        found = list(texts.values())
        return cls(Pool.of(found), int(found[0]["statistics"]["text"]["longest"]))

    @property
    def rules(self) -> list[str]:
        """The rules that some text was looked at under."""
        return list(dict.fromkeys(rule for row in self.pool.rows for rule in _text(row)["rules"]))

    def efficiency(self, rule: str, gamma: int) -> tuple[Estimate, Estimate]:
        """The rule's block efficiency, and the token rule's on the very same texts."""
        pool = Pool.of([row for row in self.pool.rows if rule in _text(row)["rules"]])

        def of(name: str) -> Estimate:
            def part(row: Row, what: str) -> float:
                return float(_text(row)["rules"][name][what][gamma - 1])

            return _there(pool.ratio(lambda row: part(row, "gained"), lambda row: part(row, "calls")))

        return of(rule), of(TOKEN)


def median_costs(rows: Sequence[Row]) -> dict[str, float] | None:
    """Medians over rows of the costs of single calls, and of c and v, each a ratio within its row."""
    found = [row["timings"]["costs"] for row in rows if row["timings"] and row["timings"]["costs"]]
    return {name: float(np.median([costs[name] for costs in found])) for name in COSTS} if found else None


def median_load(rows: Sequence[Row]) -> float | None:
    """The median over rows of how many processes wanted a core; None where no row knows."""
    found = [load for row in rows if row["timings"] and (load := row["timings"]["load"]) is not None]
    return float(np.median(found)) if found else None


def seconds(lane: Mapping[str, float]) -> float:
    """The seconds of all calls of a lane."""
    return sum(lane[f"{part}_ms"] for part in PARTS) / 1e3


def _there(estimate: Estimate | None) -> Estimate:
    assert estimate is not None  # every row has calls, blocks and tokens
    return estimate


def _run(row: Row, rule: str) -> Any:
    return row["statistics"]["runs"][rule]


def _blocks(row: Row) -> Any:
    return row["statistics"]["blocks"]


def _position(row: Row) -> Any:
    return row["statistics"]["blocks"]["positions"]


def _text(row: Row) -> Any:
    return row["statistics"]["text"]


def _lane(row: Row, lane: str) -> Any:
    return row["timings"]["lanes"][lane]
