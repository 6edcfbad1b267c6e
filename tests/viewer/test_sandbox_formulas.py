"""The Sandbox's pure modules: the formulas of a node really give its masses, fractions are recognised, tables hold the record."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

from tests.viewer import sandbox_records as records
from tests.viewer.javascript import call

STATES = [
    records.paper(2, "token", "block"),
    records.paper(3, "greedy_block", "token"),
    records.model_c("block", "greedy_block"),
    records.random_state(3, 2, "prefix", "token", "block", seed=1),
    records.random_state(2, 3, "position", "block", "greedy_block", seed=3),
    records.random_state(3, 3, "free", "greedy_block", "sampled_match", seed=4),
    records.random_state(3, 2, "prefix", "threshold", "residual_without_weight", seed=5),
]
LINES = """
  const out = [];
  const words = (bits) => bits.map((bit) => typeof bit === "string" ? bit : `${bit.value}`).join("");
  for (const picture of payload) for (const rule in picture.rules) for (const prefix in picture.tree) {
    const found = m.nodeFormulas(picture, rule, prefix), joint = m.jointLines(picture, prefix);
    const numbers = [...found.lines, ...joint].flat().filter((bit) => typeof bit !== "string");
    out.push({
      rule, prefix, lines: found.lines.map(words), joint: joint.map(words), said: found.words,
      paths: numbers.map((bit) => [bit.path, bit.value]),
    });
  }
  return out;
"""


def evaluated(expression: str) -> float:
    """The value of a formula with its numbers put in: min, ·, −, ( )₊."""
    text = expression.replace("·", "*").replace("−", "-")
    text = re.sub(r"\(([^()]*)\)₊", r"max(0.0, \1)", text)
    assert re.fullmatch(r"[\d\s.,e+*/()-]*(?:(?:min|max)\([\d\s.,e+*/()-]*)*", text), text
    return float(eval(text, {"__builtins__": {}}, {"min": min, "max": max}))


def sides(line: str) -> tuple[str, float]:
    """What stands before the last sign of equality, and the number after it."""
    *_, formula, result = re.split(r" = |: (?=[\d-])", line)
    return formula, float(re.match(r"-?[\d.]+(?:e-?\d+)?", result).group())  # type: ignore[union-attr]


def test_every_formula_gives_the_mass_that_it_explains(request: pytest.FixtureRequest) -> None:
    pictures = [records.picture(state) for state in STATES]
    counted: dict[str, int] = {}
    for found in call(request, "sandbox/tree_formula_book.js", LINES, pictures):
        for line in [*found["lines"], *found["joint"]]:
            kind = line.split("(")[0]
            formula, result = sides(line)
            if re.search(r"[A-Za-zτ∅]", formula.replace("min", "")) or not re.search(r"\d", formula):
                continue  # words, or a probability that was enumerated
            assert evaluated(formula) == pytest.approx(result, abs=1e-12), (found["rule"], line)
            counted[f"{found['rule']} {kind}"] = counted.get(f"{found['rule']} {kind}", 0) + 1
    for rule in ("token", "block", "greedy_block"):
        for kind in ("a", "corrected", "stopped"):
            assert counted[f"{rule} {kind}"] >= 10, (rule, kind, counted)
    assert counted["token continued"] >= 15 and counted["block continued"] >= 15
    assert "greedy_block continued" not in counted  # T̃ has no short formula


def resolved(record: Any, pointer: str) -> Any:
    at = record
    for part in pointer.split("/")[1:]:
        at = at[int(part)] if isinstance(at, list) else at[part]
    return at


def test_every_number_of_a_formula_has_its_place_in_the_record(request: pytest.FixtureRequest) -> None:
    for state in STATES[2:5]:
        picture = records.picture(state)
        for found in call(request, "sandbox/tree_formula_book.js", LINES, [picture]):
            assert found["paths"]
            for path, number in found["paths"]:
                source, pointer = path.split(":")
                assert source == "picture" and resolved(picture, pointer) == number, (path, number)


def test_rules_without_closed_form_say_what_was_enumerated(request: pytest.FixtureRequest) -> None:
    picture = records.picture(records.model_c("typical", "greedy_block"))
    found = {
        (one["rule"], one["prefix"]): one for one in call(request, "sandbox/tree_formula_book.js", LINES, [picture])
    }
    assert any(
        "enumerated over every drafted block that begins with AC" in said for said in found["typical", "AC"]["said"]
    )
    assert any("T̃" in said for said in found["greedy_block", "AC"]["said"])
    assert any("but the target wants B(A) = " in line for line in found["typical", "A"]["lines"])
    assert any("which is B(A)" in line for line in found["greedy_block", "A"]["lines"])


def test_small_fractions_are_recognised_and_nothing_else_is(request: pytest.FixtureRequest) -> None:
    whole = [Fraction(n, d) for d in (2, 3, 7, 9, 27, 81, 243, 997, 9999) for n in (1, 2, d - 1, d // 2) if 0 < n < d]
    # Rounding of a computation may move the last digit; with large denominators that is as much as is tolerated.
    products = [float(f) * float(g) / float(g) for f in whole for g in whole[:5] if f.denominator < 1000]
    numbers = [*map(float, whole), *products, *(-float(f) for f in whole)]
    body = "return payload.map((x) => m.fraction(x));"
    said = call(request, "sandbox/simple_fractions.js", body, numbers)
    for number, text in zip(numbers, said, strict=True):
        assert text is not None, number
        assert Fraction(text.replace("−", "-")) == Fraction(number).limit_denominator(10_000)
    others = [0.0, 1.0, 2.0, 0.5 + 1e-9, 3.14159265358979, 1e-13, 0.123456789, 2**0.5 / 2, 1 / 10_007]
    assert call(request, "sandbox/simple_fractions.js", body, others) == [None] * len(others)


def test_tables_hold_the_records(request: pytest.FixtureRequest) -> None:
    state = records.paper(2, "block", "greedy_block")
    picture, optimum, longrun = records.picture(state), records.optimum(state), records.longrun(state)
    body = """
      const [picture, optimum, longrun] = payload;
      return [m.couplingRows(picture, optimum), m.treeRows(picture), m.outputRows(picture), m.longRunRows(longrun)];
    """
    coupling, tree, output, runs = call(request, "sandbox/sandbox_tables.js", body, [picture, optimum, longrun])
    cells = {(rule, drafted, emitted): (common, mass) for rule, drafted, emitted, common, mass in coupling[1:]}
    assert len(cells) == 3 * 16
    for rule in ("block", "greedy_block"):
        for r, drafted in enumerate(picture["blocks"]):
            for c, emitted in enumerate(picture["blocks"]):
                common = len(re.match(r"^(.*).*\n\1", f"{drafted}\n{emitted}").group(1))  # type: ignore[union-attr]
                assert cells[rule, drafted, emitted] == (common, picture["rules"][rule]["coupling"][r][c])
                assert cells["optimum", drafted, emitted][1] == optimum["coupling"][r][c]
    masses = {(row[0], row[1]): dict(zip(tree[0], row, strict=True)) for row in tree[1:]}
    assert len(masses) == 2 * 7
    for (rule, prefix), row in masses.items():
        node = picture["rules"][rule]["nodes"][prefix]
        assert {name: row[name] for name in node} == node
        assert (row["draft"], row["target"]) == tuple(picture["tree"][prefix].values())
    assert [row[5] for row in output[1:]] == [p for rule in picture["rules"].values() for p in rule["output"]]
    assert [row[2] for row in runs[1:] if row[0] == "greedy_block"] == [
        *longrun["rules"]["greedy_block"]["expected"],
        longrun["rules"]["greedy_block"]["long_run"],
    ]


def test_without_an_optimum_its_rows_are_missing(request: pytest.FixtureRequest) -> None:
    picture = records.picture(records.paper(2))
    rows = call(request, "sandbox/sandbox_tables.js", "return m.couplingRows(payload, null);", picture)
    assert {row[0] for row in rows[1:]} == {"token", "block"}


def long_run_sentences(request: pytest.FixtureRequest, state: records.Record) -> list[str]:
    body = """
      const [longrun, rules, picture] = payload;
      const words = (bits) => bits.map((bit) => typeof bit === "string" ? bit : bit.value.toFixed(3)).join("");
      return [...m.longRunWords(longrun, rules, picture), m.sourceWords(longrun, rules)].map(words);
    """
    payload = [records.longrun(state), state["rules"], records.picture(state)]
    return call(request, "sandbox/longrun_words.js", body, payload)


def test_the_long_run_says_that_the_optimum_of_one_block_loses_later(request: pytest.FixtureRequest) -> None:
    said = long_run_sentences(request, records.paper(2, "block", "greedy_block"))
    assert (
        said[0]
        == "In the first block greedy block gains more, 2.333 against 2.222; in the long run it loses, 2.111 against 2.222."
    )
    assert "The optimum of one block is not the optimum of many." in said[1]
    assert said[-1].startswith("Exact")
    said = long_run_sentences(request, records.paper(2, "token", "block"))
    assert said[0].startswith("block gains more, in the first block (2.222 against 2.111)")
    assert not any("loses" in line or "T̃" in line for line in said)
    assert "not independent: the rules meet the same drawn tokens and uniforms, so that" in said[-1]
    said = long_run_sentences(request, records.paper(2, "block", "greedy_block"))
    assert "and the blocks of one run depend on each other, so that" in said[-1]


def test_a_tie_in_the_first_block_is_no_win_and_another_text_is_no_praise(request: pytest.FixtureRequest) -> None:
    said = long_run_sentences(request, records.paper(2, "greedy_block", "greedy_without_continuation"))
    assert said[0].startswith("greedy without continuation gains more in the long run (2.333 against 2.111")
    assert said[0].endswith("in the first block the two are equal (2.333), but its text is not the target’s.")
    said = long_run_sentences(request, records.paper(2, "token", "residual_without_weight"))
    assert said[0].endswith(", but it is not lossless.")


def test_nothing_stops_where_nothing_is_stopped_and_greedy_s_sum_is_written_out(request: pytest.FixtureRequest) -> None:
    picture = records.picture(records.paper(2, "block", "greedy_block"))
    found = {
        (one["rule"], one["prefix"]): " / ".join(one["lines"])
        for one in call(request, "sandbox/tree_formula_book.js", LINES, [picture])
    }
    assert "nothing stops here" in found["block", "A"] and "corrected just below" not in found["block", "A"]
    assert "corrected just below" in found["block", "B"]
    assert "followed by a bonus token" in found["block", "BB"]
    assert "(B(BB) − S(BB))₊ / ((B(BA) − S(BA))₊ + (B(BB) − S(BB))₊) = " in found["greedy_block", "BB"]


def test_what_a_rule_is_and_what_that_comes_to_here(request: pytest.FixtureRequest) -> None:
    body = "return Object.fromEntries(payload.map(([name, rule]) => [name, [m.kindWords(rule).kind, m.kindWords(rule).text]]));"
    rules: list[Any] = []
    for state in (
        records.model_c("greedy_block", "threshold"),
        records.model_c("residual_without_weight", "exact_match"),
        records.random_state(3, 2, "prefix", "accepts_on_equal", "bonus_from_wrong_row", seed=5),
    ):
        rules += records.picture(state)["rules"].items()
    hot = records.state_of([[["1", "0"]]], [[["0", "1"]]], 2, "free", ("exact_match", "correction_from_target"))
    rules += [(f"hot {name}", rule) for name, rule in records.picture(hot)["rules"].items()]
    assert call(request, "sandbox/sandbox_words.js", body, rules) == {
        "greedy_block": ["lossless", "lossless, remembers"],
        "threshold": ["lossy", "lossy"],
        "residual_without_weight": ["lossy", "a mistake"],
        "exact_match": ["lossy", "lossless only at temperature 0"],
        "accepts_on_equal": ["harmless", "a mistake; no law shows it"],
        "bonus_from_wrong_row": ["lossy", "a mistake"],
        "hot exact_match": ["harmless", "lossless only at temperature 0; outputs the target here"],
        "hot correction_from_target": ["harmless", "a mistake; outputs the target here"],
    }
    body = "return m.lawsWords(payload);"
    words = [
        call(request, "sandbox/sandbox_words.js", body, records.picture(state))
        for state in (records.paper(2), records.random_state(2, 2, "prefix", seed=1))
    ]
    assert words[0] == "γ = 2, D = 2/3, 1/3; T = 1/3, 2/3."
    assert re.fullmatch(r"γ = 2, D = \S+, \S+ …; T = \S+, \S+ …, at first; then by prefix\.", words[1])


def test_what_cannot_be_told_apart_is_not_called_a_win(request: pytest.FixtureRequest) -> None:
    said = long_run_sentences(request, records.paper(2, "token", "greedy_block"))
    assert said[0] == "In the long run the two cannot be told apart: 2.111 and 2.111 tokens a target call."
    said = long_run_sentences(request, records.paper(1, "token", "block"))
    assert said[0] == "token and block gain the same: 1.667 tokens a target call."
