"""The files: made anew they are the same bytes, they follow their schema, and their checksums hold."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from specdemo.auditor.vectors.check import TOLERANCES
from specdemo.auditor.vectors.files import LARGE, MANIFEST, SMALL, write
from specdemo.auditor.vectors.generate import generate
from specdemo.auditor.vectors.load import FOLDER, load
from specdemo.auditor.vectors.record import Recipe, Vector
from specdemo.auditor.vectors.table import COMMAND, kit, table
from specdemo.auditor.vectors.tags import MEANING
from specdemo.verifiers import mistakes

DOCS = Path(__file__).parents[2] / "docs"
MIN_KILLS = 3


@pytest.fixture(scope="module")
def vectors() -> Sequence[Vector]:
    return load()


def test_made_anew_they_are_the_same_bytes(tmp_path: Path) -> None:
    for name in write(tmp_path, generate()):
        again = "python -m specdemo vectors --write tests/data/vectors"
        assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes(), f"{name} is out of date: {again}"


def test_they_follow_their_schema() -> None:
    schema = json.loads((FOLDER / "vectors.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for name in (SMALL, LARGE):
        document = json.loads((FOLDER / name).read_text(encoding="utf-8"))
        validator.validate(document)
    document["vectors"][0]["uniforms"] = ["1.5"]
    assert not validator.is_valid(document)


def test_checksums_hold_and_the_folder_is_small() -> None:
    manifest = json.loads((FOLDER / MANIFEST).read_text(encoding="utf-8"))
    for name, entry in manifest["files"].items():
        content = (FOLDER / name).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (entry["bytes"], entry["sha256"])
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) < 3_000_000


@pytest.mark.parametrize("damage", ["changed", "missing", "version", "foreign"])
def test_a_damaged_folder_is_refused(tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "vectors"
    shutil.copytree(FOLDER, folder)
    manifest = folder / MANIFEST
    if damage == "changed":
        (folder / SMALL).write_bytes((folder / SMALL).read_bytes().replace(b'"accepted":1', b'"accepted":2', 1))
    elif damage == "missing":
        manifest.unlink()
    elif damage == "version":
        manifest.write_text(manifest.read_text(encoding="utf-8").replace("vectors/1", "vectors/2"), encoding="utf-8")
    else:
        manifest.write_text('{"schema": "specdemo.vectors/1", "version": 1}', encoding="utf-8")
    with pytest.raises(ValueError, match=r"checksum|holds no|version"):
        load(folder)


def test_what_they_cover(vectors: Sequence[Vector]) -> None:
    assert len({vector.case.name for vector in vectors}) == len(vectors) > 300
    assert f"{len(vectors)} drafted blocks" in (FOLDER / "README.md").read_text(encoding="utf-8")
    for rule in ("token", "block", "greedy_block", "sampled_match"):
        own = [vector for vector in vectors if vector.case.rule == rule]
        small = [vector for vector in own if not isinstance(vector.case.rows, Recipe)]
        assert {vector.case.gamma for vector in small} == set(range(9)), rule
        assert {vector.case.vocab_size for vector in small} == set(range(2, 9)), rule
        assert any(vector.case.vocab_size > 30_000 for vector in own), rule
    assert {tag for vector in vectors for tag in vector.tags} == set(MEANING)
    firm = [vector for vector in vectors if vector.margin >= 1e-3]
    assert len(firm) > 0.85 * len(vectors)


def test_every_mistake_is_found_by_several(vectors: Sequence[Vector]) -> None:
    firm = [vector for vector in vectors if vector.firmness >= TOLERANCES["float32"]]
    for name in mistakes.names():
        found = [vector.case.name for vector in firm if name in vector.kills]
        assert len(found) >= MIN_KILLS, f"{name} is found by {found} only"
    for rule in ("token", "block", "greedy_block"):
        found_by_kit = {name for vector in kit(rule, firm) for name in vector.kills}
        assert found_by_kit == {name for name in mistakes.names() if mistakes.get(name).rule == rule}


def test_the_table_is_up_to_date(vectors: Sequence[Vector]) -> None:
    assert (DOCS / "mistakes.md").read_text(encoding="utf-8") == table(vectors), f"write it again: {COMMAND}"


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_arrays_are_the_fractions(vectors: Sequence[Vector], dtype: str) -> None:
    small = [vector for vector in vectors if not isinstance(vector.case.rows, Recipe)]
    with np.load(FOLDER / f"small.{dtype}.npz") as arrays:
        held = dict(arrays)
    assert held["draft"].dtype == dtype
    assert [name.decode() for name in held["name"].tolist()] == [vector.case.name for vector in small]
    for k, vector in enumerate(small):

        def part(name: str, k: int = k) -> list[float]:
            values: list[float] = held[name][held[f"{name}_start"][k] : held[f"{name}_start"][k + 1]].tolist()
            return values

        draft, target = vector.case.arrays(dtype)
        assert part("draft") == draft.ravel().tolist() and part("target") == target.ravel().tolist()
        assert draft.shape == (held["draft_rows"][k], held["vocab_size"][k])
        assert part("tokens") == list(vector.case.tokens)
        assert part("uniforms") == [float(u) for u in vector.case.uniforms]
        expected = vector.expected
        assert (held["accepted"][k], held["next_token"][k]) == (expected.accepted, expected.next_token)
        assert np.allclose(part("accept_prob"), [float(p) for p in expected.accept_prob], rtol=1e-6, atol=0)
        assert np.allclose(part("next_law"), [float(expected.next_law[v]) for v in range(vector.case.vocab_size)], 1e-6)
