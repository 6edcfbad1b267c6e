"""What the models' context made shorter than was asked for: prompts of which only the end was read, and texts that ended where it was full."""

from __future__ import annotations

from collections.abc import Iterable

from specdemo.lab.lane_names import PLAIN
from specdemo.lab.sweep_pool import Row
from specdemo.lab.sweep_settings import TEXT_SETTING, Json, grouped_by


def context_records(rows: Iterable[Row]) -> list[Json]:
    """One record for each setting without γ and rules in which there is something to tell (docs/lab.md, `context`)."""
    found = (_record(group) for group in grouped_by(rows, TEXT_SETTING).values())
    return [record for record in found if record["cut"] or record["ended"] or record["runs_ended"]]


def is_cut(row: Row) -> bool:
    """Whether only the end of the row's prompt was read. The other notice is of an empty prompt, of which a single token is read."""
    statistics = row["statistics"]
    return statistics["notice"] is not None and statistics["prompt_tokens"] > 1


def _record(rows: list[Row]) -> Json:
    cut = [row for row in rows if is_cut(row)]
    read = [row["statistics"]["prompt_tokens"] for row in cut]
    runs = [run for row in rows for name, run in row["statistics"]["runs"].items() if name != PLAIN]
    return {
        "setting": {name: rows[0]["cell"][name] for name in TEXT_SETTING},
        "prompts": len({row["cell"]["prompt"] for row in rows}),
        "cut": len({row["cell"]["prompt"] for row in cut}),
        "read": [min(read), max(read)] if read else None,
        "notice": cut[0]["statistics"]["notice"] if cut else None,
        "texts": len({_text(row) for row in rows}),
        "ended": len({_text(row) for row in rows if row["statistics"]["runs"][PLAIN]["finish"] == "context"}),
        "runs": len(runs),
        "runs_ended": sum(run["finish"] == "context" for run in runs),
    }


def _text(row: Row) -> tuple[int, int]:
    """Plain decoding writes one text of a prompt with a seed, whatever γ and the rules are."""
    return row["cell"]["prompt"], row["cell"]["seed"]
