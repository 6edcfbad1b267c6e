"""What the models' context cut short is told: prompts of which only the end was read, texts and runs that ended where it was full."""

from __future__ import annotations

import functools
from typing import Any

from specdemo.cli.lab_choice import context_words
from specdemo.cli.lab_report import lab_answer, lab_report
from specdemo.lab.sweep_cell import measure
from specdemo.lab.sweep_cells import Grid, PairIdentity
from specdemo.lab.sweep_context import context_records
from specdemo.lab.sweep_file import head_of
from specdemo.lab.sweep_summary import summarise
from specdemo.lab.tasks import Task
from specdemo.trace.run import pair_facts
from tests.lab.swept import the_rows
from tests.tiny import tiny_pair

LONG = Task("long", "long", "", ("the cat sat on the mat " * 9, "the cat"))
SHORT = Task("short", "short", "", ("a cat sat",))
CONTEXT, ASKED = 32, 60


@functools.cache
def summary() -> dict[str, Any]:
    """Two tasks whose texts outgrow the context; of one a prompt does too. Without an end of text, every text fills it."""
    pair = tiny_pair(context=CONTEXT, eos=None)
    grid = Grid((LONG, SHORT), rules=("token", "block"), gammas=(1, 2), temperatures=(1.0,), max_new_tokens=ASKED)
    cells = grid.cells([PairIdentity.of(pair)])
    return summarise([head_of([pair_facts(pair)], 1)], [{**measure(pair, cell), "engine": "local"} for cell in cells])


def test_cut_prompts_and_short_texts_are_counted() -> None:
    long, short = summary()["context"]
    assert long["setting"] == {
        "draft": "tiny-draft", "task": "long", "temperature": 1.0, "top_k": 0, "top_p": 1.0, "max_new_tokens": ASKED,
    }  # fmt: skip
    assert (long["prompts"], long["cut"], long["read"]) == (2, 1, [CONTEXT // 2, CONTEXT // 2])
    assert "only the last 16 are used" in long["notice"]
    assert (short["prompts"], short["cut"], short["read"], short["notice"]) == (1, 0, None, None)
    assert (long["texts"], long["ended"], long["runs"], long["runs_ended"]) == (2, 2, 8, 8)
    assert (short["texts"], short["ended"], short["runs"], short["runs_ended"]) == (1, 1, 4, 4)


def test_where_all_is_read_and_written_there_is_nothing_to_tell() -> None:
    assert context_records(the_rows()) == []
    empty = [
        {**row, "statistics": {**row["statistics"], "notice": "The prompt is empty …", "prompt_tokens": 1}}
        for row in the_rows()
    ]
    assert context_records(empty) == [], "an empty prompt is not one that was cut"


def test_the_report_says_so_beside_the_table() -> None:
    text, markdown = lab_report(summary()), lab_answer(summary())["markdown"]
    prompts = "long: 1 of 2 prompts did not fit into the models' context of 32 tokens: only the last 16 tokens were read. (The prompt has "
    texts = (
        "short: the models' context of 32 tokens was full before 60 tokens were written, in 1 of 1 texts of plain decoding and in 4 of 4 "
        "runs of the rules: these texts are shorter."
    )
    for said in (text, markdown):
        for words in (prompts, texts):
            assert said.count(words) == 1
            assert (
                said.index("60 tokens a text at most\n")
                < said.index(words)
                < said.index("prompts  token" if said is text else "| prompts |")
            )
    assert context_words(summary(), {"draft": "another"}) == []
