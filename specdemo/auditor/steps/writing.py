"""Writing such logs: from any engine's loop with `StepsWriter`, from our own with `write_steps`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from specdemo.arrays import to_numpy
from specdemo.auditor.steps.record import SCHEMA

if TYPE_CHECKING:
    from specdemo.decoding.loop import Step

Storage = Literal["inline", "npy", "safetensors"]

_CHUNK_BYTES = 1 << 26


class StepsWriter:
    """Writes one record a verified block; laws inline, or in .npy / .safetensors files of about 64 MiB beside the log.

    A context manager: what is still held back is written at the end. The laws' precision is kept in files; inline numbers are
    written with all their digits and `precision` in the first line.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "steps.jsonl"
    >>> with StepsWriter(path, rule="token") as log:
    ...     log.write(tokens=[1], draft=[[0.5, 0.5]], target=[[0.5, 0.5], [1.0, 0.0]], accepted=1, next_token=0)
    """

    def __init__(
        self,
        path: str | Path,
        *,
        laws: Storage = "inline",
        rule: str | None = None,
        temperature: float | None = None,
        precision: str | None = None,
    ) -> None:
        if laws not in ("inline", "npy", "safetensors"):
            raise ValueError(f"laws is {laws!r}: it must be 'inline', 'npy' or 'safetensors'")
        self._path, self._laws = Path(path), laws
        self._file = self._path.open("w", encoding="utf-8")
        self._held: list[tuple[dict[str, Any], NDArray[Any], NDArray[Any]]] = []
        self._bytes = self._chunk = 0
        header = {"schema": SCHEMA, "rule": rule, "temperature": temperature, "precision": precision}
        self._line({name: value for name, value in header.items() if value is not None})

    def write(
        self,
        *,
        tokens: Any,
        draft: Any,
        target: Any,
        accepted: int,
        next_token: int,
        uniforms: Any = None,
        **fields: Any,
    ) -> None:
        """One block: `tokens` (γ,), `draft` (γ or γ+1, V), `target` (γ+1, V), `uniforms` (γ+1,) if known; `fields`: id, stream, block, rule …"""
        record = {
            "tokens": to_numpy(tokens).astype(int).tolist(),
            "accepted": int(accepted),
            "next_token": int(next_token),
        }
        if uniforms is not None:
            record["uniforms"] = to_numpy(uniforms).astype(np.float64).tolist()
        record |= {name: value for name, value in fields.items() if value is not None}
        draft_rows, target_rows = to_numpy(draft), to_numpy(target)
        if self._laws == "inline":
            self._line(record | {"draft": draft_rows.tolist(), "target": target_rows.tolist()})
            return
        # One array a chunk: a change of width or precision starts another.
        if self._held and (self._held[0][2].shape[1], self._held[0][2].dtype) != (
            target_rows.shape[1],
            target_rows.dtype,
        ):
            self._flush()
        self._held.append((record, draft_rows.reshape(-1, target_rows.shape[1]).astype(target_rows.dtype), target_rows))
        self._bytes += draft_rows.nbytes + target_rows.nbytes
        if self._bytes >= _CHUNK_BYTES:
            self._flush()

    def close(self) -> None:
        """Write what is held back and close the log."""
        self._flush()
        self._file.close()

    def __enter__(self) -> StepsWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _flush(self) -> None:
        if not self._held:
            return
        name = f"{self._path.stem}.{self._chunk:04d}.{self._laws}"
        beside = self._path.with_name(name)
        if self._laws == "npy":
            np.save(beside, np.concatenate([part for _, draft, target in self._held for part in (draft, target)]))
        else:
            from safetensors.numpy import save_file

            tensors = {}
            for i, (_, draft, target) in enumerate(self._held):
                tensors[f"draft_{i}"], tensors[f"target_{i}"] = (
                    np.ascontiguousarray(draft),
                    np.ascontiguousarray(target),
                )
            save_file(tensors, beside)
        row = 0
        for i, (record, draft, target) in enumerate(self._held):
            if self._laws == "npy":
                ends = row + len(draft), row + len(draft) + len(target)
                laws: dict[str, Any] = {
                    "draft": {"npy": name, "rows": [row, ends[0]]},
                    "target": {"npy": name, "rows": [ends[0], ends[1]]},
                }
                row = ends[1]
            else:
                laws = {part: {"safetensors": name, "key": f"{part}_{i}"} for part in ("draft", "target")}
            self._line(record | laws)
        self._held, self._bytes = [], 0
        self._chunk += 1

    def _line(self, record: dict[str, Any]) -> None:
        self._file.write(json.dumps(record, ensure_ascii=False) + "\n")


def write_steps(path: str | Path, steps: Iterable[Step], *, laws: Storage = "inline", uniforms: bool = True) -> None:
    """The blocks of runs of our own loop as a log; each block with index 0 starts another stream."""
    with StepsWriter(path, laws=laws, precision="float64") as log:
        stream = -1
        for step in steps:
            stream += step.index == 0
            log.write(
                tokens=step.tokens,
                draft=step.draft,
                target=step.target,
                accepted=step.verdict.accepted,
                next_token=step.verdict.next_token,
                uniforms=step.verify_uniforms if uniforms else None,
                rule=step.verifier,
                stream=max(stream, 0),
                block=step.index,
            )
