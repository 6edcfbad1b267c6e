"""A decoded block as a plain record: every number from the full distributions, in float64.

This is the only place where arrays become a trace. Whatever is summed is summed token by token over the whole vocabulary,
first; only then are tokens chosen to be shown, and the exact remainder is recorded beside them.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.trace.digest import chained
from specdemo.trace.state import RunState
from specdemo.trace.tops import Others, highest_first, top_ids
from specdemo.verifiers import Plan, Verdict, get
from specdemo.verifiers.sampling import margin

if TYPE_CHECKING:
    from specdemo.decoding.loop import Step
    from specdemo.pairs.vocabulary import Pieces

TOP_OF_LAW = 8
TOP_OF_RESIDUAL = 6
TOP_OF_BONUS = 16


@dataclass(frozen=True)
class BlockRecord:
    """One block of a trace (see docs/trace.md) and the state from which the run goes on."""

    data: dict[str, Any]
    state: RunState

    def to_json(self) -> dict[str, Any]:
        """The JSON-able record."""
        return self.data

    @property
    def kept(self) -> int:
        """τ, the number of drafted tokens kept."""
        return int(self.data["kept"])

    @property
    def committed(self) -> list[int]:
        """The ids this block added to the text."""
        return list(self.data["committed"])

    @property
    def finish(self) -> str | None:
        """Why the run ends with this block, or None."""
        finish: str | None = self.data["finish"]
        return finish


def block_record(step: Step, rules: Sequence[str], pieces: Pieces, before: RunState) -> BlockRecord:
    """The record of one step, with the verdicts of `rules` on the same drafts and uniforms.

    Rules other than the one that decoded are asked without memory, against the plain target.
    """
    started = time.perf_counter()
    verdicts = {name: _verdict(step, name) for name in dict.fromkeys([*rules, step.verifier])}
    rows, hidden = zip(*(_row(step, i, verdicts) for i in range(step.gamma + 1)), strict=True)
    deciding = verdicts[step.verifier]
    data: dict[str, Any] = {
        "index": step.index,
        "start": step.start,
        "gamma": step.gamma,
        "verifier": step.verifier,
        "memory": step.memory,
        "uniforms": {"draft": step.draft_uniforms.tolist(), "verify": step.verify_uniforms.tolist()},
        "paths": [{"tokens": step.tokens.tolist(), "rows": list(rows)}],
        "verdicts": {name: _verdict_record(step, verdict, rows, hidden) for name, verdict in verdicts.items()},
        "kept": deciding.accepted,
        "gained": deciding.accepted + 1,
        "committed": list(step.committed),
        "shown_tokens": len(step.committed),
        "finish": step.finish,
        "margin": _margin(step, deciding),
    }
    mentioned = {i for row in rows for i in row["shown"]["ids"]} | set(step.committed) | set(step.tokens.tolist())
    data["pieces"] = pieces.table(mentioned)
    data["digest"] = chained(before.digest, data)
    if step.passes is not None:
        data["passes"] = step.passes
    milliseconds = {k: round(v * 1e3, 4) for k, v in step.seconds.items() if k != "draft_steps"}
    milliseconds["draft_steps"] = [round(v * 1e3, 4) for v in step.seconds["draft_steps"]]
    milliseconds["record"] = round((time.perf_counter() - started) * 1e3, 4)
    data["timings"] = milliseconds
    return BlockRecord(data, before.after(step.committed, step.next_memory, data["digest"]))


def _verdict(step: Step, name: str) -> Verdict:
    if name == step.verifier:
        return step.verdict
    return get(name).core_plan(step.tokens, step.draft, step.target).decide_unchecked(step.verify_uniforms)


def _residual(plan: Plan, i: int) -> FloatArray:
    assert plan.residual_scale is not None
    return np.maximum(plan.residual_scale[i] * plan.effective_target[i] - plan.draft[i], 0.0)


def _row(step: Step, i: int, verdicts: dict[str, Verdict]) -> tuple[dict[str, Any], Others]:
    """Row i: the laws after the prefix x^i, and the ids it does not show. The last row has no draft."""
    target = step.target[i]
    next_tokens = [v.next_token for v in verdicts.values() if v.accepted == i]
    if i == step.gamma:
        modified = [v.plan.effective_target[i] for v in verdicts.values() if v.plan.effective_target is not step.target]
        tops = [top_ids(law, TOP_OF_BONUS) for law in [target, *modified]]
        ids = highest_first(target, [*tops, np.array(next_tokens, dtype=np.int64)])
        others = Others(len(target), ids)
        last = {
            "token": None, "draft": None, "target": None, "ratio": None, "tv": None,
            "draft_entropy": None, "target_entropy": _entropy(target),
            "shown": {"ids": ids.tolist(), "draft": None, "target": _digits(target[ids])},
            "rest": {"count": len(others), "draft": None, "target": others.sum(target)},
        }  # fmt: skip
        return last, others
    draft, token = step.draft[i], int(step.tokens[i])
    tops = [top_ids(draft, TOP_OF_LAW), top_ids(target, TOP_OF_LAW), np.array([token, *next_tokens])]
    tops += [
        top_ids(_residual(v.plan, i), TOP_OF_RESIDUAL) for v in verdicts.values() if v.plan.residual_scale is not None
    ]
    ids = highest_first(np.maximum(draft, target), tops)
    others = Others(len(target), ids)
    row = {
        "token": token,
        "draft": float(draft[token]),
        "target": float(target[token]),
        "ratio": _ratio(float(target[token]), float(draft[token])),
        "tv": float(0.5 * np.abs(draft - target).sum()),
        "draft_entropy": _entropy(draft),
        "target_entropy": _entropy(target),
        "shown": {"ids": ids.tolist(), "draft": _digits(draft[ids]), "target": _digits(target[ids])},
        "rest": {"count": len(others), "draft": others.sum(draft), "target": others.sum(target)},
    }
    return row, others


def _ratio(target: float, draft: float) -> float | str:
    ratio = target / draft if draft > 0 else math.inf
    return ratio if math.isfinite(ratio) else "inf"


def _verdict_record(
    step: Step, verdict: Verdict, rows: Sequence[dict[str, Any]], hidden: Sequence[Others]
) -> dict[str, Any]:
    plan, i, y = verdict.plan, verdict.accepted, verdict.next_token
    lengths = np.arange(step.gamma + 1)
    return {
        "accept_prob": _list(plan.accept_prob),
        "prefix_weight": _list(plan.prefix_weight),
        "residual_scale": _list(plan.residual_scale),
        "length_law": plan.length_law.tolist(),
        "expected_accepted": float(plan.length_law @ lengths),
        "accepted": i,
        "next_token": y,
        "next_kind": "bonus" if i == step.gamma else "correction",
        "next_draft": None if i == step.gamma else float(step.draft[i, y]),
        "next_target": float(plan.effective_target[i, y]),
        "next_prob": float(verdict.next_law[y]),
        "order": plan.order,
        **_compared(step, plan),
        "rows": [_row_sums(plan, i, hidden[i]) for i in range(step.gamma)] + [None],
        **_modified_target(step, plan, rows, hidden),
    }


def _compared(step: Step, plan: Plan) -> dict[str, Any]:
    """What the rule compares with its coins, where that is not the uniforms; nothing where it is."""
    uniforms = step.verify_uniforms[:-1]
    compared = plan.compared(uniforms)
    return {} if np.array_equal(compared, uniforms) else {"compared": compared.tolist()}


def _modified_target(
    step: Step, plan: Plan, rows: Sequence[dict[str, Any]], hidden: Sequence[Others]
) -> dict[str, Any]:
    """The laws the rule works with instead of T, on the tokens each row shows and on the rest; nothing where that is T itself."""
    if plan.effective_target is step.target:
        return {}
    laws = [
        None
        if np.array_equal(law, plain)
        else {
            "drafted": float(law[row["token"]]) if row["token"] is not None else None,
            "shown": _digits(law[row["shown"]["ids"]]),
            "rest": others.sum(law),
        }
        for law, plain, row, others in zip(plan.effective_target, step.target, rows, hidden, strict=True)
    ]
    return {"effective_target": laws}


def _row_sums(plan: Plan, i: int, others: Others) -> dict[str, float] | None:
    if plan.residual_scale is None:
        return None
    draft, scaled = plan.draft[i], plan.residual_scale[i] * plan.effective_target[i]
    sums: dict[str, float] = {}
    rests: dict[str, float] = {}

    def add(name: str, part: FloatArray) -> None:
        sums[name], rests[f"rest_{name}"] = float(part.sum()), others.sum(part)

    # One after the other in the same memory: for a long row fresh memory costs more than arithmetic.
    part = np.minimum(draft, scaled)
    add("overlap", part)
    difference = np.subtract(scaled, draft, out=scaled)
    add("residual", np.maximum(difference, 0.0, out=part))
    np.negative(difference, out=difference)
    add("excess", np.maximum(difference, 0.0, out=part))
    return sums | rests


def _margin(step: Step, deciding: Verdict) -> float:
    """The least distance to another outcome: of the draws, and of the coins that were looked at."""
    distances = [margin(law, u) for law, u in zip(step.draft, step.draft_uniforms.tolist(), strict=True)]
    distances.append(margin(deciding.next_law, float(step.verify_uniforms[-1])))
    accept = deciding.plan.accept_prob
    if accept is not None and step.gamma:
        looked_at = (
            slice(0, deciding.accepted + 1)
            if deciding.plan.order == "left_to_right"
            else slice(max(deciding.accepted - 1, 0), None)
        )
        # A coin with h = 0 or h = 1 is decided whatever η is, and a rounding error cannot move it across.
        coins = accept[looked_at]
        open_coins = (coins > 0) & (coins < 1)
        compared = deciding.plan.compared(step.verify_uniforms[:-1])[looked_at]
        distances += np.abs(compared - coins)[open_coins].tolist()
    return float(min(distances))


def _entropy(law: FloatArray) -> float:
    positive = law if law.min() > 0 else law[law > 0]
    return float(max(0.0, -(positive * np.log(positive)).sum()))


def _digits(values: FloatArray) -> list[float]:
    """Eight significant digits: more than any picture shows, half the bytes of all seventeen."""
    return [float(f"{v:.8g}") for v in values.tolist()]


def _list(values: FloatArray | None) -> list[float] | None:
    return None if values is None else values.tolist()
