"""The right answers of the tour's questions, by the library: from laws where they are known, else from what a trace records."""

from __future__ import annotations

from typing import Any

import numpy as np

from specdemo import transport, verifiers
from specdemo.lab.statistics import predicted_speedup
from specdemo.sandbox.numbers import read_probability
from specdemo.verifiers import mistakes

Record = dict[str, Any]
MISTAKE = "correction_from_target_in_token"


def ratio_answer(row: Record) -> float:
    """P(kept) of the drafted token under the token rule: a world of that token and everything else."""
    draft, target = float(row["draft"]), float(row["target"])
    laws = np.array([[draft, 1 - draft]]), np.array([[target, 1 - target], [0.5, 0.5]])
    accept = verifiers.get("token").plan(np.array([0]), *laws).accept_prob
    assert accept is not None
    return float(accept[0])


def trace_answer(name: str, trace: Record, block: Record, given: Record) -> float:
    """From a trace's record: what the library wrote down when it decoded."""
    row = block["paths"][0]["rows"][given.get("row", 0)]
    if name == "gain":
        return float(block["gained"])
    if name == "next_law":
        return float(row["shown"]["target"][row["shown"]["ids"].index(given["token"])])
    if name == "ratio":
        return ratio_answer(row)
    if name == "bonus":
        return float(block["verdicts"]["token"]["length_law"][-1])
    if name == "kept":
        return float(block["verdicts"]["block"]["accepted"])
    assert name == "speedup"
    blocks = trace["blocks"]
    expected = float(np.mean([one["verdicts"]["block"]["expected_accepted"] for one in blocks])) + 1
    steps = np.concatenate([one["timings"]["draft_steps"] for one in blocks])
    cost = float(steps.mean() / np.mean([one["timings"]["target"] for one in blocks]))
    return predicted_speedup(expected, trace["settings"]["gamma"], cost, 1.0)


def laws_of(state: Record) -> tuple[np.ndarray, np.ndarray]:
    """The two laws of a state that are the same everywhere."""
    assert state["context"] == "free"
    draft, target = ([float(read_probability(text)) for text in state[side][0][0]] for side in ("draft", "target"))
    return np.array(draft), np.array(target)


def sandbox_answer(name: str, state: Record, given: Record, longrun: Record | None = None) -> float:
    """From a Sandbox state's laws alone; `longrun` is the server's, checked against the exact rules where they have no memory."""
    draft, target = laws_of(state)
    gamma = state["gamma"]

    def always(law: np.ndarray) -> Any:
        return lambda prefix: law

    if name == "correction":
        x = int(np.argmax(draft - target))
        plan = verifiers.get("token").plan(np.array([x]), draft[None], np.stack([target, target]))
        return float(plan.next_law(0)[given["symbol"]])
    if name == "acceptance":
        return transport.expected_accepted("token", always(draft), always(target), 1)
    if name == "cell":
        return float(np.diag(transport.optimal_coupling(always(draft), always(target), gamma)[0])[given["block"]])
    if name == "surplus":
        wrong = transport.output_law(mistakes.get(MISTAKE), always(draft), always(target), 1, 1)
        return 1000 * float(wrong[given["symbol"]] - target[given["symbol"]])
    assert name == "long_run" and longrun is not None
    block = transport.expected_accepted("block", always(draft), always(target), gamma) + 1
    assert abs(block - longrun["rules"]["block"]["long_run"]) < 1e-9
    return float(given["calls"] * (block - longrun["rules"]["greedy_block"]["long_run"]))
