"""What the browser derives, against a whole-vocabulary computation in numpy: masses, coupling, law of Y, what-if verdicts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.viewer.greedy_run import blocks_with_memory, greedy_run
from tests.viewer.javascript import call

V = 40


def row_case(name: str, draft: np.ndarray, target: np.ndarray, scale: float, rule: str, seed: int) -> dict[str, Any]:
    """A trace's row and verdict for row 1 of a block, and what must come of it, computed on all V tokens."""
    random = np.random.default_rng(seed)
    shown = random.permutation(V)[: random.integers(1, 12)]
    rest = np.setdiff1d(np.arange(V), shown)
    overlap = np.minimum(draft, scale * target)
    residual, excess = np.maximum(scale * target - draft, 0), np.maximum(draft - scale * target, 0)
    a, b = residual.sum(), excess.sum()
    if rule == "token":
        coin = 1.0
    elif rule == "block":
        coin = a / (a + 1 - scale) if a + 1 - scale > 0 else 1.0
    else:
        coin = min(1.0, a / b) if b > 0 else 1.0
    sums = {"overlap": overlap, "residual": residual, "excess": excess}
    rows = {n: float(x.sum()) for n, x in sums.items()} | {f"rest_{n}": float(x[rest].sum()) for n, x in sums.items()}
    off = coin * np.outer(excess, residual) / a if a > 0 else np.zeros((V, V))
    whole = np.diag(overlap) + off
    groups = [np.array([v]) for v in shown] + [rest]
    cells = np.array([[whole[np.ix_(r, c)].sum() for c in groups] for r in groups])
    law = residual / a if a > 0 else target
    return {
        "name": name,
        "row": {
            "shown": {"ids": shown.tolist(), "draft": draft[shown].tolist(), "target": target[shown].tolist()},
            "rest": {"count": len(rest), "draft": float(draft[rest].sum()), "target": float(target[rest].sum())},
        },
        "verdict": {
            "order": "left_to_right" if rule == "token" else "right_to_left",
            "accept_prob": [coin],
            "residual_scale": [1.0, scale],
            "rows": [None, rows],
        },
        "expected": {
            "cells": cells.tolist(),
            "stopped": [float((1 - coin) * excess[g].sum()) for g in groups],
            "draft": [float(draft[g].sum()) for g in groups],
            "column": [float(whole[:, g].sum()) for g in groups],
            "scaled": [float(scale * target[g].sum()) for g in groups],
            "law": [float(law[g].sum()) for g in groups],
            "scale": scale,
        },
    }


def row_cases() -> list[dict[str, Any]]:
    random = np.random.default_rng(5)

    def laws(peak: float) -> tuple[np.ndarray, np.ndarray]:
        return random.dirichlet(np.full(V, peak)), random.dirichlet(np.full(V, peak))

    cases = []
    for k in range(24):
        draft, target = laws([0.05, 0.3, 2.0][k % 3])
        for rule, scale in [
            ("token", 1.0),
            ("block", float(random.random())),
            ("block", 1e-7),
            ("block", 1.0),
            ("greedy", 0.4),
            ("greedy", 3.7),
        ]:
            cases.append(row_case(f"{rule} s={scale:.3g} #{k}", draft, target, scale, rule, k))
    draft, target = laws(0.5)
    half = np.arange(V) < V // 2
    one, other = np.eye(V)[3], np.eye(V)[7]
    for rule, scale in [("token", 1.0), ("block", 1.0), ("block", 0.3)]:
        cases.append(row_case(f"{rule} s={scale} D = T", draft, draft.copy(), scale, rule, 1))
        a, b = draft * half, target * ~half
        cases.append(row_case(f"{rule} s={scale} disjoint", a / a.sum(), b / b.sum(), scale, rule, 2))
        cases.append(row_case(f"{rule} s={scale} one-hot, same", one, one.copy(), scale, rule, 3))
        cases.append(row_case(f"{rule} s={scale} one-hot, apart", one, other, scale, rule, 4))
        cases.append(row_case(f"{rule} s={scale} one-hot draft", one, target, scale, rule, 5))
    return cases


COUPLING = """
return payload.map(({ row, verdict }) => {
  const p = m.makePart(row, verdict, 1), c = m.coupling(p), list = (x) => Array.from(x);
  const folded = m.coupling(m.fold(p, p.ids.slice(0, Math.ceil(p.ids.length / 2))));
  return { cells: c.cells.map(list), stopped: list(c.stopped), rowSums: list(c.rowSums), columnSums: list(c.columnSums), stoppedSum: c.stoppedSum,
    corrected: [...p.corrected, p.rest.corrected], overlap: [...p.overlap, p.rest.overlap], law: [...p.law, p.rest.law], total: p.total,
    restKept: c.restKept, restMoved: c.restMoved, foldedRows: list(folded.rowSums), foldedColumns: list(folded.columnSums) };
});
"""


def test_masses_and_coupling_agree_with_the_whole_vocabulary(request: pytest.FixtureRequest) -> None:
    cases = row_cases()
    results = call(request, "derive.js", COUPLING, [{"row": c["row"], "verdict": c["verdict"]} for c in cases])
    assert len(results) == len(cases)
    for case, got in zip(cases, results, strict=True):
        want, name = case["expected"], case["name"]

        def close(a: Any, b: Any, what: str, name: str = name) -> None:
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12, err_msg=f"{name}: {what}")

        close(got["cells"], want["cells"], "cells")
        close(got["stopped"], want["stopped"], "stopped")
        close(got["rowSums"], want["draft"], "row sums are D")
        close(got["columnSums"], want["column"], "column sums")
        close(np.add(got["overlap"], got["corrected"]), want["column"], "kept + corrected is the column")
        close(got["law"], want["law"], "law of Y")
        close(sum(got["law"]), 1, "law of Y adds up")
        close(got["restKept"] + got["restMoved"], want["cells"][-1][-1], "the cell of what is not listed")
        close([sum(got["foldedRows"]), sum(got["foldedColumns"])], [1, sum(want["column"])], "folding loses nothing")
        if want["scale"] <= 1:
            close(got["columnSums"], want["scaled"], "column sums are s·T")
            close(got["stoppedSum"], 1 - want["scale"], "stopped is 1 − s")


def test_a_planted_mistake_is_seen() -> None:
    """The comparison above would notice the sketch's mistake: the rest's overlap as min(ΣD, ΣsT)."""
    wrong = 0
    for case in row_cases():
        rest, rows = case["row"]["rest"], case["verdict"]["rows"][1]
        wrong += abs(min(rest["draft"], case["expected"]["scale"] * rest["target"]) - rows["rest_overlap"]) > 1e-3
    assert wrong > 50


def test_dragged_uniforms_decide_as_the_rules_do(request: pytest.FixtureRequest) -> None:
    random = np.random.default_rng(8)
    cases, expected = [], []
    for k in range(300):
        gamma = k % 6
        h = random.random(gamma).round(1)
        # A third of the uniforms meet their threshold exactly: acceptance is strict.
        eta = np.where(random.random(gamma) < 1 / 3, h, random.random(gamma)) if gamma else np.array([])
        eta = np.minimum(eta, 1 - 1e-12)
        order = "left_to_right" if k % 2 else "right_to_left"
        passed = [i + 1 for i in range(gamma) if eta[i] < h[i]]
        failed = [i + 1 for i in range(gamma) if not eta[i] < h[i]]
        if order == "left_to_right":
            tau, by = (failed[0] - 1, failed[0]) if failed else (gamma, None)
        else:
            tau, by = (passed[-1], passed[-1]) if passed else (0, None)
        law = [0.0] * (gamma + 1)
        for bits in range(2**gamma):
            wins = [i + 1 for i in range(gamma) if bits >> i & 1]
            losses = [i + 1 for i in range(gamma) if not bits >> i & 1]
            weight = np.prod([h[i - 1] for i in wins]) * np.prod([1 - h[i - 1] for i in losses])
            law[(losses[0] - 1 if losses else gamma) if order == "left_to_right" else (wins[-1] if wins else 0)] += (
                float(weight)
            )
        cases.append(
            {"verdict": {"order": order, "accept_prob": h.tolist(), "accepted": -1}, "uniforms": [*eta.tolist(), 0.5]}
        )
        expected.append((tau, by, law))
    got = call(
        request,
        "derive.js",
        "return payload.map((c) => [m.decide(c.verdict, c.uniforms), m.lengthLaw(c.verdict)]);",
        cases,
    )
    for (tau, by, law), (decision, lengths) in zip(expected, got, strict=True):
        assert (decision["accepted"], decision["decidedBy"]) == (tau, by)
        np.testing.assert_allclose(lengths, law, atol=1e-12)


def test_roles_name_the_rescued(request: pytest.FixtureRequest) -> None:
    """Block rule, three kept: token 1 fails its own test and is rescued, 2 passes it and is carried, 3 decides."""
    rows = [{"ratio": r} for r in (0.3, 0.9, 1.5, 0.05, 0.8)] + [{"ratio": None}]
    verdict = {"order": "right_to_left", "accept_prob": [0.03, 0.01, 0.23, 0.003, 0.02], "accepted": 3}
    block = {
        "paths": [{"tokens": [1, 2, 3, 4, 5], "rows": rows}],
        "uniforms": {"verify": [0.94, 0.4, 0.198, 0.33, 0.37, 0.5]},
    }
    body = "return [m.roles(payload.block, payload.verdict), m.roles(payload.block, payload.token)];"
    token = {"order": "left_to_right", "accept_prob": [0.3, 0.9, 1, 0.05, 0.8], "accepted": 0}
    backwards, forwards = call(request, "derive.js", body, {"block": block, "verdict": verdict, "token": token})
    assert [r["role"] for r in backwards] == ["rescued", "carried", "decides", "struck", "struck"]
    assert [r["coin"] for r in backwards] == ["not needed", "not needed", "passed", "failed", "failed"]
    assert [r["role"] for r in forwards] == ["struck", "unneeded", "unneeded", "unneeded", "unneeded"]
    assert [r["decides"] for r in forwards] == [True, False, False, False, False]


@pytest.mark.parametrize(
    ("x", "shown"),
    [
        (0, "0"),
        (1, "1"),
        (0.000412, "0.000412"),
        (4e-5, "0.0000400"),
        (3e-9, "<0.000001"),
        (0.5, "0.500"),
        (12.345, "12.3"),
        (1234.5, "1235"),
        ("inf", "∞"),
        (None, "–"),
        (-1e-17, "0"),
        (2e9, ">1000000"),
    ],
)
def test_numbers_have_one_format(request: pytest.FixtureRequest, x: float | str | None, shown: str) -> None:
    assert call(request, "format.js", "return m.number(payload);", x) == shown


def test_thousands_stand_apart_in_one_way(request: pytest.FixtureRequest) -> None:
    shown = call(request, "format.js", "return payload.map(m.many);", [0, 999, 8978, 1234567])
    assert shown == ["0", "999", "8\u202f978", "1\u202f234\u202f567"]


def test_pieces_join_bytes_into_characters(request: pytest.FixtureRequest) -> None:
    table = {
        "1": " a",
        "2": {"bytes": "f09f"},
        "3": {"bytes": "9880"},
        "4": {"special": "<|eos|>"},
        "5": "\n\t",
        "6": {"bytes": "ff"},
        "7": "\u202e",
        "8": "",
    }
    body = "return m.pieces(payload.ids, (id) => payload.table[id]).map((s) => [s.text, s.ids, s.complete]);"
    got = call(request, "format.js", body, {"table": table, "ids": [1, 2, 3, 4, 5, 2, 6, 1, 7, 8]})
    assert got == [
        ["·a", [1], True],
        ["😀", [2, 3], True],
        ["<|eos|>", [4], True],
        ["⏎⇥", [5], True],
        ["‹f0 9f›", [2], False],
        ["‹ff›", [6], False],
        ["·a", [1], True],
        ["‹U+202E›", [7], True],
        ["‹empty›", [8], True],
    ]


PARTS = """
return payload.blocks.map((block) => block.verdicts.greedy_block.rows.map((_, i) => {
  const p = m.part(block, block.verdicts.greedy_block, i);
  return { tilde: p.tilde, modified: p.modified, coupled: p.coupled, target: Array.from(p.target).reduce((a, b) => a + b, p.rest.target),
    law: Array.from(p.law).reduce((a, b) => a + b, p.rest.law), next: p.law[p.ids.indexOf(block.verdicts.greedy_block.next_token)] };
}));
"""


def test_masses_inside_a_modified_window_are_those_of_the_modified_target(request: pytest.FixtureRequest) -> None:
    trace = greedy_run()
    inside, outside = blocks_with_memory(trace)
    blocks = [trace["blocks"][k] for k in (*inside, *outside)]
    for block, parts in zip(blocks, call(request, "derive.js", PARTS, {"blocks": blocks}), strict=True):
        verdict = block["verdicts"]["greedy_block"]
        for i, part in enumerate(parts):
            assert not part["tilde"] or i < max(n for _, n in block["memory"])
            assert part["tilde"] or i or not block["memory"]
            assert not part["modified"]
            assert part["coupled"] == (i < block["gamma"])
            assert part["target"] == pytest.approx(1, abs=1e-6) and part["law"] == pytest.approx(1, abs=1e-6)
        assert parts[verdict["accepted"]]["next"] == pytest.approx(verdict["next_prob"], abs=1e-6)


def test_rules_that_join_in_the_middle_of_a_run_and_a_window_that_bars_the_others(
    request: pytest.FixtureRequest,
) -> None:
    trace = greedy_run()
    inside, outside = blocks_with_memory(trace)
    body = """
      const plain = { ...payload.trace.blocks[0], verdicts: { token: {}, block: {} } };
      const late = { ...payload.trace, verifiers: ["token", "block"] };
      return { open: payload.trace.blocks.flatMap((block, i) => (m.inWindow(block) ? [i] : [])), plain: m.rulesOf(payload.trace, plain),
        late: m.rulesOf(late, payload.trace.blocks[0]) };
    """
    got = call(request, "derive.js", body, {"trace": trace})
    assert got == {"open": inside, "plain": ["token", "block"], "late": ["token", "block", "greedy_block"]}
    body = "return payload.at.map((i) => m.inWindowWords(payload.trace, payload.trace.blocks[i]));"
    words = call(request, "lane.js", body, {"trace": trace, "at": inside})
    for i, sentence in zip(inside, words, strict=True):
        before = max(j for j in outside if j < i)
        after = [j for j in outside if j > i]
        end = (
            f"block {before + 1} or {after[0] + 1}." if after else f"block {before + 1}, or when the window has closed."
        )
        assert sentence.endswith(f"Another rule can take over at {end}")


def test_a_rule_without_a_verdict_here_is_taken_for_the_next_run(request: pytest.FixtureRequest) -> None:
    trace = greedy_run()
    trace = trace | {"blocks": [trace["blocks"][0], trace["blocks"][1] | {"verifier": "block", "memory": None}]}
    trace["blocks"][1]["verdicts"] = {k: v for k, v in trace["blocks"][1]["verdicts"].items() if k != "greedy_block"}
    body = """
      const store = m.createStore(), changed = [];
      store.open(payload, { blockIndex: 1, phase: "score" }, { form: m.formOf(payload) });
      for (const rule of [null, "greedy_block", "block"]) {
        if (rule) store.setRule(rule);
        changed.push(store.view.changed);
      }
      return changed;
    """
    assert call(request, "store.js", body, trace) == [[], ["verifier"], []]
