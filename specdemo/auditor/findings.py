"""What an audit has found so far, world by world, and what follows from it: the worst prefix, a counterexample, the nearest mistake."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from specdemo.arrays import FloatArray
from specdemo.auditor.nearest import Behaviour, Match, nearest, tables_of
from specdemo.auditor.report import WorldLine, WorstPrefix
from specdemo.auditor.rounding import ROUNDING
from specdemo.auditor.snippet import law_snippet, problem_snippet, smallest_call
from specdemo.auditor.snippet_sampled import sampled_snippet
from specdemo.auditor.sources import Source
from specdemo.auditor.statistics import Sampled
from specdemo.auditor.subjects import Subject
from specdemo.auditor.texts import WorldResult
from specdemo.auditor.trees import Prefix, World
from specdemo.transport import accepted_mass

# A deviation that a reader can see; counterexamples prefer one.
CLEAR = 1e-3


class Findings:
    """Results of the worlds that were tried exactly and of those that were sampled, with a line of the report for each."""

    def __init__(self, subject: Subject, tolerance: float) -> None:
        self.subject, self.tolerance = subject, tolerance
        self.exact: list[WorldResult] = []
        self.texts: list[Sampled] = []
        self.lines: list[WorldLine] = []
        self.unsteady = False  # what the counterexample asks was answered well when it was asked again

    def problems(self) -> int:
        """How many wrong answers there were up to now."""
        return sum(self.subject.problems.counts.values())

    def add_exact(self, result: WorldResult, problems_before: int) -> None:
        """A world whose law is known."""
        deviation = result.deviation
        self.exact.append(result)
        self._add(
            result.world,
            result.length,
            deviation,
            deviation <= self.tolerance,
            problems_before,
            result.expected_accepted,
        )

    def judge(self, tolerance: float, wrong: Collection[int] | None = None) -> None:
        """Every world that was tried exactly judged anew: by the tolerance, or by whether it is among the `wrong` ones."""
        self.tolerance = tolerance
        for place, result in enumerate(self.exact):
            right = result.deviation <= tolerance if wrong is None else place not in wrong
            self.lines[place] = replace(self.lines[place], lossless=right)

    def add_sampled(self, text: Sampled, lossless: bool, problems: int) -> None:
        """A world whose texts were sampled, and what the test said."""
        self.texts.append(text)
        self._add(
            text.world, text.got.ndim, text.worst()[1], lossless, self.problems() - problems, text.expected_accepted
        )

    def _add(
        self, world: World, length: int, deviation: float, lossless: bool, problems_before: int, expected: float
    ) -> None:
        masses = accepted_mass(_normalised(world.draft), _normalised(world.target), world.gamma)
        token, block, optimum = (
            sum(node.accepted[rule] for prefix, node in masses.items() if prefix)
            for rule in ("token", "block", "greedy_block")
        )
        self.lines.append(
            WorldLine(
                name=world.name,
                vocab_size=world.vocab_size,
                gamma=world.gamma,
                length=length,
                deviation=float(deviation),
                lossless=bool(lossless),
                problems=self.problems() - problems_before,
                expected=float(expected),
                expected_token=token,
                expected_block=block,
                optimum=optimum,
            )
        )

    @property
    def lossless(self) -> bool:
        """Whether nothing speaks against it."""
        return all(line.lossless for line in self.lines) and not self.problems()

    @property
    def lossless_at_temperature_0(self) -> bool | None:
        """Whether the worlds with one-hot targets are all right; None if none was tried."""
        cold = [
            line.lossless and not line.problems
            for result, line in zip(self.exact, self.lines, strict=False)
            if result.world.one_hot_target and result.world.vocab_size > 1
        ]
        return all(cold) if cold else None

    def _failed(self) -> list[WorldResult]:
        """The worlds that were tried exactly and are wrong; lines of sampled ones come after theirs."""
        return [result for result, line in zip(self.exact, self.lines, strict=False) if not line.lossless]

    def worst(self) -> WorstPrefix | None:
        """The prefix that deviates most in any world; only those count that are wrong, if any are."""
        accused = self._accused()
        results: list[WorldResult | Sampled] = [*self.texts] if self.texts else [*(self._failed() or self.exact)]
        if accused is not None:
            results = [accused]
        found = []
        for result in results:
            prefix, _, right, got = result.worst()
            found.append(WorstPrefix(result.world.name, prefix, right, got))
        return max(found, key=lambda one: one.deviation, default=None)

    def counterexample(self, source: Source, reason: str = "") -> str | None:
        """A failure as a program: the smallest that can be seen, else an answer that no verifier may give, else any.

        `reason` is why no exact verdict was possible. Of laws that are known only what comes too often is counted: where answers are
        missing, every prefix comes too rarely, and what shows that is the question that got none.
        """
        failed = self._failed()
        clear = [result for result in failed if result.worst(only_too_often=True)[1] >= CLEAR]
        if clear:
            return law_snippet(self.subject, source, clear[0])
        problems, accused = self.subject.problems.kept, self._accused()
        if accused is not None:
            return sampled_snippet(self.subject, source, accused, reason)
        if problems:
            # A memory cannot always be written down.
            readable = sorted(problems, key=lambda problem: problem.question.block.memory is not None)
            calls = ((problem, smallest_call(self.subject, problem)) for problem in readable)
            problem, call = next((found for found in calls if found[1]), (readable[0], ()))
            self.unsteady = not call
            return problem_snippet(self.subject, source, problem, call)
        return law_snippet(self.subject, source, failed[0]) if failed else None

    def _accused(self) -> Sampled | None:
        """The sampled world that is farthest off of those in which the test has spoken."""
        names = {line.name for line in self.lines if not line.lossless}
        found = [text for text in self.texts if text.world.name in names]
        return max(found, key=lambda text: text.worst()[1], default=None)

    def nearest(self) -> Match | None:
        """The known wrong rule that behaves most like the subject."""
        behaviours = [
            Behaviour(
                result.world,
                {law.block.tokens: law.table for law, _ in result.first},
                max(law.error for law, _ in result.first),
                result.deviation,
            )
            for result in self.exact
        ]
        for text in self.texts:
            if text.world.gamma >= 2:
                tables, error = self._tables(text)
                behaviours.append(Behaviour(text.world, tables, error, text.worst()[1]))
        kept = self.subject.problems.kept
        asked = [p for p in kept if p.question.seed is None and p.question.block.memory is None]
        # Asked again for the comparison only: the counts stay what they were.
        counts = dict(self.subject.problems.counts)
        answers = self.subject.answers([problem.question for problem in asked]) if asked else []
        self.subject.problems.counts = counts
        # What is smaller than rounding no mistake of the gallery explains: beside that the laws are a right rule's.
        single = self.subject.feed.single and not self.texts
        return nearest(behaviours, asked, answers, max(self.tolerance, ROUNDING) if single else self.tolerance)

    def _tables(self, text: Sampled) -> tuple[dict[Prefix, FloatArray], float]:
        if self.subject.seeded:
            # Drafts that were seen often enough say something.
            return text.often_seen(1000), 2 * 1000**-0.5
        return tables_of(self.subject, text.world, list(text.tables))


def _normalised(law: Callable[[Prefix], FloatArray]) -> Any:
    """A law function whose sums are 1 in float64, also where the laws were rounded to float32."""
    return lambda prefix: law(prefix) / law(prefix).sum()
