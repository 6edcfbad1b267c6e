"""What the Sandbox's page may ask of the server: functions from JSON text to JSON text (docs/sandbox.md). Nothing here trusts its caller."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Annotated, Any

from pydantic import AfterValidator, Field, model_validator

from specdemo.sandbox.laws import trees_of
from specdemo.sandbox.longrun import MOST_BLOCKS, long_run_of
from specdemo.sandbox.picture import picture_of
from specdemo.sandbox.presets import MOST_SEED, presets
from specdemo.sandbox.state import (
    MOST_GAMMA,
    MOST_SYMBOLS,
    Context,
    Laws,
    RequestError,
    State,
    Strict,
    check_size,
    known_rule,
    read_as,
    read_laws,
)
from specdemo.transport import optimal_coupling
from specdemo.verifiers import get


class LongRunRequest(State):
    """A state and how many blocks are wanted."""

    blocks: int = Field(12, ge=1, le=MOST_BLOCKS)


class AuditRequest(Strict):
    """A registered rule or mistake."""

    rule: Annotated[str, AfterValidator(known_rule)]


class PresetsRequest(Strict):
    """The seed of the random preset, and of what alphabet, γ and context it is."""

    seed: int = Field(0, ge=0, le=MOST_SEED)
    symbols: int = Field(3, ge=2, le=MOST_SYMBOLS)
    gamma: int = Field(2, ge=1, le=MOST_GAMMA)
    context: Context = "free"

    @model_validator(mode="after")
    def _bounded(self) -> PresetsRequest:
        check_size(self.symbols, self.gamma)
        return self


def sandbox(text: str) -> str:
    """The picture record of a state, or {problems}."""
    state = read_as(State, text)
    read = read_laws(state)
    return _as_json(picture_of(read, state.rules) if isinstance(read, Laws) else _problems(read))


def optimum(text: str) -> str:
    """{coupling, cost} of an optimum of the block transport problem, or {problems}."""
    state = read_as(State, text)
    read = read_laws(state)
    if not isinstance(read, Laws):
        return _as_json(_problems(read))
    coupling, cost = optimal_coupling(*trees_of(read), read.gamma)
    return _as_json({"coupling": coupling.tolist(), "cost": cost})


def longrun(text: str) -> str:
    """{blocks, rules: {rule: …}} for laws without context, or {problems}."""
    request = read_as(LongRunRequest, text)
    if request.context != "free":
        raise RequestError("The long run is computed for laws without context: make them independent of it first.")
    read = read_laws(request)
    if not isinstance(read, Laws):
        return _as_json(_problems(read))
    trees = trees_of(read)
    rules = {
        name: long_run_of(get(name), trees, read.gamma, request.blocks).to_json()
        for name in dict.fromkeys(request.rules)
    }
    return _as_json({"blocks": request.blocks, "rules": rules})


_audits: dict[str, str] = {}
_auditing = threading.Lock()


def audit(text: str) -> str:
    """{report, text, state, world, cell}: the quick audit of a registered rule, made once, one at a time, and its counterexample as a state."""
    name = read_as(AuditRequest, text).rule
    if name not in _audits:
        from specdemo.auditor import audit as audited
        from specdemo.sandbox.counterexample import cell_of, state_of

        with _auditing:
            if name not in _audits:
                report = audited(name, budget="quick")
                state, world = (None if report.lossless else state_of(report, get(name))) or (None, None)
                cell = cell_of(state) if state else None
                record = {
                    "report": report.to_json(),
                    "text": report.text(),
                    "state": state,
                    "world": world,
                    "cell": cell,
                }
                _audits[name] = _as_json(record)
    return _audits[name]


def ready_made(text: str) -> str:
    """The presets."""
    return _as_json(presets(**read_as(PresetsRequest, text).model_dump()))


ANSWERS: dict[str, Callable[[str], str]] = {
    "sandbox": sandbox,
    "optimum": optimum,
    "longrun": longrun,
    "audit": audit,
    "presets": ready_made,
}


def _problems(problems: Any) -> dict[str, Any]:
    return {"problems": [problem.to_json() for problem in problems]}


def _as_json(record: Any) -> str:
    return json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
