"""Reads the vectors back from their folder, checksums and version first."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from specdemo.auditor.vectors.files import LARGE, MANIFEST, SMALL
from specdemo.auditor.vectors.record import SCHEMA, VERSION, Vector, from_json

FOLDER = Path(__file__).parents[3] / "tests" / "data" / "vectors"


def load(folder: Path = FOLDER) -> list[Vector]:
    """All vectors of `folder`; ValueError where a file is missing, is not what the manifest says, or has another schema."""
    manifest_path = folder / MANIFEST
    if not manifest_path.is_file():
        raise ValueError(
            f"{folder} holds no {MANIFEST}: write the vectors with `python -m specdemo vectors --write {folder}`"
        )
    manifest = json.loads(manifest_path.read_text(encoding="utf-8"))
    try:
        return _read(folder, manifest)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{folder} holds no vectors of {SCHEMA!r}: {type(error).__name__} {error}") from error


def _read(folder: Path, manifest: dict[str, Any]) -> list[Vector]:
    if (manifest.get("schema"), manifest.get("version")) != (SCHEMA, VERSION):
        raise ValueError(
            f"{folder / MANIFEST} is {manifest.get('schema')!r} version {manifest.get('version')!r}, this reads {SCHEMA!r} version {VERSION}"
        )
    vectors = []
    for name in (SMALL, LARGE):
        content = (folder / name).read_bytes()
        if hashlib.sha256(content).hexdigest() != manifest["files"][name]["sha256"]:
            raise ValueError(f"{folder / name} is not the file that {MANIFEST} describes: its checksum differs")
        vectors += [from_json(entry) for entry in json.loads(content)["vectors"]]
    return vectors


def read_files(folder: Path | None = None) -> list[Path]:
    """What `load_or_generate` reads of `folder`, or of this repository."""
    return [(folder or FOLDER) / name for name in (MANIFEST, SMALL, LARGE)]


def load_or_generate(folder: Path | None = None) -> Sequence[Vector]:
    """The vectors of `folder`, or of this repository; where neither is there, made anew."""
    if folder is not None or (FOLDER / MANIFEST).is_file():
        return load(folder or FOLDER)
    from specdemo.auditor.vectors.generate import generate

    return generate()
