"""The messages a run sends to the browser (docs/viewer.md), each one JSON string, numbered so that a gap is noticed."""

from __future__ import annotations

import json
from typing import Any

from specdemo.pages.run_time import REASON
from specdemo.sentences import told


class Messages:
    """Writes the messages of one run; `count` of them there are already, or were passed on for somebody else."""

    def __init__(self, run: str, count: int = 0) -> None:
        self._run = run
        self.count = count

    def start(self, head: dict[str, Any]) -> str:
        """The trace without its blocks."""
        return self._write("start", head=head)

    def blocks(self, blocks: list[dict[str, Any]], memory: Any) -> str:
        """The blocks decoded since the message before, and the rule's memory after the last of them."""
        return self._write("blocks", first=blocks[0]["index"], blocks=blocks, memory=memory)

    def progress(self, text: str, fraction: float | None = None) -> str:
        """A sentence about what takes time, and how far it is (0 … 1) where that is known."""
        return self._write("progress", text=text, fraction=fraction, **told(text))

    def measured(self, event: dict[str, Any]) -> str:
        """An event of a measurement (docs/compare.md), its kind among its fields."""
        return self._write(**event)

    def finished(self) -> str:
        """All that was to be measured has been."""
        return self._write("end")

    def end(self, block: int, finish: str | None) -> str:
        """All that was asked for is done: `block` is the index of the block that would come next."""
        return self._write("end", block=block, finish=finish)

    def error(self, text: str) -> str:
        """What went wrong, for a reader."""
        return self._write("error", text=text, **told(text))

    def time_over(self, text: str, seconds: float) -> str:
        """The same where `seconds` of computing time are used up: the page knows it by its reason."""
        return self._write("error", text=text, reason=REASON, seconds=seconds)

    def _write(self, kind: str, **fields: Any) -> str:
        message = {"run": self._run, "seq": self.count, "kind": kind, **fields}
        self.count += 1
        return json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
