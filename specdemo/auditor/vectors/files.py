"""Writes the vectors as files that any language can read; the same bytes every time, with a manifest of their checksums.

small.json and large.json (fractions), small.txt (lines of numbers, for languages without JSON at hand), small.float64.npz and
small.float32.npz (arrays one behind the other), vectors.schema.json, manifest.json.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from specdemo.auditor.vectors.record import SCHEMA, VERSION, Recipe, Vector
from specdemo.auditor.vectors.schema import json_schema
from specdemo.auditor.vectors.tags import MEANING

MANIFEST, SMALL, LARGE = "manifest.json", "small.json", "large.json"


def write(folder: Path, vectors: Sequence[Vector]) -> dict[str, int]:
    """Write all files into `folder` (made if it is missing); returns their sizes in bytes. OSError where that fails."""
    files = contents(vectors)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return {name: len(content) for name, content in files.items()}


def contents(vectors: Sequence[Vector]) -> dict[str, bytes]:
    """File name → content, the manifest last."""
    small = [vector for vector in vectors if not isinstance(vector.case.rows, Recipe)]
    large = [vector for vector in vectors if isinstance(vector.case.rows, Recipe)]
    files = {
        SMALL: _json_lines(small),
        LARGE: _json_lines(large),
        "small.txt": "".join(_text(vector) for vector in small).encode(),
        "small.float64.npz": _npz(small, "float64"),
        "small.float32.npz": _npz(small, "float32"),
        "vectors.schema.json": (json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n").encode(),
    }
    manifest = {
        "schema": SCHEMA,
        "version": VERSION,
        "vectors": {"small": len(small), "large": len(large)},
        "rules": dict(Counter(vector.case.rule for vector in vectors)),
        "tags": MEANING,
        "files": {
            name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for name, content in files.items()
        },
    }
    return files | {MANIFEST: (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()}


def _json_lines(vectors: Sequence[Vector]) -> bytes:
    """One JSON document, one vector a line, so that a difference of two versions is readable."""
    lines = [json.dumps(vector.to_json(), ensure_ascii=False, separators=(",", ":")) for vector in vectors]
    head = f'{{"schema":"{SCHEMA}","version":{VERSION},"vectors":[\n'
    return (head + ",\n".join(lines) + "\n]}\n").encode()


def _text(vector: Vector) -> str:
    """A vector in lines of a keyword and values; probabilities as the shortest decimals that give the float64 number."""
    case, expected = vector.case, vector.expected
    memory = [str(part) for ratio, remaining in case.memory or [] for part in (float(ratio), remaining)]
    lines: list[tuple[str, Iterable[Any]]] = [
        ("vector", [case.name, case.rule, case.gamma, case.vocab_size, len(case.draft)]),
        ("tokens", case.tokens),
        *(("draft", law.floats()) for law in case.draft),
        *(("target", law.floats()) for law in case.target),
        ("uniforms", _floats(case.uniforms)),
        ("memory", memory),
        ("accepted", [expected.accepted]),
        ("next_token", [expected.next_token]),
        ("accept_prob", _floats(expected.accept_prob)),
        ("prefix_weight", _floats(expected.prefix_weight)),
        ("next_law", _floats(_law(vector))),
        ("margin", [vector.margin]),
        ("condition", [vector.condition]),
        ("tags", vector.tags),
        ("kills", vector.kills),
        ("end", []),
    ]
    return "".join(" ".join([keyword, *map(str, values)]) + "\n" for keyword, values in lines)


def _law(vector: Vector) -> list[Fraction]:
    return [vector.expected.next_law[v] for v in range(vector.case.vocab_size)]


def _floats(values: Iterable[Fraction]) -> list[float]:
    return [float(value) for value in values]


def _npz(vectors: Sequence[Vector], dtype: str) -> bytes:
    """Arrays one behind the other: `x` holds all of them, `x_start` (vectors + 1) where each begins."""
    arrays: dict[str, NDArray[Any]] = {
        "name": np.array([vector.case.name for vector in vectors], dtype="S"),
        "rule": np.array([vector.case.rule for vector in vectors], dtype="S"),
        "gamma": _integers([vector.case.gamma for vector in vectors]),
        "vocab_size": _integers([vector.case.vocab_size for vector in vectors]),
        "draft_rows": _integers([len(vector.case.draft) for vector in vectors]),
        "accepted": _integers([vector.expected.accepted for vector in vectors]),
        "next_token": _integers([vector.expected.next_token for vector in vectors]),
        "margin": np.array([vector.margin for vector in vectors]),
        "condition": np.array([vector.condition for vector in vectors]),
    }
    laws = [vector.case.arrays(dtype) for vector in vectors]
    ragged: dict[str, list[NDArray[Any]]] = {
        "tokens": [_integers(vector.case.tokens) for vector in vectors],
        "draft": [draft.ravel() for draft, _ in laws],
        "target": [target.ravel() for _, target in laws],
        "uniforms": [np.array(_floats(vector.case.uniforms), dtype) for vector in vectors],
        "memory_ratio": [np.array([float(r) for r, _ in vector.case.memory or []], dtype) for vector in vectors],
        "memory_remaining": [_integers([n for _, n in vector.case.memory or []]) for vector in vectors],
        "accept_prob": [np.array(_floats(vector.expected.accept_prob), dtype) for vector in vectors],
        "prefix_weight": [np.array(_floats(vector.expected.prefix_weight), dtype) for vector in vectors],
        "next_law": [np.array(_floats(_law(vector)), dtype) for vector in vectors],
    }
    for name, parts in ragged.items():
        arrays[name] = np.concatenate(parts)
        arrays[f"{name}_start"] = _integers(np.cumsum([0, *(part.size for part in parts)]).tolist())
    return _archive(arrays)


def _integers(values: Sequence[int]) -> NDArray[np.int64]:
    return np.array(values, dtype=np.int64)


def _archive(arrays: dict[str, NDArray[Any]]) -> bytes:
    """An .npz without compression and with one fixed date: compressors and clocks differ from machine to machine."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            part = io.BytesIO()
            little_endian = array.astype(array.dtype.newbyteorder("<"), copy=False)
            np.lib.format.write_array(part, little_endian, version=(1, 0), allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            entry.create_system = 3
            archive.writestr(entry, part.getvalue())
    return whole.getvalue()
