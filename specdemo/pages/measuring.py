"""Races and checks of the law for the Compare page: the events of the lab as messages. It knows neither Gradio nor tensors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from specdemo.pages.batches import together
from specdemo.pages.engine import Engine
from specdemo.pages.measure_request import LawRequest, RaceRequest, read_law, read_race
from specdemo.pages.messages import Messages
from specdemo.pages.open_runs import NOBODY, Asker, OpenRun
from specdemo.pages.prompt_length import check_prompts
from specdemo.pages.run_time import MEASUREMENT_RUNS, MeasurementStop, measurement_over
from specdemo.pages.turns import PairTurn

if TYPE_CHECKING:
    from specdemo.pairs import Pair

SEND_EVERY_SECONDS = 0.2


class Measuring(Engine):
    """An engine that also measures. The models' turn is taken for each call, so that others can step meanwhile."""

    def race(self, text: str, asker: Asker = NOBODY) -> Iterator[str]:
        """The messages that answer a request for a race; every error is one of them."""
        yield from self.answer(text, read_race, self._race, asker)

    def law(self, text: str, asker: Asker = NOBODY) -> Iterator[str]:
        """The messages that answer a request for a check of the law; every error is one of them."""
        yield from self.answer(text, read_law, self._law, asker)

    # Where an earlier slice of the measurement has paused, and for how long this one may compute.
    paused: dict[str, Any] | None = None

    @property
    def measurement_seconds(self) -> float:
        """How long a measurement may compute."""
        return MEASUREMENT_RUNS * self.run_seconds

    def _race(self, request: RaceRequest, messages: Messages, cancelled: OpenRun) -> Iterator[str]:
        pair = yield from self.loaded(request, messages, cancelled)
        if pair is None:
            return
        check_prompts(pair, request.prompts)
        from specdemo.lab.race import race

        turn, stop = self._bounded(pair, cancelled)
        events = race(
            pair,
            request.prompts,
            request.rules,
            **request.settings.model_dump(),
            seeds=request.seeds,
            prompt_set=request.prompt_set,
            lock=turn,
            cancelled=stop,
            resume=self.paused,
        )
        state = None
        for event in together(events, SEND_EVERY_SECONDS):
            if event["kind"] == "race_paused":
                state = event["state"]
            else:
                yield messages.measured(event)
        if not cancelled.is_set():
            yield self._over(messages, state) if stop.over else messages.finished()

    def _law(self, request: LawRequest, messages: Messages, cancelled: OpenRun) -> Iterator[str]:
        pair = yield from self.loaded(request, messages, cancelled)
        if pair is None:
            return
        check_prompts(pair, [request.prompt])
        from specdemo.lab.law import law_check

        turn, stop = self._bounded(pair, cancelled)
        states: list[dict[str, Any]] = []
        records = law_check(
            pair,
            request.prompt,
            request.rules,
            **request.settings.model_dump(),
            samples=request.samples,
            lock=turn,
            cancelled=stop,
            resume=self.paused,
            paused=states.append,
        )
        for record in records:
            yield messages.measured({"kind": "law", "law": record})
        if not cancelled.is_set():
            yield self._over(messages, states[-1] if states else self.paused) if stop.over else messages.finished()

    def _bounded(self, pair: Pair, cancelled: OpenRun) -> tuple[PairTurn, MeasurementStop]:
        turn = PairTurn(self.models.turn, pair)
        return turn, MeasurementStop(cancelled, turn, self.measurement_seconds)

    def _over(self, messages: Messages, state: dict[str, Any] | None) -> str:
        """What is said when the time is over; `state` is where the measurement has paused."""
        return messages.time_over(measurement_over(self.measurement_seconds), self.measurement_seconds)
