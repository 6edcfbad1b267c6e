"""The Sandbox's pure modules against the library: texts read exactly, rows kept laws, contexts that mean the same, links, files, the flow."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from specdemo.sandbox.laws import trees_of
from specdemo.sandbox.numbers import NotAProbability, read_probability
from specdemo.sandbox.state import SIDES, State, read_laws
from tests.viewer.javascript import call
from tests.viewer.sandbox_page import random_state

pytestmark = pytest.mark.browser

HOSTILE = [
    "-0", "−0.0", "-.0", "--0", "-0/1", "-00", "-0e1", "- 0", "-", "-.",
    "2/3", "1/0", "0/0", "10^400", "1e999999999", "1e-999999999", "0e999999999", "-1", "nan", "inf", "", "  ", " .5",
    "5.", ".", " 1 ", "+1", "+", "1e", "1.0.0", "1/2/3", "0.5/3", "1e3/2e3", "1e39/1e39", "1e40/1e40", "1e41/1e41",
    "1e-30", "9e-31", "10e-31", "1e-40/1e-39", "1e-41/1",
    "1,5", "0,5", "0,123", "1,234", "1,234/9,876", "0,5/3", "1,0,0", "0,5.1", "０．５", "０，５", "１／３", "０。５", "０、５", "−０", "²", "½",
    "0x1", "1_0", "1e+0", "1E-3", "00001",
    "1" * 41, "0." + "3" * 38, "0." + "3" * 39, "3/2", "11e-1", "0.9999999999999999999", "~", "a:b;c,d", "&#=%+", "日本",
]  # fmt: skip


def law_after(state: dict[str, Any], side: str, prefix: tuple[int, ...]) -> list[float]:
    laws = read_laws(State.model_validate(state))
    assert not isinstance(laws, list), laws
    draft, target = trees_of(laws)
    return (draft if side == "draft" else target)(prefix).tolist()


def run(request: pytest.FixtureRequest, module: str, body: str, payload: Any) -> Any:
    return call(request, f"sandbox/{module}", body, payload)


def test_texts_are_read_as_the_server_reads_them(request: pytest.FixtureRequest) -> None:
    rng = random.Random(0)
    texts = HOSTILE + [
        "".join(rng.choice("0123459.,/e+-E ０１５．，。、／−") for _ in range(rng.randint(1, 9))) for _ in range(3000)
    ]
    body = "return payload.map((text) => { const found = m.read(text); return found && [String(found.n), String(found.d)]; });"
    for text, got in zip(texts, run(request, "typed.js", body, texts), strict=True):
        try:
            exact = read_probability(text)
            expected = [str(exact.numerator), str(exact.denominator)]
        except NotAProbability:
            expected = None
        assert got == expected, text


def test_normalising_keeps_the_proportions_and_sums_to_exactly_one(request: pytest.FixtureRequest) -> None:
    rng = random.Random(1)
    rows = [
        ["2/3", "2/3"],
        ["0.1", "0.1", "0.1"],
        ["1/3", "1/7"],
        ["0", "0.2"],
        ["0.123456789", "1/3"],
        ["1e-20", "1"],
        ["1e-13", "1e-13", "1"],
    ]
    rows += [[str(round(rng.random(), rng.randint(1, 9))) for _ in range(rng.randint(2, 5))] for _ in range(200)]
    for row, made in zip(rows, run(request, "typed.js", "return payload.map(m.normalised);", rows), strict=True):
        values, got = [read_probability(text) for text in row], [read_probability(text) for text in made]
        assert sum(got) == 1 and all(len(text) <= 40 for text in made)
        assert all(abs(x - value / sum(values)) <= Fraction(1, 10**11) for x, value in zip(got, values, strict=True))
    assert (
        run(request, "typed.js", "return payload.map(m.normalised);", [["0", "0"], ["x", "1"], ["1/0", "1"]])
        == [None] * 3
    )
    assert run(request, "typed.js", "return m.normalised(payload);", ["2/3", "1/2"]) == ["4/7", "3/7"]
    assert run(request, "typed.js", "return m.normalised(payload);", ["0.2", "0.2"]) == ["0.5", "0.5"]


def test_a_dragged_row_stays_a_law_and_the_others_keep_their_proportions(request: pytest.FixtureRequest) -> None:
    rng = random.Random(2)
    cases: list[tuple[list[str], int, float]] = [
        (["1", "0", "0"], 0, 0.4),
        (["2/3", "1/3"], 0, 1),
        (["2/3", "1/3"], 1, -3),
        (["0.2", "0", "0.8"], 1, 0.5),
        (["0.1", "0.2", "0.3", "0.4"], 3, 0.999),
    ]
    cases += [(random_state(seed, "free", gamma=1)["draft"][0][0], 0, rng.random()) for seed in range(100)]
    for (row, symbol, share), made in zip(
        cases, run(request, "laws.js", "return payload.map((one) => m.dragged(...one));", cases), strict=True
    ):
        before, after = [float(Fraction(text)) for text in row], [read_probability(text) for text in made]
        assert sum(after) == 1
        assert float(after[symbol]) == pytest.approx(min(max(share, 0), 1), abs=0.0050001)
        rest = sum(before) - before[symbol]
        for i, x in enumerate(before):
            if i != symbol:
                wanted = x / rest if rest else 1 / (len(row) - 1)
                assert float(after[i]) == pytest.approx(wanted * (1 - float(after[symbol])), abs=1.0001e-4)
                assert x or not rest or after[i] == 0


@pytest.mark.parametrize("seed", range(12))
def test_what_is_added_means_what_held_there_before(request: pytest.FixtureRequest, seed: int) -> None:
    state = random_state(seed)
    depth = 4 if state["symbols"] == 2 else 3
    prefixes = [prefix for n in range(depth) for prefix in product(range(state["symbols"]), repeat=n)]
    richer = ["free", "position", "prefix"][["free", "position", "prefix"].index(state["context"]) :]
    body = "return [m.withGamma(payload.state, payload.gamma), ...payload.richer.map((name) => m.inContext(payload.state, name, ''))];"
    longer, *contexts = run(request, "laws.js", body, {"state": state, "gamma": state["gamma"] + 1, "richer": richer})
    for side in SIDES:
        for prefix in prefixes:
            assert law_after(longer, side, prefix) == law_after(state, side, prefix)
        for made in contexts:
            for prefix in prefixes:
                if len(prefix) < state["gamma"] or state["context"] != "position":
                    assert law_after(made, side, prefix) == law_after(state, side, prefix), (made["context"], prefix)


def test_a_larger_alphabet_adds_nothing_and_a_smaller_one_says_what_it_loses(request: pytest.FixtureRequest) -> None:
    for context in ("free", "position", "prefix"):
        state = random_state(3, context, 2, 3)
        larger, back = run(
            request, "laws.js", "const a = m.withSymbols(payload, 3); return [a, m.withSymbols(a, 2)];", state
        )
        assert back == state
        for side, n in product(SIDES, range(4)):
            for prefix in product(range(2), repeat=n):
                assert law_after(larger, side, prefix) == [*law_after(state, side, prefix), 0.0]
        smaller = run(request, "laws.js", "return m.withSymbols(payload, 2);", random_state(4, context, 3, 3))
        problems = read_laws(State.model_validate(smaller))
        assert isinstance(problems, list) and all(problem.symbol is None for problem in problems)


def test_leaving_the_context_keeps_the_law_that_is_looked_at(request: pytest.FixtureRequest) -> None:
    state = random_state(5, "prefix", 2, 3)
    free, position = run(
        request,
        "laws.js",
        "return [m.inContext(payload, 'free', 'BA'), m.inContext(payload, 'position', 'BA')];",
        state,
    )
    assert free["draft"] == [[state["draft"][2][2]]]
    assert position["target"] == [[state["target"][0][0]], [state["target"][1][1]], [state["target"][2][2]]]


def test_a_link_brings_back_the_texts_as_typed(request: pytest.FixtureRequest) -> None:
    states = [random_state(seed) for seed in range(20)]
    rng = random.Random(7)
    for state in states[10:]:
        for side in SIDES:
            state[side] = [
                [[rng.choice([text, rng.choice(HOSTILE)]) for text in row] for row in level] for level in state[side]
            ]
    body = "return payload.map((state) => { const hash = m.hashOf(state); return [hash, m.decode(hash)]; });"
    for state, (hash_, found) in zip(states, run(request, "link.js", body, states), strict=True):
        assert {**found["laws"], "rules": found["rules"]} == state
        assert " " not in hash_ and len(hash_) < 8000
    paper = {
        "symbols": 2,
        "gamma": 2,
        "context": "free",
        "draft": [[["2/3", "1/3"]]],
        "target": [[["1/3", "2/3"]]],
        "rules": ["token", "block"],
    }
    assert (
        run(request, "link.js", "return m.hashOf(payload);", paper)
        == "#page=sandbox&s=2,2,free:2/3,1/3:1/3,2/3&rules=token,block"
    )


BROKEN = [
    "2,2,free",
    "2,2,free:1,0",
    "2,2,free:1,0:1",
    "6,2,free:1,0:1,0",
    "5,4,free:1,0:1,0",
    "2,2,prefix:1,0:1,0",
    "2,2,none:1,0:1,0",
    "2,0,free:1,0:1,0",
    "",
    "2,2,free:1,0;:1,0;1,0",
    f"2,2,free:1,{'0' * 8001}:1,0",
]


def test_a_broken_link_is_not_guessed(request: pytest.FixtureRequest) -> None:
    assert run(request, "state_text.js", "return payload.map(m.readState);", BROKEN) == [None] * len(BROKEN)
    assert run(request, "link.js", "return m.decode(payload);", "#page=compare&s=2,2,free:1,0:1,0") is None
    found = run(
        request, "link.js", "return m.decode(payload);", "#page=sandbox&s=2,1,free:1,0:1,0&rules=token&at=AF&cell=A"
    )
    assert found["rules"] is None and found["at"] is None and found["cell"] is None


def test_a_file_is_checked_and_refused_with_a_reason(request: pytest.FixtureRequest) -> None:
    good = random_state(8, "prefix", 2, 2)
    body = """const rules = ["token", "block"], out = [];
      for (const given of payload) { try { out.push(m.validState(given, rules)); } catch (error) { out.push(error.message); } } return out;"""
    wrong: list[tuple[Any, str]] = [
        (None, "there is none"),
        ({**good, "symbols": 6}, "symbols"),
        ({**good, "gamma": 2.5}, "gamma"),
        ({**good, "symbols": 5, "gamma": 4}, "625"),
        ({**good, "context": "else"}, "context"),
        ({**good, "rules": ["token", "nothing"]}, "nothing"),
        ({**good, "rules": ["token", "token"]}, "same"),
        ({**good, "draft": good["draft"][:1]}, "draft must have 2 levels"),
        ({**good, "target": [good["target"][0], []]}, "target, level 2"),
        ({**good, "draft": [[["1", "0", "0"]], good["draft"][1]]}, "draft at the start"),
        ({**good, "draft": [[["1", 0]], good["draft"][1]]}, "must be a text"),
        ({**good, "target": [good["target"][0], [["1", "0"], ["1", "x" * 8001]]]}, "target after B, B"),
        ({**good, "target": [good["target"][0], [["1", "0"], ["1", "\ud800"]]]}, "half of a character"),
    ]
    found = run(request, "files.js", body, [good] + [given for given, _ in wrong])
    assert found[0] == good
    for message, (_, words) in zip(found[1:], wrong, strict=True):
        assert isinstance(message, str) and words in message


def test_the_flow_is_numpys(request: pytest.FixtureRequest) -> None:
    rng = np.random.default_rng(9)
    pairs = [(rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(n))) for n in (2, 3, 4, 5) for _ in range(20)]
    pairs += [(np.array([1.0, 0.0]), np.array([0.0, 1.0])), (np.array([0.5, 0.5]), np.array([0.5, 0.5]))]
    body = "return payload.map(([draft, target]) => [m.pour(draft, target), m.pour(draft, target, true)]);"
    for (draft, target), (right, wrong) in zip(
        pairs, run(request, "pour.js", body, [[d.tolist(), t.tolist()] for d, t in pairs]), strict=True
    ):
        overlap, excess = np.minimum(draft, target), np.maximum(draft - target, 0)
        for found in (right, wrong):
            assert found["overlap"] == overlap.tolist() and found["excess"] == excess.tolist()
            assert found["residual"] == np.maximum(target - draft, 0).tolist()
            assert sum(found["out"]) == pytest.approx(1, abs=1e-15)
        assert np.allclose(right["out"], target, atol=1e-15, rtol=0) and right["wrong"] < 1e-15
        lossy = overlap + excess.sum() * target
        assert np.allclose(wrong["out"], lossy, atol=1e-15, rtol=0)
        assert wrong["wrong"] == pytest.approx(0.5 * np.abs(lossy - target).sum(), abs=1e-15)
    assert run(request, "pour.js", "return m.pour([2/3, 1/3], [1/3, 2/3], true).wrong;", None) == pytest.approx(
        1 / 9, abs=1e-15
    )
