"""The paper's table from a summary: every number is the summary's, what is missing is said, the paper's averages stand where ours compare."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from specdemo.lab.sweep_summary import summarise
from specdemo.lab.table import AVERAGE, FIGURES, table_csv, table_text, tables
from tests.lab.swept import the_cells, the_head, the_rows


def summary(rows: int | None = None, gammas: tuple[int, ...] | None = None) -> dict[str, Any]:
    cells = [cell.to_json() for cell in the_cells()]
    chosen = [row for row in the_rows()[:rows] if gammas is None or row["cell"]["gamma"] in gammas]
    return summarise([the_head()], chosen, cells)


def put(found: dict[str, Any], **setting: Any) -> dict[str, Any]:
    """The summary as if another temperature or cut had been asked for."""
    changed = json.loads(json.dumps(found))
    for part in ("results", "texts", "averages"):
        for record in changed[part]:
            record["setting"] |= setting
    return changed


def result_of(found: dict[str, Any], task: str, gamma: int) -> dict[str, Any]:
    return next(r for r in found["results"] if r["setting"]["task"] == task and r["setting"]["gamma"] == gamma)


def test_every_number_is_the_summarys() -> None:
    found = summary()
    both = tables(found)
    assert [one.gamma for one in both] == [2, 4]
    for one in both:
        assert [line.name for line in one.lines] == ["cats", "dogs", AVERAGE]
        for line in one.lines[:-1]:
            result = result_of(found, line.name, one.gamma)
            token, block = (result["rules"][rule] for rule in ("token", "block"))
            assert line.figures["token"] == token["texts"]["efficiency"]
            assert line.figures["block"] == block["texts"]["efficiency"]
            assert line.figures["gain"] == block["texts"]["gain"]
            assert line.figures["block_speed"] == block["speed"]["over_plain"]
            assert line.figures["speed_gain"]["mean"] == block["speed"]["over_token"]["mean"] - 1
            assert (line.text_prompts, line.timed_prompts) == (result["prompts"], result["prompts"])
            mean = block["texts"]["efficiency"]["mean"] / token["texts"]["efficiency"]["mean"] - 1
            assert line.figures["gain"]["mean"] == pytest.approx(mean)
        average, tasks = one.lines[-1], one.lines[:-1]
        for name in ("token", "block", "token_speed", "block_speed"):
            assert average.figures[name]["mean"] == pytest.approx(sum(line.figures[name]["mean"] for line in tasks) / 2)
        means = [average.figures[name]["mean"] for name in ("token", "block")]
        assert average.figures["gain"]["mean"] == pytest.approx(means[1] / means[0] - 1)
        assert one.missing == [] and one.untimed == []


def test_the_text_holds_the_numbers_and_the_papers_where_they_are_known() -> None:
    two, four = tables(put(summary(), temperature=1.0))
    text = table_text(four, markdown=True)
    lines = text.splitlines()
    assert lines[0].startswith("|  | prompts | token | block | gain | token × plain")
    cats = four.lines[0].figures
    assert lines[2].startswith(
        f"| cats | 3 | {cats['token']['mean']:.2f} | {cats['block']['mean']:.2f} | {cats['gain']['mean']:+.1%}"
    )
    assert lines[-1] == "| Sun et al., average of eight tasks |  | 2.89 | 2.99 | +3.5% |  |  |  |"
    assert table_text(two).splitlines()[-1] == "Sun et al. report no average at γ = 2."
    assert (two.paper, four.no_paper) == (None, None)
    assert "│" not in table_text(four) and len(table_text(four).splitlines()) == 6


def test_the_papers_numbers() -> None:
    from specdemo.lab.table import PAPER, _paper_row

    assert PAPER[8] == {"token": 3.41, "block": 3.70, "token_speed": 2.30, "block_speed": 2.45}
    assert _paper_row(PAPER[8])[2:] == ["3.41", "3.70", "+8.5%", "2.30", "2.45", "+6.5%"]
    assert _paper_row(PAPER[6])[2:] == ["3.23", "3.43", "+6.2%", "", "", ""]


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({}, "of temperature 1 without cuts"),  # the sweep's own is 0.8
        ({"temperature": 1.0, "top_k": 5}, "of temperature 1 without cuts"),
        ({"temperature": 1.0, "top_p": 0.9}, "of temperature 1 without cuts"),
    ],
)
def test_the_papers_averages_stand_only_where_they_compare_with_something(setting: dict[str, Any], words: str) -> None:
    four = tables(put(summary(), **setting))[1]
    assert four.paper is None and words in str(four.no_paper)
    text = table_text(four)
    assert "2.99" not in text and text.endswith(str(four.no_paper))


def test_the_papers_averages_stand_beside_no_single_task() -> None:
    found = put(summary(rows=1), temperature=1.0)
    four = tables(found)[1]
    assert len(four.lines) == 2 and four.paper is None and "no single one" in str(four.no_paper)
    assert tables(put(summary(rows=0), temperature=1.0))[1].no_paper is None, (
        "where nothing is measured nothing is said"
    )


def test_texts_of_one_gamma_give_the_efficiencies_of_all() -> None:
    """Only γ = 4 was timed: at γ = 2 the efficiencies stand, the speeds are missing and are said to be."""
    partial, whole = tables(summary(gammas=(4,))), tables(summary())
    assert partial[0].untimed == ["cats", "dogs"] and partial[1].untimed == []
    for mine, all_of_it in zip(partial[0].lines, whole[0].lines, strict=True):
        for name in FIGURES[:3]:
            assert mine.figures[name] == all_of_it.figures[name]
        assert [mine.figures[name] for name in FIGURES[3:]] == [None] * 3
    assert "No times yet at γ = 2: cats, dogs." in table_text(partial[0])


def test_texts_of_which_other_blocks_were_looked_at_are_others() -> None:
    found = summary()
    other = put(found)["texts"][0]
    other["longest"] = 3
    for figures in other["rules"].values():
        figures["efficiency"] = [None] * 6
    assert tables({**found, "texts": [other, *found["texts"]]}) == tables(found)


def test_an_interval_that_says_nothing_is_left_out() -> None:
    from specdemo.lab.table import _gain

    assert _gain({"mean": 0.1, "low": -0.05, "high": 0.25}) == "+10.0% [-5.0, +25.0]"
    assert _gain({"mean": 0.1, "low": -2.0, "high": 3.0}) == "+10.0% [interval too wide]"


def test_a_task_without_a_row_is_missing() -> None:
    found = tables(summary(rows=1))
    assert [line.name for line in found[1].lines] == ["cats", AVERAGE] and found[1].missing == ["dogs"]
    assert "Not measured yet: dogs." in table_text(found[1])
    assert found[1].lines[0].figures["gain"]["low"] is None, "one prompt has no interval"
    assert "[" not in table_text(found[1])
    nothing = tables(summary(rows=0))
    assert nothing[0].lines == [] and table_text(nothing[0]) == "Not measured yet: cats, dogs."


def test_the_csv_has_everything() -> None:
    found = tables(summary())
    rows = list(csv.DictReader(io.StringIO(table_csv(found))))
    assert [(row["gamma"], row["task"]) for row in rows] == [
        (g, t) for g in ("2", "4") for t in ("cats", "dogs", AVERAGE)
    ]
    for row, line in zip(rows, [line for one in found for line in one.lines], strict=True):
        for name in FIGURES:
            for ending, part in (
                ("", "mean"),
                ("_standard_error", "standard_error"),
                ("_low", "low"),
                ("_high", "high"),
            ):
                assert float(row[name + ending]) == line.figures[name][part]
    assert rows[0]["temperature"] == "0.8" and rows[0]["draft"] == "tiny-draft"
