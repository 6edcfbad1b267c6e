"""`audit`: is this verifier lossless? Exactly where its thresholds can be found, else by statistics; with the smallest counterexample."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any, Literal

import numpy as np

from specdemo.auditor import statistics
from specdemo.auditor.feeding import Feed
from specdemo.auditor.findings import Findings
from specdemo.auditor.forms import as_subject
from specdemo.auditor.hidden import hidden_randomness, unsteady_seeds, why_unsteady
from specdemo.auditor.laws import NotExact, make_block
from specdemo.auditor.leaving import no_way_out
from specdemo.auditor.questions import IMPOSSIBLE, CouldNotRun, ProblemLog, Question
from specdemo.auditor.report import AuditReport
from specdemo.auditor.rounding import ROUNDING, Judged, judged, rounding_note
from specdemo.auditor.sources import source_of
from specdemo.auditor.statistics import error_bound, sampled
from specdemo.auditor.subjects import Subject
from specdemo.auditor.texts import WorldResult, result_of
from specdemo.auditor.trees import World, sampled_worlds, worlds
from specdemo.auditor.watching import watched
from specdemo.verifiers import get

BUDGETS = ("quick", "thorough")
# The deviation that counts as none.
EXACT = 1e-9
# No new world is begun after so many seconds of computing; texts sampled in each world; seconds for sampling.
_SECONDS = {"quick": 14.0, "thorough": 900.0}
_TEXTS = {"quick": 12_000, "thorough": 100_000}
_SAMPLING_SECONDS = {"quick": 12.0, "thorough": 300.0}


def audit(
    subject: Any,
    *,
    budget: Literal["quick", "thorough"] = "quick",
    form: str = "auto",
    tolerance: float | None = None,
    seed: int = 0,
    array: str = "numpy float64",
    minimum_gamma: int = 0,
    location: str = "",
    timeout: float | None = None,
    progress: Callable[[str], None] | None = None,
    strict: bool = False,
) -> AuditReport:
    """Whether a verifier is lossless: over small random and adversarial worlds, the law of its text against the target's.

    `subject` is a name of the registry or gallery, a Verifier, a ProgramSubject, or a function (tokens (γ,), draft (γ, V),
    target (γ+1, V), uniforms (γ+1,)) → (accepted, next_token or its law (V,)); other forms in docs/audit.md. `tolerance` is the
    largest deviation of a prefix's probability that counts as none (None: 1e-9, and what float32's rounding explains; `strict`:
    1e-9 and no rounding). `array` is what a function is fed; `minimum_gamma` leaves out shorter blocks than a function is made
    for; `location` ("path.py:function") is for the counterexample's import. `timeout` is how many seconds one call of a function
    may last (a ProgramSubject has its own), `progress` is told what is being tried. Raises ValueError on a wrong argument,
    CouldNotRun where the subject cannot be asked at all or does not answer in time; what it raises or returns wrongly is in the
    report.
    """
    if budget not in BUDGETS:
        raise ValueError(f"budget is {budget!r}: it must be one of {', '.join(BUDGETS)}")
    if tolerance is not None and not 0 < tolerance < 1:
        raise ValueError(f"tolerance is {tolerance}: it must be in (0, 1)")
    if strict and (tolerance is not None or array.endswith("float32")):
        why = f"tolerance is {tolerance}" if tolerance is not None else f"in {array} no threshold is known so exactly"
        raise ValueError(f"strict is a tolerance of 1e-9 without rounding: {why}")
    if minimum_gamma not in (0, 1, 2):
        raise ValueError(f"minimum_gamma is {minimum_gamma}: it must be 0, 1 or 2")
    if seed < 0:
        raise ValueError(f"seed is {seed}: it must be ≥ 0")
    name = str(getattr(subject, "__name__", None) or getattr(subject, "name", subject))
    with no_way_out(), watched(name, timeout, progress) as watch:
        asked = as_subject(subject, form, array, watch)
        try:
            return _Audit(asked, budget, tolerance, seed, minimum_gamma, progress, strict).report(subject, location)
        finally:
            asked.close()


def assert_lossless(subject: Any, **options: Any) -> AuditReport:
    """For tests: AssertionError with the whole report unless `audit(subject, **options)` says lossless; returns the report."""
    __tracebackhide__ = True
    report = audit(subject, **options)
    if not report.lossless:
        raise AssertionError(report.text())
    return report


def _computing() -> float:
    """Seconds this process has computed, or an eighth of those that passed, where a subject sleeps or waits for something."""
    return max(time.process_time(), time.perf_counter() / 8)


class _Audit:
    """One audit: exactly as far as that goes, then by sampling."""

    def __init__(
        self,
        subject: Subject,
        budget: str,
        tolerance: float | None,
        seed: int,
        minimum_gamma: int,
        progress: Callable[[str], None] | None = None,
        strict: bool = False,
    ) -> None:
        self.progress = progress or (lambda text: None)
        self.subject, self.budget, self.seed, self.minimum_gamma = subject, budget, seed, minimum_gamma
        self.tolerance = EXACT if tolerance is None else tolerance
        # Whether what is more than the tolerance may be rounding, and the rule that is followed up to that.
        self.rounds = tolerance is None and not strict
        self.tried_in_single = False
        self.judged: Judged | None = None
        self.findings = Findings(subject, self.tolerance)
        self.rng = np.random.default_rng([seed, 1])
        self.began = time.perf_counter()
        # A busy machine must not change what is tried: only where another process computes does the clock on the wall count.
        self.clock = time.perf_counter if subject.form == "program" else _computing
        self.began_computing = self.clock()
        self.notes: list[str] = []
        self.reason = ""
        self.planned = 0

    def report(self, original: Any, location: str) -> AuditReport:
        """Try everything and say what was found."""
        self._try_exactly()
        findings = self.findings
        if self.reason and all(line.lossless for line in findings.lines):
            self._try_by_sampling()
        elif findings.lossless and not any(line.gamma > 1 and line.vocab_size > 2 for line in findings.lines):
            # What is right up to here says nothing: most mistakes show from γ = 2 and V = 3 on.
            raise CouldNotRun(
                f"no verdict: only {len(findings.lines)} of {self.planned} worlds were tried in {_SECONDS[self.budget]:g} s, "
                f"for {self.subject.name} is slow (--budget thorough has {_SECONDS['thorough']:g} s)"
            )
        lossless, problems, worst = findings.lossless, self.subject.problems, findings.worst()
        statistical = bool(findings.texts)
        if self.judged is not None and self.judged.why:
            title = get(self.judged.rule).title
            self.notes.append(
                f"it follows a right rule, {title[0].lower()}{title[1:]}, but not up to rounding: {self.judged.why}"
            )
        elif not lossless and not statistical and worst:
            note = rounding_note(worst.deviation, self.tolerance, problems.counts, self.subject.feed, self.rounds)
            self.notes += [note] if note else []
        counterexample = None
        if not lossless:
            counterexample = findings.counterexample(source_of(self.subject, original, location), self.reason)
        if findings.unsteady:
            self.notes.append(
                "asked once more, it answered well what it had answered wrongly: its answers change from call to call"
            )
        count = min((text.count for text in findings.texts), default=0)
        tests = sum(text.prefixes for text in findings.texts)
        return AuditReport(
            subject=self.subject.name,
            form=self.subject.form,
            array=self.subject.feed.kind,
            budget=self.budget,
            seed=self.seed,
            tolerance=self.tolerance,
            lossless=lossless,
            verdict="statistical" if statistical else "exact",
            reason=self.reason if statistical else "",
            max_deviation=worst.deviation if worst else 0.0,
            error_bound=error_bound(count, tests)
            if statistical
            else max((r.error for r in findings.exact), default=0.0),
            sample_size=count if statistical else None,
            level=statistics.LEVEL if statistical else None,
            worst=worst,
            counterexample=counterexample,
            problems=tuple(replace(problem, together=()) for problem in problems.kept),
            problem_counts=dict(problems.counts),
            nearest=None if lossless else findings.nearest(),
            lossless_at_temperature_0=None if lossless else findings.lossless_at_temperature_0,
            notes=(*self.notes, *self.subject.notes),
            worlds=tuple(findings.lines),
            worlds_planned=self.planned,
            calls=self.subject.calls,
            seconds=time.perf_counter() - self.began,
            up_to_rounding=self.judged.rule if self.judged is not None and lossless and not statistical else None,
        )

    def _try_exactly(self) -> None:
        subject = self.subject
        if subject.seeded:
            self.reason = "the subject is given a seed, not uniforms"
            odd = unsteady_seeds(subject, self.seed)
            self.notes += [odd] if odd else []
            return
        if self._finds_hidden_randomness():
            return
        # A program may turn out to remember only when it first does: then all is tried again, with its memory.
        while not self._all_worlds(subject.may_remember):
            self.findings = Findings(subject, self.tolerance)

    def _all_worlds(self, remembers: bool) -> bool:
        """Whether the worlds were tried in the right way, with or without memory."""
        todo = worlds(self.budget, self.subject.feed, self.seed, self.minimum_gamma, remembers)
        self.planned = len(todo)
        for world in todo:
            if self.clock() - self.began_computing > _SECONDS[self.budget]:
                self.notes.append("the budget's time was over before every world was tried: the subject is slow")
                break
            problems = self.findings.problems()
            self.progress(f"world {len(self.findings.lines) + 1} of {self.planned}: {world.name}")
            try:
                result = self._exact_result(world, remembers)
            except NotExact as error:
                if error.unsteady:
                    self.reason = why_unsteady(self.subject, self.seed)
                elif not self._finds_hidden_randomness():
                    self.reason = "its thresholds do not lie on the axes of the uniforms (they depend on several uniforms at once)"
                break
            if self.subject.may_remember != remembers:
                return False
            self.findings.add_exact(result, problems)
            if self.subject.feed.rounded_values and result.deviation > ROUNDING:
                break
            if self._may_be_rounding(world, remembers) and self._in_single_precision(remembers):
                return True
        if self.rounds and self.subject.feed.single:
            self._judge(remembers)
        return True

    def _judge(self, remembers: bool) -> None:
        """Worlds that were tried with numbers that float32 holds: right where they are a right rule's up to rounding."""
        small = all(result.deviation <= ROUNDING for result in self.findings.exact)
        self.judged = judged(self.findings.exact, remembers) if small and not self.reason else None
        if self.judged is None:
            # Of a rule that is not known here the rounding is not known either.
            self.tolerance = self.subject.feed.tolerance
        self.findings.judge(self.tolerance, None if self.judged is None else self.judged.worlds)

    def _may_be_rounding(self, world: World, remembers: bool) -> bool:
        """Whether a deviation, the first one, is small where the subject is asked with numbers that float32 holds."""
        feed, line = self.subject.feed, self.findings.lines[-1]
        if line.lossless or not self.rounds or feed.single or self.tried_in_single:
            return False
        problems, self.subject.problems = self.subject.problems, ProblemLog()
        self.subject.feed = replace(feed, rounded_values=True)
        same = World(world.kind, world.vocab_size, world.gammas, world.seed, self.subject.feed)
        try:
            return self._exact_result(same, remembers).deviation <= ROUNDING
        except NotExact:
            return False
        finally:
            self.subject.feed, self.subject.problems = feed, problems

    def _in_single_precision(self, remembers: bool) -> bool:
        """Whether every world, tried with numbers that float32 holds, shows a right rule: then that is what is reported, else nothing."""
        before = self.findings, self.planned, self.notes, self.reason, self.began_computing
        feed, problems = self.subject.feed, self.subject.problems
        self.findings, self.notes, self.began_computing = (
            Findings(self.subject, self.tolerance),
            [*self.notes],
            self.clock(),
        )
        self.subject.feed, self.subject.problems = replace(feed, rounded_values=True), ProblemLog()
        if self._all_worlds(remembers) and self.judged is not None:
            if self.findings.lossless:
                self._try_uniforms_that_become_1(feed)
            return True
        self.findings, self.planned, self.notes, self.reason, self.began_computing = before
        self.subject.feed, self.subject.problems = feed, problems
        self.tried_in_single = True
        return False

    def _try_uniforms_that_become_1(self, feed: Feed) -> None:
        """Asks with the largest uniform below 1, which float32 rounds to 1: an impossible token is said, any worse answer counts."""
        subject, problems, single = self.subject, self.subject.problems, self.subject.feed
        subject.problems, subject.feed = ProblemLog(), feed
        for world in worlds(self.budget, feed, self.seed, self.minimum_gamma, subject.may_remember):
            blocks = [make_block(subject, world, (), tokens) for tokens, _ in world.blocks((), world.gamma)]
            corners = list(product((0.0, feed.top), repeat=world.gamma + 1))
            subject.answers([Question(block, corner) for block in blocks for corner in corners])
        found, subject.problems, subject.feed = subject.problems, problems, single
        if set(found.counts) - {IMPOSSIBLE}:
            subject.problems = found
        elif found.counts:
            self.notes.append(
                "uniforms above 1 − 2⁻²⁵ were left out: they become 1 in float32, and then it gives tokens that the target never "
                "emits; draw the uniforms in float32, where they stay below 1"
            )

    def _exact_result(self, world: World, remembers: bool) -> WorldResult:
        points = 8 if self.budget == "quick" else 32
        return result_of(self.subject, world, self.rng, points // 2 if remembers else points, remembers)

    def _finds_hidden_randomness(self) -> bool:
        reason, share = hidden_randomness(self.subject, self.seed)
        if reason:
            self.reason = reason
            self.notes.append(f"{reason} ({share:.0%} of the questions that were asked again)")
        return bool(reason)

    def _try_by_sampling(self) -> None:
        subject = self.subject
        todo = sampled_worlds(self.budget, subject.feed, self.seed, self.minimum_gamma)
        count = self._affordable_texts(len(todo))
        found = []
        for place, world in enumerate(todo):
            before = self.findings.problems()
            self.progress(f"sampling world {place + 1} of {len(todo)}: {world.name}, {count} texts")
            text = sampled(subject, world, count, (self.seed, 4, place))
            text = text.shortened(1) if subject.may_remember else text
            found.append((text, self.findings.problems() - before))
        needed = np.log(statistics.LEVEL / sum(text.prefixes for text, _ in found))
        for text, problems in found:
            self.findings.add_sampled(text, text.log_p_value() > needed, problems)
        if subject.may_remember and self.findings.lossless:
            raise CouldNotRun(
                f"no verdict: {self.reason}, and a subject with memory is only judged exactly (its first token is right as far as can be seen)"
            )
        self.planned = len(self.findings.lines)

    def _affordable_texts(self, how_many: int) -> int:
        """How many texts a world the budget's time allows, from the time of a few calls."""
        began = self.clock()
        sampled(self.subject, World("plain", 3, (2,), self.seed, self.subject.feed), 200, (self.seed, 5))
        each = (self.clock() - began) / 200
        return int(np.clip(_SAMPLING_SECONDS[self.budget] / (each * how_many), 500, _TEXTS[self.budget]))
