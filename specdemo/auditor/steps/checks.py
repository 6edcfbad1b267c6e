"""The checks that need no replay: does every kind of observation in the log follow the law it should?

- drafted tokens follow D (their law given the prefix, whatever the verifier does with them);
- emitted tokens follow T, by ANY lossless rule without memory: given that a block emits an i-th token, and its first i−1, that token
  is a draw from T (a shorter block would have been continued by one, and both together are one). A rule with memory promises it
  of a block's first token and its effective target only;
- accepted counts follow the claimed rule's length law, next tokens its next law;
- a drafted token, an accepted count and a next token, each placed in its own law, tell nothing of each other nor of the next block's;
- the uniforms are uniform.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

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
    "independence": "every draw has a uniform of its own",
    "likelihood": "no other rule and no known mistake explains the log better",
    "uniforms": "the uniforms are uniform",
}


_MOST_STREAMS = 4096
# Uniforms that are multiples of 1 / this may be equal by chance.
_COARSE = 1 << 16


@dataclass
class _Seen:
    """Where a block's draws lie in their laws, in the order of ids, each uniform on [0, 1]; None where that is not known."""

    drafted: FloatArray
    count: float | None
    next_token: float | None


class Independence:
    """Whether one draw of a block tells something of another, or of the next block's: then they share a uniform.

    Under any right rule two of these places are independent, so that the product of their differences from ½ has expectation 0.
    """

    def __init__(self, test: RunningTest) -> None:
        self._test = test
        self._noise = np.random.default_rng(23)
        self._before: OrderedDict[tuple[int, str | int], _Seen] = OrderedDict()

    def add(self, record: StepRecord, plan: Plan | None) -> None:
        """Take in one usable record; `plan` where the rule's laws are to be trusted."""
        seen = self._seen(record, plan)
        before = self._before.get(record.stream, _Seen(np.zeros(0), None, None))
        first = float(seen.drafted[0]) if record.gamma else None
        refused = float(seen.drafted[record.accepted]) if record.accepted < record.gamma else None
        pairs: list[tuple[str, float | None, float | None]] = [
            ("the first drafted token and the accepted count", first, seen.count),
            ("the refused token and the correction", refused, seen.next_token),
            ("the accepted count and the next token", seen.count, seen.next_token),
            ("a next token and the first drafted one after it", before.next_token, first),
            ("a next token and the accepted count after it", before.next_token, seen.count),
            ("a next token and the one of the block after it", before.next_token, seen.next_token),
            ("an accepted count and the one after it", before.count, seen.count),
            ("an accepted count and the next token of the block after it", before.count, seen.next_token),
            (
                "the first drafted tokens of two blocks",
                float(before.drafted[0]) if len(before.drafted) else None,
                first,
            ),
        ]
        if record.uniforms is not None:
            coins = zip(seen.drafted.tolist(), record.uniforms.tolist(), strict=False)
            pairs += [("a drafted token and its coin", place, coin) for place, coin in coins]
        known = False
        for name, one, other in pairs:
            if one is not None and other is not None:
                self._test.sum(name).add((one - 0.5) * (other - 0.5), 1 / 144, 0.25)
                known = True
        self._test.seen += known
        self._before[record.stream] = seen
        self._before.move_to_end(record.stream)
        if len(self._before) > _MOST_STREAMS:
            self._before.popitem(last=False)

    def _seen(self, record: StepRecord, plan: Plan | None) -> _Seen:
        drafted = np.array([self._place(row, int(x)) for row, x in zip(record.draft, record.tokens, strict=False)])
        if record.uniforms is not None and len(record.uniforms) > record.gamma:
            return _Seen(drafted, None, float(record.uniforms[-1]))
        if plan is None:
            return _Seen(drafted, None, None)
        next_token = self._place(plan.next_law(record.accepted), record.next_token)
        count = self._place(plan.length_law, record.accepted) if record.gamma and record.uniforms is None else None
        return _Seen(drafted, count, next_token)

    def _place(self, law: FloatArray, value: int) -> float:
        place = float(law[:value].sum() + self._noise.random() * law[value])
        return min(max(place, 0.0), 1.0) if place == place else 0.0  # no number: of a law that is none


class Checks:
    """All running tests of one pass over a log."""

    def __init__(self) -> None:
        self.tests = {code: RunningTest(code) for code in TITLES}
        self._noise = np.random.default_rng(20)
        self._independence = Independence(self.tests["independence"])
        self._last_uniforms: FloatArray | None = None
        self._used: set[float] = set()
        self.repeated_uniforms = 0
        self.first_repeated: int | None = None

    def add(self, record: StepRecord, replay: Replay | None, plan: Plan | None) -> None:
        """Take in one usable record."""
        self._drafted(record)
        remembers = replay is not None and replay.rule.remembers
        self._emitted(record, plan.effective_target if remembers and plan is not None else record.target, remembers)
        if record.uniforms is not None and record.gamma:
            self._uniforms(record.uniforms, record)
        trusted = None
        if replay is not None and plan is not None:
            if record.uniforms is not None:
                trusted = plan if len(record.uniforms) == record.gamma else None
            elif replay.stable(record, plan, self._noise):
                trusted = plan
                self.counts(record, plan)
            else:
                self.tests["accepted_counts"].set_aside += 1
        self._independence.add(record, trusted)
        if trusted is not None:
            self.next_token(record, trusted)

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

    def counts(self, record: StepRecord, plan: Plan) -> None:
        """Take in the accepted count of a record without uniforms."""
        counts = self.tests["accepted_counts"]
        law = np.maximum(plan.length_law, 0.0)
        if record.gamma:
            places = np.arange(record.gamma + 1.0)
            counts.add(law[None], np.array([record.accepted]), places[None], None)
            mean = float(law @ places)
            counts.sum("their sum").add(record.accepted - mean, float(law @ (places - mean) ** 2), float(record.gamma))
            counts.rare.allowed += 4 * record.tolerance
            if law[record.accepted] <= 0:
                counts.rare.add(record.line, f"{record.where}: {record.accepted} accepted, which has probability 0")

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
        # Numbers of few digits are equal by chance, and what no decision has looked at may be used later.
        fine = uniforms[np.mod(uniforms * _COARSE, 1) != 0].tolist()
        again = again or len(set(fine)) < len(fine) or not self._used.isdisjoint(fine)
        if again:
            self.repeated_uniforms += 1
            self.first_repeated = self.first_repeated or record.line
        self._last_uniforms = uniforms
        self._used = {float(uniforms[min(record.accepted, record.gamma - 1)]), float(uniforms[-1])}
