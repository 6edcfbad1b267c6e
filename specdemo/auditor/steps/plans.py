"""Plans for records: a rule applied to logged laws, its memory carried along each stream."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.auditor.steps.reading import StepRecord
from specdemo.verifiers import Plan, Verifier

Change = Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]

_MOST_STREAMS = 4096
# A length law that rounding of the laws moves by more than this is set aside.
_UNSTABLE = 1e-3


@dataclass
class Replay:
    """A rule following a log. `change` alters draft and target laws first, to try what else an engine may have done."""

    rule: Verifier
    change: Change | None = None
    _memory: OrderedDict[tuple[int, str | int], Any] = field(default_factory=OrderedDict)

    def plan(self, record: StepRecord) -> Plan | None:
        """The rule's plan for the record; None where the laws do not allow one.

        That is: a memory that wants the draft's row after the block, or a drafted token of probability 0 that the rule cannot divide by.
        """
        if record.starts:
            self._memory.pop(record.stream, None)
        return self.plan_with(record, record.draft, record.target)

    def plan_with(self, record: StepRecord, draft: FloatArray, target: FloatArray) -> Plan | None:
        """`plan` with other laws in place of the record's."""
        if not record.usable:
            return None
        memory = self._memory.get(record.stream)
        if self.change is not None:
            draft, target = self.change(draft, target)
        if len(draft) < self.rule.draft_rows_wanted(record.gamma, memory):
            return None
        try:
            with np.errstate(all="ignore"):
                plan = self.rule.core_plan(record.tokens, draft, target, memory)
            # 0/0: neither law gives a drafted token anything.
            return plan if np.isfinite(plan.length_law).all() else None
        except ArithmeticError:
            return None
        except ValueError:
            # math.log(0): only where an altered or a wrong law gives a drafted token 0.
            if (draft[np.arange(record.gamma), record.tokens] <= 0).any():
                return None
            raise

    def lacks_a_row(self, record: StepRecord) -> bool:
        """Whether the rule's memory reaches past the block, whose draft row is not in the log."""
        return len(record.draft) < self.rule.draft_rows_wanted(record.gamma, self._memory.get(record.stream))

    def stable(self, record: StepRecord, plan: Plan, noise: np.random.Generator) -> bool:
        """Whether the length law stays as it is when the laws move within the tolerance; elsewhere it says nothing about the engine."""
        near = self.plan_with(
            record, perturbed(record.draft, record.tolerance, noise), perturbed(record.target, record.tolerance, noise)
        )
        return near is not None and float(np.abs(near.length_law - plan.length_law).max()) <= _UNSTABLE

    def follow(self, record: StepRecord, plan: Plan | None) -> None:
        """Carry the memory on by what the record says was kept and emitted."""
        if not self.rule.remembers:
            return
        memory = None if plan is None else plan.memory_after(record.accepted, record.next_token)
        if memory is None:
            self._memory.pop(record.stream, None)
            return
        self._memory[record.stream] = memory
        self._memory.move_to_end(record.stream)
        if len(self._memory) > _MOST_STREAMS:
            self._memory.popitem(last=False)


def perturbed(laws: FloatArray, tolerance: float, noise: np.random.Generator) -> FloatArray:
    """The laws with every entry off by a relative error of at most `tolerance`."""
    if not laws.size:
        return laws
    moved = laws * (1 + tolerance * noise.uniform(-1, 1, laws.shape))
    return moved / moved.sum(axis=1, keepdims=True)
