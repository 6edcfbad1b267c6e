"""Every formula's arithmetic, redone: the numbers put in give the number that it explains, in full precision."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest

from tests.viewer import make_trace
from tests.viewer.greedy_run import blocks_with_memory, greedy_run
from tests.viewer.javascript import call

LINES = """
const { trace, asks } = payload;
const pieces = Object.assign({}, trace.pieces, ...trace.blocks.map((b) => b.pieces));
return asks.map(([k, rule, position, name, args]) => {
  const block = trace.blocks[k], verdict = block.verdicts[rule];
  const view = { trace, block, verdict, blockIndex: k, rule, position, phase: "commit", pieces: (id) => pieces[id],
    whatIf: null, accepted: verdict.accepted, revealed: { cut: true, next: true } };
  const found = m.formula(view, name, args);
  return found && found.lines.map((line) => [line.map((bit) => (bit.path ? `«${bit.x}»` : bit)).join(""), m.lineText(line)]);
});
"""


def asks(trace: dict[str, Any], blocks: Sequence[int] = (0, 1, 4, 9)) -> list[list[Any]]:
    out: list[list[Any]] = []
    for k in blocks:
        block = trace["blocks"][k]
        gamma = block["gamma"]
        for rule in trace["verifiers"]:
            for row in range(gamma + 1):
                shown = block["paths"][0]["rows"][row]["shown"]["ids"]
                tokens: list[Any] = [shown[0], shown[-1], "rest"]
                if row < gamma:
                    tokens.append(block["paths"][0]["tokens"][row])
                    names = ["overlap", "residual", "excess"]
                    out += [[k, rule, row, name, {"row": row, "token": t}] for name in names for t in [*tokens, None]]
                    out += [[k, rule, row, name, {"row": row}] for name in ("corrected", "stopped", "tv")]
                    out += [[k, rule, row, "column", {"row": row, "token": t}] for t in tokens]
                    out += [
                        [k, rule, row, "coupling", {"row": row, "from": a, "to": b}] for a in tokens for b in tokens
                    ]
                    out += [[k, rule, row, name, {"i": row + 1}] for name in ("ratio", "prefix_weight", "accept_prob")]
                out += [
                    [k, rule, row, name, {"row": row, "token": t}] for name in ("scaled", "next_law") for t in tokens
                ]
                out += [[k, rule, row, "length_law", {"i": row}], [k, rule, row, "entropy", {"row": row}]]
            out.append([k, rule, 0, "expected_accepted", {}])
    return out


def values(line: str) -> list[float]:
    """The values of the line's sides that are arithmetic on numbers alone."""
    line = re.sub(r"\((«[^»]*»(?: · «[^»]*»)? − (?:«[^»]*»(?: · )?)+)\)₊", r"max(0, \1)", line)
    out = []
    for side in re.split(r" (?:=|<|≥|→) ", line):
        text = side.strip().removesuffix(" nats").replace("·", "*").replace("−", "-")
        if "«" in text and re.fullmatch(r"(?:«[^»]*»|min\(|max\(|[\d\s.+\-*/(),])+", text):
            out.append(float(eval(text.replace("«", "(").replace("»", ")"), {"min": min, "max": max})))
    return out


@pytest.fixture(scope="module")
def trace() -> dict[str, Any]:
    return json.loads(json.dumps(make_trace.make_run()))


def test_the_arithmetic_of_every_formula(request: pytest.FixtureRequest, trace: dict[str, Any]) -> None:
    assert compared_sides(request, trace, asks(trace)) > 1000


def test_the_arithmetic_under_greedy_block_inside_its_window_and_outside(request: pytest.FixtureRequest) -> None:
    trace = greedy_run()
    inside, outside = (indices[0] for indices in blocks_with_memory(trace))
    assert compared_sides(request, trace, asks(trace, [inside, outside])) > 400
    named = [("prefix_weight", {"i": 1}), ("scaled", {"row": 0, "token": "rest"})]
    wanted = [[inside, "greedy_block", 1, name, arguments] for name, arguments in named]
    weight, scaled = call(request, "formula_book.js", LINES, {"trace": trace, "asks": wanted})
    assert weight[0][1].startswith("R₁ = R₀·T̃(x₁)/D(x₁) = 1·")
    assert "T̃(others) = " in scaled[0][1]


def compared_sides(request: pytest.FixtureRequest, trace: dict[str, Any], wanted: list[list[Any]]) -> int:
    """How many pairs of sides were compared, and found equal."""
    compared = 0
    for ask, lines in zip(
        wanted, call(request, "formula_book.js", LINES, {"trace": trace, "asks": wanted}), strict=True
    ):
        assert lines, ask
        for precise, shown in lines:
            assert "NaN" not in precise and "undefined" not in precise and "–" not in shown, (ask, shown)
            if "η" in precise:
                continue
            sides = values(precise)
            for side in sides[1:]:
                assert side == pytest.approx(sides[0], rel=1e-6, abs=1e-9), (ask, shown, sides)
                compared += 1
    return compared


def test_the_coin_s_formula_reads_as_on_paper(request: pytest.FixtureRequest, trace: dict[str, Any]) -> None:
    k = next(b["index"] for b in trace["blocks"] if 0 < b["kept"] < b["gamma"])
    tau = trace["blocks"][k]["kept"]
    lines = call(
        request, "formula_book.js", LINES, {"trace": trace, "asks": [[k, "block", tau, "accept_prob", {"i": tau}]]}
    )[0]
    below = "".join("₀₁₂₃₄₅₆₇₈₉"[int(d)] for d in str(tau))
    before = "".join("₀₁₂₃₄₅₆₇₈₉"[int(d)] for d in str(tau - 1))
    weight, mass, coin, decision = [shown for _, shown in lines]
    assert weight.startswith(f"w{below} = min(1, w{before}·r{below}) = min(1, ")
    assert mass.startswith(f"A{below} = Σᵥ (w{below}T − D)₊ = ")
    assert coin.startswith(f"h{below} = A{below}/(A{below}+1−w{below}) = ")
    assert decision.startswith(f"η{below} = ") and decision.endswith(f" → prefix of {tau} kept")
