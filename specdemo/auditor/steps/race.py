"""Hypotheses against a log: the one that makes it most probable leads, those that are hopeless are dropped on the way."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from specdemo.auditor.steps.exact import matches
from specdemo.auditor.steps.hypotheses import Hypothesis
from specdemo.auditor.steps.plans import Replay
from specdemo.auditor.steps.reading import StepRecord
from specdemo.auditor.steps.statistics import UniformPool, placed
from specdemo.verifiers import Plan

# A probability below this counts as this: rounding must not rule a hypothesis out by one record.
_FLOOR = 1e-9
_HOPELESS = 40.0
_LAP = 4
_FINALISTS = 8
# Array elements that may be touched in all: bounds the time on large vocabularies.
_BUDGET = 1e10
# After so many records a lead of so many nats settles it, unless a lossless rule leads: that is to explain every record.
_SETTLED_RECORDS, _SETTLED_LEAD = 300, 60.0


@dataclass
class Runner:
    """One hypothesis and how it does: `score` in nats, exact records apart, and pools that are uniform if it is true."""

    hypothesis: Hypothesis
    replay: Replay
    score: float = 0.0
    records: int = 0
    exact: int = 0
    matched: int = 0
    pools: list[UniformPool] = field(default_factory=lambda: [UniformPool(), UniformPool()])
    impossible: int = 0

    def take(self, record: StepRecord, noise: np.random.Generator | None) -> None:
        """Score one record; with `noise`, also how well its values are placed."""
        plan = self.replay.plan(record)
        self.records += 1
        if plan is None:
            self.score += math.log(_FLOOR)
        elif record.uniforms is not None:
            self.exact += 1
            right = matches(record, plan)
            self.matched += right
            self.score += 0.0 if right else math.log(_FLOOR)
        else:
            self._weigh(record, plan, noise)
        self.replay.follow(record, plan)

    def _weigh(self, record: StepRecord, plan: Plan, noise: np.random.Generator | None) -> None:
        length = np.maximum(plan.length_law, 0.0)
        law = plan.next_law(record.accepted)
        ours, theirs = float(length[record.accepted]), float(law[record.next_token])
        if not (math.isfinite(ours) and math.isfinite(theirs)):
            ours = theirs = 0.0
        self.score += math.log(max(ours, _FLOOR)) + math.log(max(theirs, _FLOOR))
        self.impossible += ours <= 0 or theirs <= 0
        if noise is not None:
            accepted, token = np.array([record.accepted]), np.array([record.next_token])
            places = np.arange(len(length), dtype=np.float64)
            self.pools[0].add(placed(length[None], accepted, places[None], noise.random(1)))
            self.pools[1].add(placed(law[None], token, law[None], noise.random(1)))

    def complete(self, level: float) -> bool:
        """Whether the hypothesis leaves nothing unexplained, as far as can be seen."""
        if self.matched < self.exact or self.impossible:
            return False
        return all(pool.p_value() >= level for pool in self.pools)


def _settled(running: list[Runner], base: Runner) -> bool:
    best = max(running, key=lambda runner: runner.score)
    return best.score > base.score + _SETTLED_LEAD and not best.hypothesis.right


def race(hypotheses: list[Hypothesis], records: Iterable[StepRecord], most: int) -> list[Runner]:
    """The hypotheses still in the running after at most `most` usable records, the best first; the first one given always stays.

    Ties keep the order given, so what comes first is preferred.
    """
    runners = [Runner(h, Replay(h.rule, h.change)) for h in hypotheses]
    running, seen, work = list(runners), 0, 0.0
    noise = np.random.default_rng(7)
    for record in records:
        if not record.usable:
            continue
        for runner in running:
            runner.take(record, noise if len(running) <= _FINALISTS else None)
        seen += 1
        work += 12.0 * len(running) * record.target.size
        if seen <= 2 * _LAP or seen % _LAP == 0:
            best = max(runner.score for runner in running)
            running = [r for r in running if r is runners[0] or r.score > best - _HOPELESS]
        if seen >= most or work > _BUDGET or (seen >= _SETTLED_RECORDS and _settled(running, runners[0])):
            break
    return sorted(running, key=lambda runner: -runner.score)


def mistaken(
    claimed: Hypothesis, others: list[Hypothesis], records: Iterable[StepRecord], most: int
) -> tuple[float, int]:
    """An upper bound on the p-value of the claimed rule against the others, and how many records it rests on.

    Under the claimed rule the mean of the others' likelihood ratios has expectation at most 1, whenever one stops: its inverse is a
    p-value (Ville). Only records without uniforms count, and none where rounding could make the claim look impossible.
    """
    base = Runner(claimed, Replay(claimed.rule, claimed.change))
    running = [Runner(h, Replay(h.rule, h.change)) for h in others]
    leads, noise, work = dict.fromkeys(range(len(running)), 0.0), np.random.default_rng(13), 0.0
    for record in records:
        if not record.usable or record.uniforms is not None:
            continue
        plan = base.replay.plan(record)
        law = None if plan is None else plan.next_law(record.accepted)
        counts = (
            plan is not None
            and law is not None
            and min(plan.length_law[record.accepted], law[record.next_token]) > 0
            and base.replay.stable(record, plan, noise)
        )
        before = base.score
        base.take(record, None)
        for place, runner in enumerate(running):
            if leads[place] > -_HOPELESS:
                score = runner.score
                runner.take(record, None)
                leads[place] += (runner.score - score) - (base.score - before) if counts else 0.0
        base.records -= not counts
        work += 12.0 * sum(lead > -_HOPELESS for lead in leads.values()) * record.target.size
        if base.records >= most or work > _BUDGET:
            break
    if not base.records:
        return 1.0, 0
    greatest = max(leads.values())
    mean = greatest + math.log(sum(math.exp(lead - greatest) for lead in leads.values()) / len(leads))
    return math.exp(min(0.0, -mean)), base.records
