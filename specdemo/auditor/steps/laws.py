"""Laws by reference: rows of .npy, .npz and .safetensors files that lie in the log's folder.

Never outside that folder, never a pickle, never more than the rows that are asked for where the format allows it.
"""

from __future__ import annotations

import json
import zipfile
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from specdemo.auditor.steps.record import NpyReference, NpzReference, Reference

MAX_ARRAY_BYTES = 1 << 30
_OPEN_FILES = 8


class LawFiles:
    """The files next to a log; a handful stays open, so that neighbouring records share them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._open: OrderedDict[Path, Any] = OrderedDict()

    def read(self, reference: Reference) -> tuple[NDArray[Any], str]:
        """The referenced array, and the name of its precision; ValueError saying what is wrong with the reference."""
        if isinstance(reference, NpyReference):
            path = self._inside(reference.npy)
            stored = self._cached(path, lambda: _checked_type(_numpy(path), path.name))
            part = _part(stored, reference)
        elif isinstance(reference, NpzReference):
            path = self._inside(reference.npz)
            part = _part(_from_npz(path, reference.key), reference)
        else:
            path = self._inside(reference.safetensors)
            return self._tensor(path, reference.key, reference)
        return _bounded(part), part.dtype.name

    def _inside(self, name: str) -> Path:
        path = Path(name)
        try:
            resolved = (self._folder / path).resolve()
        except RuntimeError as error:  # links that lead to each other
            raise ValueError(f"{name!r} leads nowhere: {error}") from error
        if path.is_absolute() or not resolved.is_relative_to(self._folder):
            raise ValueError(f"{name!r} lies outside the log's folder: a reference is relative to it and stays inside")
        if not resolved.is_file():
            raise ValueError(f"there is no file {name!r} in the log's folder")
        return resolved

    def _cached(self, path: Path, make: Any) -> Any:
        if path not in self._open:
            self._open[path] = make()
        self._open.move_to_end(path)
        while len(self._open) > _OPEN_FILES:
            self._open.popitem(last=False)
        return self._open[path]

    def _tensor(self, path: Path, key: str, reference: Reference) -> tuple[NDArray[Any], str]:
        from safetensors import SafetensorError, safe_open

        try:
            opened = self._cached(path, lambda: safe_open(str(path), framework="numpy"))
            if key not in opened.keys():  # noqa: SIM118 (not a dict)
                raise ValueError(f"{path.name} has no tensor {key!r}")
            kind = opened.get_slice(key).get_dtype()
            if kind not in ("F64", "F32", "F16", "BF16"):
                raise ValueError(f"{path.name}: {key!r} holds {kind}, not floating-point numbers")
            tensor = _bfloat16(path, key) if kind == "BF16" else opened.get_tensor(key)
        except SafetensorError as error:
            raise ValueError(f"{path.name} is not a readable safetensors file: {error}") from error
        part = _bounded(_part(tensor, reference))
        return part, "bfloat16" if kind == "BF16" else part.dtype.name


def _numpy(path: Path) -> NDArray[Any]:
    try:
        stored = np.load(path, mmap_mode="r", allow_pickle=False)
    except Exception as error:  # damaged files make numpy and zipfile raise almost anything
        raise ValueError(f"{path.name} is not a readable .npy file of numbers: {error}") from error
    if not isinstance(stored, np.ndarray):
        stored.close()
        raise ValueError(f"{path.name} is an archive, not a .npy file: refer to it with npz and key")
    return stored


def _from_npz(path: Path, key: str) -> NDArray[Any]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            if f"{key}.npy" not in names:
                raise ValueError(f"{path.name} has no array {key!r}")
            if archive.getinfo(f"{key}.npy").file_size > MAX_ARRAY_BYTES:
                raise ValueError(f"{path.name}: {key!r} is larger than {MAX_ARRAY_BYTES >> 20} MiB: use .npy")
        with np.load(path, allow_pickle=False) as arrays:
            stored = arrays[key]
    except ValueError:
        raise
    except Exception as error:  # damaged files make numpy, zipfile and zlib raise almost anything
        raise ValueError(f"{path.name} is not a readable .npz file: {error}") from error
    if not isinstance(stored, np.ndarray):
        raise ValueError(f"{path.name}: {key!r} is not an array")
    return _checked_type(stored, path.name)


def _bfloat16(path: Path, key: str) -> NDArray[Any]:
    # numpy has no bfloat16: its 16 bits are the upper half of a float32. The header has been validated by safe_open.
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        entry = json.loads(file.read(size))[key]
    start, end = entry["data_offsets"]
    halves = np.memmap(path, dtype="<u2", mode="r", offset=8 + size + start, shape=((end - start) // 2,))
    return (halves.astype(np.uint32) << 16).view(np.float32).reshape(entry["shape"])


def _checked_type(array: NDArray[Any], name: str) -> NDArray[Any]:
    if not np.issubdtype(array.dtype, np.floating):
        raise ValueError(f"{name} holds {array.dtype}, not floating-point numbers")
    return array


def _part(array: NDArray[Any], reference: Reference) -> NDArray[Any]:
    if reference.index is not None:
        if array.ndim == 0 or reference.index >= len(array):
            raise ValueError(f"index is {reference.index}, but the array has shape {array.shape}")
        array = array[reference.index]
    if reference.rows is not None:
        first, last = reference.rows
        if array.ndim == 0 or not first <= last <= len(array):
            raise ValueError(f"rows is [{first}, {last}], but the array has shape {array.shape}")
        array = array[first:last]
    return array


def _bounded(array: NDArray[Any]) -> NDArray[Any]:
    if array.nbytes > MAX_ARRAY_BYTES:
        raise ValueError(f"the laws of one record have shape {array.shape}: give the record's own `index` or `rows`")
    return array
