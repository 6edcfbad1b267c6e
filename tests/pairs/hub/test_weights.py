"""Headers of weights' files: what real ones hold is counted, and hostile ones are refused before anything is read by them."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from specdemo.pairs import PairUnavailable
from specdemo.pairs.hub.listing import INDEX
from specdemo.pairs.hub.weights import check_counts, stored_weights

REPO = "some/model"


def header(path: Path, tensors: dict[str, Any], length: int | None = None, data: bytes = b"\0" * 64) -> None:
    """A weights' file with this header, which claims a `length`."""
    text = json.dumps(tensors).encode()
    path.write_bytes(struct.pack("<Q", len(text) if length is None else length) + text + data)


def part(shape: list[int], data: int, kind: str = "F32") -> dict[str, Any]:
    return {"a": {"dtype": kind, "shape": shape, "data_offsets": [0, data]}}


def test_what_the_files_hold_is_counted(tmp_path: Path) -> None:
    save_file({"a": np.zeros((3, 4), np.float32), "b": np.zeros(5, np.float16)}, tmp_path / "model.safetensors")
    assert stored_weights(tmp_path, REPO) == 17


def test_parts_are_counted_by_their_index(tmp_path: Path) -> None:
    names = [f"model-0000{n}-of-00002.safetensors" for n in (1, 2)]
    for name in names:
        save_file({name: np.zeros(5, np.float32)}, tmp_path / name)
    (tmp_path / INDEX).write_text(json.dumps({"weight_map": {name: name for name in names}}), encoding="utf-8")
    assert stored_weights(tmp_path, REPO) == 10
    (tmp_path / names[1]).unlink()
    with pytest.raises(PairUnavailable, match=f"names {names[1]}, which it does not have"):
        stored_weights(tmp_path, REPO)


@pytest.mark.parametrize(
    "name", ["../secret.safetensors", "/etc/model.safetensors", "model.safetensors/../x", "x.bin", 7, ""]
)
def test_an_index_names_nothing_outside_its_folder(tmp_path: Path, name: Any) -> None:
    (tmp_path / INDEX).write_text(json.dumps({"weight_map": {"a": name}}), encoding="utf-8")
    with pytest.raises(PairUnavailable, match=r"its model.safetensors.index.json names the file"):
        stored_weights(tmp_path, REPO)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"weight_map": [1]}', "[" * 100_000, '{"weight_map": {"a": []}}'])
def test_an_index_that_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / INDEX).write_text(text, encoding="utf-8")
    with pytest.raises(PairUnavailable, match=r"index.json is missing or damaged"):
        stored_weights(tmp_path, REPO)


@pytest.mark.parametrize("length", [0, 1, 10_000_001, 2**40, 2**64 - 1])
def test_a_header_of_gigabytes_is_not_read(tmp_path: Path, length: int) -> None:
    header(tmp_path / "model.safetensors", part([1], 4), length)
    with pytest.raises(PairUnavailable, match=r"the header of its model.safetensors claims .*; at most 10 MB"):
        stored_weights(tmp_path, REPO)


def test_a_header_that_is_long_and_right_is_not_read_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_file({"a": np.zeros(3, np.float32)}, tmp_path / "model.safetensors")
    assert stored_weights(tmp_path, REPO) == 3
    monkeypatch.setattr("specdemo.pairs.hub.weights.MOST_OF_HEADER", 20)
    with pytest.raises(PairUnavailable, match=r"at most 20 bytes, and no more than the file has, are read"):
        stored_weights(tmp_path, REPO)


@pytest.mark.parametrize(
    "tensors",
    [
        part([10**9, 10**9], 64), part([16], 10**12), part([2**62, 8], 64), part([-1], 4), part([16], 64, "F99"),
        {**part([16], 64), "b": part([16], 64)["a"]}, {"a": 1},
    ],
)  # fmt: skip
def test_shapes_that_are_not_the_files(tmp_path: Path, tensors: dict[str, Any]) -> None:
    header(tmp_path / "model.safetensors", tensors)
    with pytest.raises(PairUnavailable, match=r"its model.safetensors cannot be read"):
        stored_weights(tmp_path, REPO)


def test_no_weights_of_one_byte_and_no_more_of_them_than_two_bytes_allow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_file({"layer": np.zeros((1001, 1000), np.int8)}, tmp_path / "model.safetensors")
    with pytest.raises(
        PairUnavailable, match=r"layer in its model.safetensors is stored as I8; weights are read as F64"
    ):
        stored_weights(tmp_path, REPO)
    save_file({"a": np.zeros(600, np.uint8), "b": np.zeros(600, np.uint8)}, tmp_path / "model.safetensors")
    assert stored_weights(tmp_path, REPO) == 1_200
    monkeypatch.setenv("SPECDEMO_HUB_MODEL_GB", str(2_000 / 1e9))
    with pytest.raises(PairUnavailable, match="holds 1,200 weights: at most 1,000 are read here"):
        stored_weights(tmp_path, REPO)
    monkeypatch.setenv("SPECDEMO_HUB_MODEL_GB", str(1_000 / 1e9))
    with pytest.raises(PairUnavailable, match="of weights: at most 1 kB are read here"):
        stored_weights(tmp_path, REPO)


def test_a_configuration_and_its_files_belong_together() -> None:
    check_counts({"weights": 1_000, "buffers": 10}, 1_000, REPO)
    check_counts({"weights": 1_000, "buffers": 10}, 1_500, REPO)  # a matrix that is tied, stored twice
    for weights, buffers, stored in ((1_001, 0, 1_000), (1_000, 10**9, 1_000), (1_000, 0, 10**9)):
        with pytest.raises(PairUnavailable, match="they do not belong together"):
            check_counts({"weights": weights, "buffers": buffers}, stored, REPO)
