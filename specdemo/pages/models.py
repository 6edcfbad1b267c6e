"""The loaded pairs: loaded once, in a thread, when somebody first asks; the last few are kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from specdemo.pairs import load_pair

if TYPE_CHECKING:
    from specdemo.pairs import Pair

KEPT_PAIRS = 3


@dataclass
class _Loading:
    """One pair on its way: the future of the pair, and the last that was said about it."""

    future: Future[Pair] = field(default_factory=Future)
    news: tuple[str, float | None] = ("Waiting for the models", None)


class Models:
    """Pairs by (name, draft). Safe to use from several threads."""

    def __init__(self, load: Callable[..., Pair] = load_pair, kept: int = KEPT_PAIRS) -> None:
        self._load = load
        self._kept = kept
        self._lock = threading.Lock()
        self._pairs: OrderedDict[tuple[str, str | None], _Loading] = OrderedDict()

    def loaded(self) -> list[str]:
        """The names of the pairs that are ready."""
        with self._lock:
            return [name for (name, _), loading in self._pairs.items() if loading.future.done()]

    def start(self, name: str, draft: str | None) -> Future[Pair]:
        """Begin to load in a thread, unless that has been done; a failed attempt is forgotten, so that the next one is new."""
        return self._entry(name, draft).future

    def news(self, name: str, draft: str | None, every: float = 0.2) -> Iterator[tuple[str, float | None]]:
        """(text, fraction) while the pair is on its way, at most every `every` seconds and only what is new; ends when it is there."""
        loading = self._entry(name, draft)
        said: Any = None
        while not _wait(loading.future, every):
            if loading.news != said:
                said = loading.news
                yield said

    def get(self, name: str, draft: str | None) -> Pair:
        """The pair, when it is there; raises what loading raised."""
        return self._entry(name, draft).future.result()

    def _entry(self, name: str, draft: str | None) -> _Loading:
        key = (name, draft)
        with self._lock:
            if key in self._pairs:
                self._pairs.move_to_end(key)
                return self._pairs[key]
            loading = self._pairs[key] = _Loading()
            while len(self._pairs) > self._kept:
                self._pairs.popitem(last=False)
        threading.Thread(target=self._run, args=(key, loading), name=f"load {name}", daemon=True).start()
        return loading

    def _run(self, key: tuple[str, str | None], loading: _Loading) -> None:
        def progress(text: str, fraction: float | None) -> None:
            loading.news = (text, fraction)

        try:
            pair = self._load(key[0], draft=key[1], progress=progress)
        except BaseException as error:
            with self._lock:
                if self._pairs.get(key) is loading:
                    del self._pairs[key]
            loading.future.set_exception(error)
        else:
            loading.future.set_result(pair)


def _wait(future: Future[Any], seconds: float) -> bool:
    try:
        future.exception(timeout=seconds)
    except FutureTimeout:
        return future.done()
    return True
