"""The recorded passes of a model, shared by all runs that decode with it, and gone with it.

Passes are recorded only for models of which `record_passes` (recorded_models.py) was told, and never while anything else is done with their device:

- Without a turn (a program that does one thing after another) a pass is recorded between two blocks, by the thread that decodes.
- With a turn (a server) another thread records it, one shape each time it has the turn. Whoever loads or decodes has the turn as well, so the
  device is idle then; and no visitor waits for more than one recording, a few passes long.
  A race records what it lacks in turns that it takes itself.

`work` is held on top of that, by recording and by every block on a device: it also keeps two threads of a program without turns apart.
Where a process has its device for one call only (ZeroGPU), nothing is recorded, because nobody calls `record_passes`.
"""

from __future__ import annotations

import logging
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING, Any

import torch

from specdemo.decoding.recorder import Pass, Recorder, captures, first_line
from specdemo.decoding.static_pass import StaticPass, room_of
from specdemo.locks import ForkSafeLock
from specdemo.pairs.spread import device_of

if TYPE_CHECKING:
    from specdemo.decoding.static_forward import StaticForward

MOST_SHAPES = 6  # visitors choose γ; each shape's graph holds memory
IDLE_SECONDS = 60.0  # a shape that was used since then makes no room for another one

Turn = AbstractContextManager[Any]
Recorders = Callable[[torch.device], Recorder]

log = logging.getLogger(__name__)
_work = ForkSafeLock()


class Recordings:
    """One model's passes by the number of tokens they read. `refused` says why none will be used, or is None."""

    work = _work

    def __init__(self, model: Any, turn: Turn | None, recorders: Recorders) -> None:
        self._model = weakref.ref(model)
        self._turn, self._recorders = turn, recorders
        self.device, self.room = device_of(model), room_of(model)
        self.refused: str | None = None
        self._partner: weakref.ref[Recordings] | None = None
        self._static: StaticPass | None = None
        self._recorder: Recorder | None = None
        self._passes: OrderedDict[int, Pass] = OrderedDict()
        self._used: dict[int, float] = {}
        self._proven: set[int] = set()
        self._making: set[int] = set()
        self._holder: weakref.ref[StaticForward] | None = None

    def want(self, count: int, *, now: bool = False) -> None:
        """Have the pass of `count` tokens recorded, now or soon, unless that was done or refused, or there are many and all in use.

        `now`: before this returns, by a caller who has the turn, and in the place of the shape that was not used for longest.
        """
        with _work:
            if count in self._passes or self.refused is not None or captures.failure is not None:
                return
            if not now and (count in self._making or not self._has_room()):
                return
            self._making.add(count)
        if now or self._turn is None:
            self._record(count)
        else:
            threading.Thread(target=self._record_in_turn, args=(self._turn, count), name="record", daemon=True).start()

    def has(self, count: int) -> bool:
        """Whether the pass of `count` tokens is recorded."""
        return count in self._passes

    def proven(self, count: int) -> bool:
        """Whether it was found to give an eager pass's laws."""
        return count in self._proven

    def prove(self, count: int) -> None:
        """It was."""
        self._proven.add(count)

    def recorded(self, count: int, *, proven: bool = True) -> Pass | None:
        """The pass of `count` tokens; None where it is not recorded, or not `proven` and has to be."""
        if count not in self._passes or (proven and count not in self._proven):
            return None
        self._passes.move_to_end(count)
        self._used[count] = time.monotonic()
        return self._passes[count]

    def taken_by(self, forward: StaticForward) -> StaticPass:
        """The memory, with this run's tokens in it; those of the run that had it are put aside. RuntimeError once refused."""
        if self._static is None:
            raise RuntimeError(f"passes are not recorded: {self.refused}")
        holder = None if self._holder is None else self._holder()
        if holder is not forward:
            self._let_go()
            forward.bring_back(self._static)
            self._holder = weakref.ref(forward)
        return self._static

    def refuse(self, error: Exception) -> None:
        """From now on every run of this pair goes through eager passes; the memory is given back."""
        with _work:
            if self.refused is None:
                reason = first_line(error)
                log.warning("recorded passes are refused, eager ones go on: %s", reason)
                for found in (self, self.partner):  # one without the other is of no use
                    if found is not None:
                        found._drop(reason)

    def _has_room(self) -> bool:
        oldest = next(iter(self._passes), 0)
        idle = time.monotonic() - self._used.get(oldest, 0.0) >= IDLE_SECONDS
        return len(self._passes) + len(self._making) < MOST_SHAPES or idle

    def _drop(self, reason: str) -> None:
        self.refused = reason
        if self.device.type == "cuda":
            with suppress(Exception):  # a device that is lost
                torch.cuda.synchronize(self.device)  # a graph must not go while it runs
        self._static, self._recorder, self._holder = None, None, None
        self._passes.clear()
        self._proven.clear()

    @property
    def partner(self) -> Recordings | None:
        """Those of the pair's other model."""
        return None if self._partner is None else self._partner()

    def join(self, partner: Recordings) -> None:
        """These two are the draft's and the target's of a pair."""
        self._partner, partner._partner = weakref.ref(partner), weakref.ref(self)

    def token_bytes(self) -> int:
        """Bytes of one token's keys and values; 0 before the first recording."""
        return 0 if self._static is None else self._static.nbytes() // self._static.room

    def _record_in_turn(self, turn: Turn, count: int) -> None:
        with turn:
            self._record(count)

    @torch.inference_mode()
    def _record(self, count: int) -> None:
        with _work:
            model = self._model()  # held until it is done
            try:
                if model is None or self.refused is not None or captures.failure is not None or count in self._passes:
                    return  # or meanwhile
                self._let_go()  # what is tried is written over what was read
                fresh = torch.zeros((1, count), dtype=torch.long, device=self.device)
                if self._static is None:
                    self._static = StaticPass(model, self.room)
                    self._static.direct(fresh, 0, count)  # makes the cache, on the stream that will use it
                self._recorder = self._recorder or self._recorders(self.device)
                self._static.give(fresh, 0)
                self._passes[count] = self._recorder.record(self._static.fixed(count))
                self._used[count] = time.monotonic()
                while len(self._passes) > MOST_SHAPES:
                    self._proven.discard(self._passes.popitem(last=False)[0])
            except Exception as error:
                self.refuse(error)
            finally:
                self._making.discard(count)

    def _let_go(self) -> None:
        holder = None if self._holder is None else self._holder()
        if holder is not None and self._static is not None:
            holder.put_aside(self._static)
        self._holder = None
