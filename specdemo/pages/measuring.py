"""Races and checks of the law for the Compare page: the events of the lab as messages. It knows neither Gradio nor tensors."""

from __future__ import annotations

from collections.abc import Iterator

from specdemo.pages.batches import together
from specdemo.pages.engine import Engine
from specdemo.pages.measure_request import LawRequest, RaceRequest, read_law, read_race
from specdemo.pages.messages import Messages
from specdemo.pages.open_runs import NOBODY, Asker, OpenRun
from specdemo.pages.prompt_length import check_prompts
from specdemo.pages.turns import PairTurn

SEND_EVERY_SECONDS = 0.2


class Measuring(Engine):
    """An engine that also measures. The models' turn is taken for each call, so that others can step meanwhile."""

    def race(self, text: str, asker: Asker = NOBODY) -> Iterator[str]:
        """The messages that answer a request for a race; every error is one of them."""
        yield from self.answer(text, read_race, self._race, asker)

    def law(self, text: str, asker: Asker = NOBODY) -> Iterator[str]:
        """The messages that answer a request for a check of the law; every error is one of them."""
        yield from self.answer(text, read_law, self._law, asker)

    def _race(self, request: RaceRequest, messages: Messages, cancelled: OpenRun) -> Iterator[str]:
        pair = yield from self.loaded(request, messages, cancelled)
        if pair is None:
            return
        check_prompts(pair, request.prompts)
        from specdemo.lab.race import race

        events = race(
            pair,
            request.prompts,
            request.rules,
            **request.settings.model_dump(),
            seeds=request.seeds,
            prompt_set=request.prompt_set,
            lock=PairTurn(self.models.turn, pair),
            cancelled=cancelled.is_set,
        )
        for event in together(events, SEND_EVERY_SECONDS):
            yield messages.measured(event)
        if not cancelled.is_set():
            yield messages.finished()

    def _law(self, request: LawRequest, messages: Messages, cancelled: OpenRun) -> Iterator[str]:
        pair = yield from self.loaded(request, messages, cancelled)
        if pair is None:
            return
        check_prompts(pair, [request.prompt])
        from specdemo.lab.law import law_check

        records = law_check(
            pair,
            request.prompt,
            request.rules,
            **request.settings.model_dump(),
            samples=request.samples,
            lock=PairTurn(self.models.turn, pair),
            cancelled=cancelled.is_set,
        )
        for record in records:
            yield messages.measured({"kind": "law", "law": record})
        if not cancelled.is_set():
            yield messages.finished()
