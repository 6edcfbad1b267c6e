"""The loaded pairs: loaded once, in a thread, when somebody first asks; the last few are kept."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import TYPE_CHECKING

from specdemo.pages.libraries import import_libraries
from specdemo.pages.turns import Turns
from specdemo.pairs import fetch_pair
from specdemo.pairs.loading import load_named
from specdemo.pairs.placement import facts_of
from specdemo.pairs.sources import first_line
from specdemo.sentences import sentence

if TYPE_CHECKING:
    from specdemo.pairs import Pair

KEPT_PAIRS = 3

log = logging.getLogger(__name__)


def record_in_turns(pair: Pair, turn: Turns) -> None:
    """Have CUDA graphs of a pair on a GPU recorded when others have had their turn; elsewhere nothing happens."""
    if str(getattr(pair, "device", "")).startswith("cuda"):
        from specdemo.decoding.recorded_models import record_passes

        record_passes(pair.draft_model, pair.target_model, turn)


class Loading:
    """A pair on its way, or there."""

    def __init__(self) -> None:
        self.future: Future[Pair] = Future()
        self._news: tuple[str, float | None] = (sentence("waiting_pair"), None)

    @property
    def ready(self) -> bool:
        """Whether `pair` returns, or raises, at once."""
        return self.future.done()

    @property
    def failed(self) -> bool:
        """Whether `pair` raises at once."""
        return self.ready and self.future.exception() is not None

    def pair(self) -> Pair:
        """The pair, when it is there; raises what loading raised."""
        return self.future.result()

    def say(self, text: str, fraction: float | None) -> None:
        """What is being done now, for those who wait."""
        self._news = (text, fraction)

    def news(self, every: float = 0.2) -> Iterator[tuple[str, float | None]]:
        """What is said while the pair is on its way, looked at `every` so many seconds, and only what is new."""
        said = None
        while not self._wait(every):
            if self._news != said:
                said = self._news
                yield said

    def _wait(self, seconds: float) -> bool:
        try:
            self.future.exception(timeout=seconds)
        except FutureTimeout:
            return False
        return True


class Models:
    """Pairs by (name, draft). Safe to use from several threads.

    `turn` is held while a pair is loaded, and is to be held while one decodes: loading changes defaults of the whole process
    (the element type of new tensors), so that whatever runs beside it goes wrong. With `graphs`, passes of pairs on a GPU are recorded in
    turns of their own; not where a process has the GPU for one call.
    """

    def __init__(
        self,
        load: Callable[..., Pair] = load_named,
        kept: int = KEPT_PAIRS,
        fetch: Callable[..., object] = fetch_pair,
        graphs: bool = True,
    ) -> None:
        self._load = load
        self._fetch = fetch
        self._kept = kept
        self._graphs = graphs
        self.turn = Turns()
        # Called with (name, draft) of a pair that is not kept any more.
        self.dropped: Callable[[str, str], None] = lambda name, draft: None
        # Why the last attempt to load failed; None where it did not.
        self.problem: str | None = None
        self._lock = threading.Lock()
        self._pairs: OrderedDict[tuple[str, str], Loading] = OrderedDict()

    def loaded(self) -> list[str]:
        """The names of the pairs that are ready."""
        with self._lock:
            return [name for (name, _), loading in self._pairs.items() if loading.ready]

    def placed(self) -> list[dict[str, str | None]]:
        """Where the pairs that are ready lie: `pair`, `draft`, `device`, `dtype` and `card`."""
        with self._lock:
            ready = [(*key, one) for key, one in self._pairs.items() if one.ready and not one.failed]
        return [{"pair": name, "draft": draft, **facts_of(one.pair())} for name, draft, one in ready]

    def ready(self, name: str, draft: str) -> bool:
        """Whether the pair is there already."""
        with self._lock:
            loading = self._pairs.get((name, draft))
            return loading is not None and loading.ready

    def start(self, name: str, draft: str) -> Loading:
        """Begin to load in a thread, unless that has been done; a failed attempt is forgotten, so that the next one is new."""
        key = (name, draft)
        with self._lock:
            if key in self._pairs:
                self._pairs.move_to_end(key)
                return self._pairs[key]
            loading = self._pairs[key] = Loading()
            gone = [self._pairs.popitem(last=False)[0] for _ in range(len(self._pairs) - self._kept)]
        for each in gone:
            self.dropped(*each)
        threading.Thread(target=self._run, args=(key, loading), name=f"load {name}", daemon=True).start()
        return loading

    def _run(self, key: tuple[str, str], loading: Loading) -> None:
        try:
            import_libraries()
            # The hub may let one wait for minutes, and unpacking takes its time too: not while holding the turn.
            # Held until the pair is there, which then holds what it needs: what nobody holds may be removed to make room.
            files = self._fetch(key[0], draft=key[1], progress=loading.say)  # noqa: F841
            with self.turn:
                pair = self._load(key[0], draft=key[1], progress=loading.say)
                if self._graphs:
                    record_in_turns(pair, self.turn)
        except BaseException as error:
            with self._lock:
                if self._pairs.get(key) is loading:
                    del self._pairs[key]
            problem = f"The pair {key[0]!r} could not be loaded: {first_line(error)}"
            log.warning("%s", problem)
            self.problem = problem  # last: who reads it can try again
            loading.future.set_exception(error)
        else:
            self.problem = None
            loading.future.set_result(pair)
