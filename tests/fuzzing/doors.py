"""Every door that strangers can knock at, as a function that is given a text, and fails where the answer is not one that a page can show.

The stream of a run (streams.py) is given more than a text: how its asker behaves.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from specdemo.pages.failures import UNEXPECTED
from specdemo.pages.lab_answers import lab_answers
from specdemo.pages.models import Models
from specdemo.pages.service import Service
from specdemo.pages.turns import Turns
from specdemo.sandbox.answers import ANSWERS
from specdemo.standalone import filled, record_of, template
from specdemo.trace import made_with
from specdemo.trace.schema import check_trace
from tests.fuzzing import streams
from tests.fuzzing.hostile import texts
from tests.sandbox.states import model_c, two_symbols

PAIR = "stories"
LONGEST_SENTENCE = 1500
DRAFTS = ("192", "96", "self")
# Where this program and its user live: for nobody else to know.
PLACES = (f"{Path(__file__).resolve().parents[2]}/", f"{Path.home()}/")


@dataclass(frozen=True)
class Door:
    """Its name, the good records, and what is done with a text: whether it was accepted; AssertionError where the answer is not fit to be shown.

    `hostile` makes of the good records what else it is knocked at with.
    """

    name: str
    good: tuple[Any, ...]
    knock: Callable[[Any], bool]
    # With models behind it, it is slower by far.
    slow: bool = False
    hostile: Callable[..., Any] = texts


@functools.cache
def service() -> Service:
    """A service with a tiny pair, whose short context bounds every run."""
    from tests.tiny import tiny_pair

    pair = tiny_pair(context=24, eos=None, chat=True)
    return Service(Models(load=lambda name, draft, progress: pair, fetch=lambda name, draft, progress: None))


@functools.cache
def trace() -> dict[str, Any]:
    """A short run of the tiny pair."""
    from specdemo.decoding import decode_run
    from tests.tiny import tiny_pair

    found: dict[str, Any] = decode_run(tiny_pair(context=24, eos=None), "the cat", gamma=2, max_new_tokens=6)
    return json.loads(json.dumps(found))


@functools.cache
def the_file() -> tuple[dict[str, Any], dict[str, Any]]:
    """Head and only row of a very short sweep."""
    from specdemo.lab.sweep_cell import measure
    from specdemo.lab.sweep_cells import Grid, PairIdentity
    from specdemo.lab.sweep_file import head_of
    from specdemo.lab.tasks import Task
    from specdemo.trace.run import pair_facts
    from tests.tiny import tiny_pair

    pair = tiny_pair()
    task = Task("cats", "cats", "", ("the cat",))
    grid = Grid(tasks=(task,), rules=("token", "block"), gammas=(2,), temperatures=(1.0,), seeds=(7,), max_new_tokens=4)
    (cell,) = grid.cells([PairIdentity.of(pair)])
    return head_of([pair_facts(pair)], 1), {**measure(pair, cell), "engine": "local"}


def is_sentence(text: str) -> None:
    """Words for a person: not empty, not endless, no inside of the program."""
    assert 0 < len(text) <= LONGEST_SENTENCE, (len(text), text[:200])
    for inside in ("Traceback", 'File "', *PLACES, "site-packages", "object at 0x"):
        assert inside not in text, text[:300]


def messages_of(kind: str) -> Callable[[str], bool]:
    """A queued request: its messages are JSON with a number each, and the last is an end, or an error in words."""

    def knock(text: str) -> bool:
        found = []
        # A text with half a character comes this way: Gradio hands on what json.loads makes of it.
        for number, message in enumerate(getattr(service(), kind)(text)):
            message.encode()
            found.append(json.loads(message, parse_constant=_refuse))
            assert found[-1]["seq"] == number
        assert found[-1]["kind"] in ("end", "error"), found[-1]["kind"]
        if found[-1]["kind"] == "error":
            is_sentence(found[-1]["text"])
            assert found[-1]["text"] != UNEXPECTED, text[:2000]
        return bool(found[-1]["kind"] == "end")

    return knock


def answer_of(function: Callable[[str], str]) -> Callable[[str], bool]:
    """A question: an answer in JSON, or a ValueError in words."""

    def knock(text: str) -> bool:
        try:
            text.encode()
        except UnicodeEncodeError:
            return False  # a body is bytes, and the gate takes none that are no text
        try:
            answer = function(text)
        except ValueError as error:
            assert type(error).__name__ in ("RequestError", "ValueError"), repr(error)
            is_sentence(str(error))
            return False
        answer.encode()
        json.loads(answer, parse_constant=_refuse)
        return True

    return knock


def as_lines(text: str) -> str:
    """A JSON list as the lines of a file."""
    try:
        lines = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return "\n".join(map(json.dumps, lines)) if isinstance(lines, list) else text


def import_trace(text: str) -> bool:
    """A trace that is imported: refused with the place, or made into a page in which no text of it is anything but text."""
    try:
        trace = json.loads(text)
    except (ValueError, RecursionError):
        return False  # said before the importer is asked
    try:
        page = filled(template("step"), record_of(check_trace(trace)))
    except ValueError as error:  # InvalidTrace is one
        is_sentence(str(error))
        return False
    empty = template("step")
    record = page[len(empty) :] if page.startswith(empty) else page
    assert page.count("</script") - empty.count("</script") <= 1 and page.count("<script") - empty.count("<script") <= 1
    assert "alert(1)</script>" not in record
    page.encode()
    return True


def doors() -> list[Door]:
    """All of them."""
    settings = {
        "verifier": "block", "gamma": 2, "temperature": 1.0, "top_k": 0, "top_p": 1.0, "seed": 0, "max_new_tokens": 6, "prompt_mode": "text",
    }  # fmt: skip
    run = trace()
    prompt = run["prompt"]["ids"]
    first = run["blocks"][0]
    resume = {
        "ids": prompt + first["committed"], "prompt_length": len(prompt), "block": 1, "memory": None, "digest": first["digest"],
    }  # fmt: skip
    asked = {
        "run": "r",
        "pair": PAIR,
        "draft": None,
        "prompt": "the cat",
        "settings": settings,
        "blocks": 2,
        "resume": None,
    }
    greedy = {**asked, "settings": {**settings, "verifier": "greedy_block"}}
    window = {**resume, "memory": [[1.25, 1]], "made_with": made_with(run)}
    without_length = {name: value for name, value in settings.items() if name not in ("verifier", "max_new_tokens")}
    measured = {"run": "r", "pair": PAIR, "draft": None, "prompt": "the cat", "rules": ["token", "block"]}
    race = {**measured, "settings": {**without_length, "max_new_tokens": 4}, "seeds": 1, "prompt_set": None}
    law = {**measured, "settings": without_length, "samples": 100}
    grid = {
        "pair": PAIR, "drafts": ["192"], "tasks": [], "own": {"content": "the cat\na dog", "filename": None, "mode": "text"},
        "rules": ["token", "block"], "gammas": [2], "temperatures": [1.0], "top_ks": [0], "top_ps": [1.0], "seed": 0, "seeds": 1,
        "prompts": 1, "max_new_tokens": 4,
    }  # fmt: skip
    lab = {**grid, "run": "r", "done": [], "seconds": 2.0}
    state = two_symbols(2)
    answers = {**ANSWERS, **lab_answers(Turns())}
    questions: dict[str, tuple[Any, ...]] = {
        "sandbox": (state, model_c()),
        "optimum": (state, model_c()),
        "longrun": ({**state, "blocks": 3},),
        "audit": ({"rule": "token"},),
        "presets": ({"seed": 1, "symbols": 3, "gamma": 2, "context": "free"},),
        "lab-plan": (grid,),
        "lab-summary": ([{"grid": None, "name": "the file"}, *the_file()],),
    }
    assert set(questions) == set(answers), "a question without a fuzz target"
    return [
        Door(
            "decode",
            (asked, {**asked, "resume": resume}, {**asked, "rules": ["token", "block"]}),
            messages_of("decode"),
            slow=True,
        ),
        Door("resume", ({**asked, "resume": resume}, {**greedy, "resume": window}), messages_of("decode"), slow=True),
        Door("race", (race,), messages_of("race"), slow=True),
        Door("law", (law,), messages_of("law"), slow=True),
        Door("lab", (lab,), messages_of("lab"), slow=True),
        Door(
            "stream",
            tuple(
                {"kind": kind, "request": request}
                for kind, request in (
                    ("decode", asked),
                    ("decode", {**asked, "resume": resume}),
                    ("race", race),
                    ("law", law),
                    ("lab", lab),
                )
            ),
            streams.knock,
            slow=True,
            hostile=streams.asked,
        ),
        *(
            Door(name, good, answer_of(answers[name]), slow=name == "audit")
            for name, good in questions.items()
            if name != "lab-summary"
        ),
        Door("lab-summary", questions["lab-summary"], lambda text: answer_of(answers["lab-summary"])(as_lines(text))),
        Door("trace", (run, {**run, "blocks": run["blocks"][:1]}), import_trace),
    ]


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no number of JSON")
