"""Cells measured many texts at once, for their statistics alone: each step of a model is one pass for the whole batch.

A cell's statistics are those of `sweep_cell.measure`, to the bit where the forward pass gives a row the same bits in any company
(`specdemo/decoding/batched_lean.py`), else within its rounding. Speeds are those of a single text on its own, which is not what runs here: the
rows have no times (`timings` null), and `lab` without `--no-times` measures such a cell again. Plain decoding of a prompt, the same for every γ,
is done once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from specdemo.decoding.batched_loop import BatchedLoop, Text
from specdemo.decoding.laws import LawMaker, Processing
from specdemo.decoding.loop import Step
from specdemo.decoding.uniforms import PhiloxUniforms
from specdemo.lab.race_lanes import checked_settings
from specdemo.lab.sweep_cells import Cell
from specdemo.lab.sweep_engine import LoadedPairs
from specdemo.lab.sweep_file import Row
from specdemo.lab.sweep_settings import BATCH
from specdemo.lab.sweep_sums import PlainRun, PlainSums, RuleSums, check_identity, prompt_of
from specdemo.pairs.pair import Pair
from specdemo.verifiers import get

_PLAINS_KEPT = 512  # a few kilobytes each: a round of all tasks comes by again for each γ
_LAW_BYTES = 2_000_000_000  # of plain decodings under way, whose laws are kept until they end


class BatchedEngine:
    """An Engine in this process that decodes `batch` texts at once. `load` and `loaded` as for LoadedPairs; `sharing` engines share the memory."""

    name = "batched"

    def __init__(
        self, load: Callable[[str], Pair], loaded: tuple[Pair, ...] = (), batch: int = BATCH, sharing: int = 1
    ) -> None:
        self._pairs = LoadedPairs(load, loaded)
        self._batch, self._sharing = batch, sharing
        self._plains: dict[tuple[Any, ...], PlainSums] = {}

    def run(self, cells: Iterator[Cell], stopped: Callable[[], bool]) -> Iterator[Row]:
        """See Engine."""
        first = next(cells, None)
        while first is not None and not stopped():
            left: list[Cell] = []
            yield from self._of_one_pair(first, cells, stopped, left)
            first = left.pop() if left else None

    def _of_one_pair(
        self, first: Cell, cells: Iterator[Cell], stopped: Callable[[], bool], left: list[Cell]
    ) -> Iterator[Row]:
        """The rows of `first` and of the cells after it that are for the same models; the first that is not comes to `left`."""
        pair = self._pairs.of(first)
        slots = _slots(self._batch, pair, first, self._sharing)
        loop = BatchedLoop(pair.draft_model, pair.target_model, pair.vocab_size, pair.context_limit, slots)
        upcoming, jobs = chain([first], cells), list[_Job]()
        waiting, going = deque[_Lane](), list[_Lane]()
        while not stopped():
            while not left and len(waiting) + len(going) < slots and (cell := next(upcoming, None)) is not None:
                if cell.identity != first.identity:
                    left.append(cell)
                    break
                jobs.append(_Job(pair, cell, self._plains, [job.plain for job in jobs]))
                waiting.extend(jobs[-1].lanes)
            if not jobs:
                return
            while waiting and len(going) < slots:
                going.append(waiting.popleft())
            if going:
                for lane, step in zip(going, loop.blocks([lane.text for lane in going]), strict=True):
                    lane.add(step)
                going = [lane for lane in going if not lane.text.finish]
            for job in [job for job in jobs if job.done]:
                jobs.remove(job)
                yield {**self._row(job), "engine": self.name}

    def _row(self, job: _Job) -> Row:
        statistics = job.statistics()
        while len(self._plains) > _PLAINS_KEPT:
            del self._plains[next(iter(self._plains))]
        return {
            "kind": "row",
            "key": job.cell.key,
            "cell": job.cell.to_json(),
            "statistics": statistics,
            "timings": None,
        }


class _Lane:
    """A text of the batch and who sums up its steps."""

    def __init__(self, text: Text, add: Callable[[Step], None]) -> None:
        self.text, self.add = text, add


class _Plain:
    """The plain decoding of a prompt, known, under way, or still to be done by `lane`; cells that say the same of it have it in common."""

    def __init__(self, run: PlainRun, lane: _Lane, known: dict[tuple[Any, ...], PlainSums]) -> None:
        self.key = run.key
        self.lane = None if self.key in known else lane
        self._run, self._known, self._sums = run, known, known.get(self.key)

    @property
    def done(self) -> bool:
        """Whether the whole text is there."""
        return self.lane is None or self.lane.text.finish is not None

    def sums(self) -> PlainSums:
        """The sums, when it is done."""
        if self._sums is None:
            self._sums = self._known[self.key] = self._run.sums()
        return self._sums


class _Job:
    """A cell under way: `lanes` are the texts that are decoded for it, `plain` perhaps one that another cell began."""

    def __init__(self, pair: Pair, cell: Cell, known: dict[tuple[Any, ...], PlainSums], begun: list[_Plain]) -> None:
        check_identity(pair, cell)
        checked_settings(cell.gamma, cell.temperature, cell.top_k, cell.top_p, cell.seed, cell.max_new_tokens)
        self.cell = cell
        self._encoded = prompt_of(pair, cell)
        self._rules = RuleSums(pair, cell)
        laws = LawMaker(Processing(cell.temperature, cell.top_k, cell.top_p), pair.vocab_size)

        def lane(rule: str, gamma: int, add: Callable[[Step], None]) -> _Lane:
            uniforms = PhiloxUniforms(cell.seed, cell.stream)
            ids = list(self._encoded.ids)
            return _Lane(Text(ids, cell.max_new_tokens, laws, get(rule), uniforms, gamma, pair.eos_token_ids), add)

        run = PlainRun(pair, cell, self._encoded)
        own = _Plain(run, lane("token", 0, run.add), known)
        self.plain = next((plain for plain in begun if plain.key == own.key), own)
        self.lanes = [own.lane] if self.plain is own and own.lane is not None else []
        self.lanes += [lane(rule, cell.gamma, self._adding(rule)) for rule in cell.rules]
        self._texts = [each.text for each in self.lanes]

    def _adding(self, rule: str) -> Callable[[Step], None]:
        return lambda step: self._rules.add(rule, step)

    @property
    def done(self) -> bool:
        """Whether every text of the cell has ended."""
        return self.plain.done and all(text.finish for text in self._texts)

    def statistics(self) -> dict[str, Any]:
        """The statistics of the cell, when it is done."""
        return self._rules.statistics(self._encoded, self.plain.sums())


def _slots(batch: int, pair: Pair, cell: Cell, sharing: int = 1) -> int:
    """How many texts at once: fewer than asked for where the laws of so many plain decodings would fill the memory."""
    return max(1, min(batch, _LAW_BYTES // sharing // (8 * pair.vocab_size * cell.max_new_tokens)))
