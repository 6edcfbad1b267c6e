"""A reader of R's lazy-load databases (`.rdx` + `.rdb`), as far as character vectors need it; no R required.

Format: R Internals, "Serialization Formats" (XDR variant); an `.rdx` is a compressed serialised list that says where in the
`.rdb` each variable's compressed serialisation lies. Factors, closures and environments are not read.
"""

from __future__ import annotations

import bz2
import lzma
import struct
import zlib
from pathlib import Path
from typing import Any


class _Reader:
    def __init__(self, data: bytes) -> None:
        if data[:2] != b"X\n":
            raise ValueError("not an XDR serialisation of R")
        self.data, self.at, self.symbols = data, 2, [""]
        version = self.integers(3)[0]
        if version == 3:
            self.take(self.integers(1)[0])

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]

    def integers(self, count: int) -> tuple[int, ...]:
        return struct.unpack(f">{count}i", self.take(4 * count))

    def item(self) -> Any:
        flags = self.integers(1)[0]
        kind, has_attributes, has_tag = flags & 255, flags & 512, flags & 1024
        if kind == 254:
            return None
        if kind == 255:
            return self.symbols[flags >> 8]
        if kind == 1:
            self.symbols.append(self.item())
            return self.symbols[-1]
        if kind == 9:
            size = self.integers(1)[0]
            return "" if size < 0 else self.take(size).decode("utf-8")
        if kind == 2:
            pairs: dict[str, Any] = {}
            if has_attributes:
                self.item()
            key = self.item() if has_tag else ""
            pairs[key] = self.item()
            pairs.update(self.item() or {})
            return pairs
        value: Any
        size = self.integers(1)[0]
        if kind in (10, 13):
            value = list(self.integers(size))
        elif kind == 14:
            value = list(struct.unpack(f">{size}d", self.take(8 * size)))
        elif kind in (16, 19):
            value = [self.item() for _ in range(size)]
        else:
            raise ValueError(f"R type {kind} is not read here")
        attributes = self.item() if has_attributes else {}
        names = attributes.get("names")
        return dict(zip(names, value, strict=True)) if names and kind == 19 else value


def _decompress(chunk: bytes) -> bytes:
    """The bytes of one `.rdb` record: length (4 bytes), then zlib; or length, "2" or "Z" and bzip2 or lzma."""
    if chunk[4:5] == b"2":
        return bz2.decompress(chunk[5:])
    if chunk[4:5] == b"Z":
        return lzma.decompress(chunk[5:], lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA2, "preset": 6 | lzma.PRESET_EXTREME}])
    return zlib.decompress(chunk[4:])


def read_variables(index: Path) -> dict[str, Any]:
    """All variables of the database whose `.rdx` file is `index`, by name."""
    table = _Reader(zlib.decompress(index.read_bytes(), 47)).item()["variables"]
    data = index.with_suffix(".rdb").read_bytes()
    return {name: _Reader(_decompress(data[start : start + size])).item() for name, (start, size) in table.items()}
