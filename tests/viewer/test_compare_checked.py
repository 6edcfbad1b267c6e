"""What the Compare page makes of a link's values: those that make sense, and every other one said."""

from __future__ import annotations

from typing import Any

import pytest

from tests.viewer.compare_page import link
from tests.viewer.javascript import call

NAMES = ("token", "block", "greedy_block", "threshold", "typical")
CONFIG = {
    "rules": [{"name": name} for name in NAMES],
    "limits": {"race_runs": [1, 80], "law_samples": [100, 5000], "seed": [0, 2**53 - 1]},
    "prompt_sets": [{"name": "stories", "count": 40}],
}
FIRST = {"prompt": "", "pair": "p", "draft": "d", "rules": ["token", "block"], "follow": "block", "gamma": 5}
FIRST |= {"temperature": 1, "top_k": 0, "top_p": 1, "seed": 0, "max_new_tokens": 64}


@pytest.fixture
def opened(request: pytest.FixtureRequest) -> Any:
    """What comes of links with these values, read by link.js and checked by checked.js."""

    def read(*links: dict[str, Any]) -> Any:
        hashes = [link(**values) for values in links]
        wants = call(request, "compare/link.js", "return payload.map((hash) => m.decode(hash));", hashes)
        body = "return payload.wants.map((want) => m.checkedLink(want, payload.first, payload.config));"
        return call(request, "compare/checked.js", body, {"wants": wants, "first": FIRST, "config": CONFIG})

    return read


def test_a_link_that_makes_sense_is_taken_whole(opened: Any) -> None:
    asked = {"seeds": 3, "set": "stories", "axis": "predicted", "c": 0.5, "v": 2}
    found, plain = opened(asked | {"gamma": 4, "seed": 2**53 - 1, "race": 1, "law": 1}, {"race": 1})
    assert found["said"] is None and found["starts"] == ["race", "law"]
    assert found["options"]["race"] == {"seeds": 3, "prompt_set": "stories", "axis": "predicted", "c": 0.5, "v": 2}
    assert found["options"]["law"] == {"samples": 600}  # what is not named is what a new page has
    assert found["form"]["gamma"] == 4 and found["form"]["seed"] == 2**53 - 1 and found["form"]["max_new_tokens"] == 40
    assert plain["options"]["race"] == {"seeds": 10, "prompt_set": None, "axis": "calls", "c": None, "v": None}


MISTAKES = [
    ("gamma", "NaN", "γ: a whole number from 1 to 16, not “NaN”"),
    ("gamma", "", "γ: a whole number from 1 to 16, but nothing stands there"),
    ("gamma", "1.00000000000000000001", "γ: a whole number"),
    ("temperature", "1e-400", "temperature: a number from 0 to 5, not “1e-400”"),
    ("temperature", "Infinity", "temperature: a number from 0 to 5"),
    ("top_k", "x", "top-k: "),
    ("top_p", "0", "top-p: "),
    ("seed", "0x10", "seed: a whole number from 0"),
    ("max", "1e9", "max: a whole number from 1 to 512"),
    ("rules", "token,<b>,block", "rules: there is no “<b>”"),
    ("rules", "token,block,token", "rules: token more than once"),
    ("rules", ",".join(NAMES), "rules: at most 4, so not typical"),
    ("rules", "typical", "rules: at least 2, so token too"),
    ("rules", "", "rules: at least 2, so token and block too"),
    ("follow", "nobody", "text follows this rule: there is no “nobody”, so block"),
    ("follow", "typical", "text follows this rule: typical has no column, so block"),
    ("seeds", "999999999", "seeds: a whole number from 1 to 80"),
    ("seeds", "0x2", "seeds: "),
    ("seeds", "1.5", "seeds: "),
    ("set", "nope", "Prompts: there is no “nope”, so this prompt"),
    (
        "axis",
        "bogus",
        "Axis: calls (target calls), measured (measured time) or predicted (predicted time), not “bogus”",
    ),
    ("c", "NaN", "a draft step costs c: a number from 0 to 1000, not “NaN”"),
    ("c", "1e300", "a draft step costs c: "),
    ("v", "0", "a target call on γ + 1 tokens costs v: a number from 0.1 to 1000"),
    ("samples", "1", "samples: a whole number from 100 to 5000"),
    ("b", "x", "block: a whole number from 0, not “x”"),
    ("pos", "-1", "position: a whole number from 0, not “-1”"),
    ("digest", "", "digest: sha256: and 64 hexadecimal digits, but nothing stands there"),
    ("race", "yes", "The race: 1, or left out, not “yes”"),
]
# A measurement of something else than the link names does not start; how a race is looked at does not change it.
SETTINGS = {"gamma", "temperature", "top_k", "top_p", "seed", "max", "rules", "follow"}
MADE_OF = {"race": SETTINGS | {"seeds", "set", "race"}, "law": SETTINGS | {"samples"}}


def test_what_makes_no_sense_is_said_and_left_out(opened: Any) -> None:
    known = {**FIRST, "seeds": 10, "prompt_set": None, "axis": "calls", "c": None, "v": None, "samples": 600}
    links = [{"race": 1, "law": 1} | {name: raw} for name, raw, _ in MISTAKES]
    for (name, raw, words), found in zip(MISTAKES, opened(*links), strict=True):
        assert "make no sense" in found["said"] and words in found["said"], (name, raw)
        kept = {**found["form"], **found["options"]["race"], **found["options"]["law"]}
        long = {"max": "max_new_tokens", "set": "prompt_set"}.get(name, name)
        assert name == "rules" or kept.get(long) == known.get(long), (name, raw)
        assert found["starts"] == [kind for kind, names in MADE_OF.items() if name not in names], (name, raw)
        assert ("not started" in found["said"]) == (len(found["starts"]) < 2 and name != "race"), (name, raw)


def test_all_mistakes_are_said_at_once_and_long_ones_briefly(opened: Any) -> None:
    rules = ",".join(f"r{n}" for n in range(900))
    (found,) = opened({"gamma": "NaN", "axis": "bogus", "b": "x", "rules": rules, "follow": "\u202e" + "x" * 500})
    for words in ("γ: ", "Axis: ", "block: ", "“r4” and 895 more", "this rule: there is no “�xxx"):
        assert words in found["said"], words
    assert len(found["said"]) < 600


def test_a_place_beyond_the_text_is_said(request: pytest.FixtureRequest) -> None:
    trace = {"blocks": [{"gamma": 5}, {"gamma": 0}]}
    body = "return payload.places.map(([b, p]) => m.placeWords({ blockIndex: b, position: p }, payload.trace).join());"
    places = [[0, None], [0, 4], [1, 0], [0, 5], [2, 0]]
    found = call(request, "compare/checked.js", body, {"trace": trace, "places": places})
    assert found[:3] == ["", "", ""] and "position 6 of a block of 5" in found[3]
    assert found[4] == "The link asks for block 3, but the text has 2: the last one is shown."


def test_a_pair_and_a_draft_are_those_that_are_here(request: pytest.FixtureRequest) -> None:
    pairs = [{"name": name, "drafts": [{"name": f"{name}1"}, {"name": f"{name}2"}]} for name in "pq"]
    config, first = CONFIG | {"pairs": pairs}, FIRST | {"draft": "p2", "prompt_mode": "text"}
    body = "return payload.given.map((one) => m.checkedForm(one, payload.first, payload.config));"
    cases = [
        ({"pair": "q"}, ("q", "q1"), []),
        ({"pair": "q", "draft": "q2"}, ("q", "q2"), []),
        ({"pair": "q", "draft": "p1"}, ("q", "q1"), ["draft: q has no “p1”, so q1"]),
        ({"pair": "constructor", "draft": "p1"}, ("p", "p2"), ["pair: there is no “constructor” here, but p or q"]),
        ({"pair": "p"}, ("p", "p2"), []),
    ]
    payload = {"given": [given for given, _, _ in cases], "first": first, "config": config}
    for (_, chosen, wrong), found in zip(cases, call(request, "compare/checked.js", body, payload), strict=True):
        assert ((found["form"]["pair"], found["form"]["draft"]), found["wrong"]) == (chosen, wrong)
