"""The checks that need no replay: does every kind of observation in the log follow the law it should?

- drafted tokens follow D (their law given the prefix, whatever the verifier does with them);
- emitted tokens follow T, by ANY lossless rule without memory: given that a block emits an i-th token, and its first i−1, that token
  is a draw from T (a shorter block would have been continued by one, and both together are one). A rule with memory promises it
  of a block's first token and its effective target only;
- accepted counts follow the claimed rule's length law, next tokens its next law;
- the uniforms are uniform.
"""

from __future__ import annotations

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.auditor.steps.plans import Replay
from specdemo.auditor.steps.reading import StepRecord
from specdemo.auditor.steps.running import RunningTest
from specdemo.verifiers import Plan

TITLES = {
    "drafted_tokens": "drafted tokens follow the draft law",
    "first_emitted": "the first emitted token of each block follows the target",
    "later_emitted": "every later emitted token follows the target",
    "accepted_counts": "accepted counts follow the rule's length law",
    "next_tokens": "next tokens follow the rule's next law",
    "likelihood": "no other rule and no known mistake explains the log better",
    "uniforms": "the uniforms are uniform",
}


class Checks:
    """All running tests of one pass over a log."""

    def __init__(self) -> None:
        self.tests = {code: RunningTest(code) for code in TITLES}
        self._noise = np.random.default_rng(20)
        self._last_uniforms: FloatArray | None = None
        self.repeated_uniforms = 0
        self.first_repeated: int | None = None

    def add(self, record: StepRecord, replay: Replay | None, plan: Plan | None) -> None:
        """Take in one usable record."""
        self._drafted(record)
        remembers = replay is not None and replay.rule.remembers
        self._emitted(record, plan.effective_target if remembers and plan is not None else record.target, remembers)
        if record.uniforms is not None and record.gamma:
            self._uniforms(record.uniforms, record)
        if replay is not None and plan is not None:
            if record.uniforms is None:
                self.verdict(record, replay, plan)
            elif len(record.uniforms) == record.gamma:
                self.next_token(record, plan)

    def _drafted(self, record: StepRecord) -> None:
        if not record.gamma:
            return
        rows, test = record.draft[: record.gamma], self.tests["drafted_tokens"]
        test.add(rows, record.tokens, record.target[: record.gamma], rows)
        own = rows[np.arange(record.gamma), record.tokens].tolist()
        test.rare.allowed += record.gamma * record.tolerance
        for i, probability in enumerate(own):
            if probability <= 0:
                token = int(record.tokens[i])
                test.rare.add(
                    record.line, f"{record.where}: tokens[{i}] is {token}, to which draft[{i}] gives probability 0"
                )

    def _emitted(self, record: StepRecord, target: FloatArray, remembers: bool) -> None:
        emitted = record.emitted
        counted = 1 if remembers else len(emitted)
        for code, part in (("first_emitted", slice(0, 1)), ("later_emitted", slice(1, counted))):
            if part.start < counted:
                self.tests[code].add(target[part], emitted[part], target[part], record.draft[part])
        own = record.target[np.arange(len(emitted)), emitted].tolist()
        for i, probability in enumerate(own):
            rare = self.tests["later_emitted" if i else "first_emitted"].rare
            rare.allowed += record.tolerance
            if probability <= 0:
                text = f"token {int(emitted[i])} was emitted, to which target[{i}] gives probability 0"
                rare.add(record.line, f"{record.where}: {text}")

    def verdict(self, record: StepRecord, replay: Replay, plan: Plan) -> None:
        """Take in accepted count and next token of a record without uniforms."""
        counts = self.tests["accepted_counts"]
        law = np.maximum(plan.length_law, 0.0)
        if not replay.stable(record, plan, self._noise):
            counts.set_aside += 1
            return
        if record.gamma:
            places = np.arange(record.gamma + 1.0)
            counts.add(law[None], np.array([record.accepted]), places[None], None)
            mean = float(law @ places)
            counts.drift.add(record.accepted - mean, float(law @ (places - mean) ** 2), float(record.gamma))
            counts.rare.allowed += 4 * record.tolerance
            if law[record.accepted] <= 0:
                counts.rare.add(record.line, f"{record.where}: {record.accepted} accepted, which has probability 0")
        self.next_token(record, plan)

    def next_token(self, record: StepRecord, plan: Plan) -> None:
        """Take in the next token, given the accepted count."""
        test, i = self.tests["next_tokens"], record.accepted
        law = plan.next_law(i)
        test.add(law[None], np.array([record.next_token]), record.target[i : i + 1], record.draft[i : i + 1])
        test.rare.allowed += 4 * record.tolerance
        if law[record.next_token] <= 0:
            text = f"next token {record.next_token} after {i} accepted, to which the rule gives probability 0"
            test.rare.add(record.line, f"{record.where}: {text}")

    def _uniforms(self, uniforms: FloatArray, record: StepRecord) -> None:
        test = self.tests["uniforms"]
        test.seen += len(uniforms)
        test.pool("themselves").add(uniforms)
        again = len(uniforms) > 1 and bool((uniforms[1:] == uniforms[0]).all())
        if self._last_uniforms is not None and len(uniforms) > 1:
            again = again or np.array_equal(self._last_uniforms, uniforms)
        if again:
            self.repeated_uniforms += 1
            self.first_repeated = self.first_repeated or record.line
        self._last_uniforms = uniforms
