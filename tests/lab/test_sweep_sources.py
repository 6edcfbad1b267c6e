"""A pair of folders travels as data: another machine, which has none of the paths, loads the same pair by the same names."""

from __future__ import annotations

import json
import pickle
import shutil
from pathlib import Path

from specdemo.lab.sweep_cell import measure
from specdemo.lab.sweep_cells import Grid, PairIdentity
from specdemo.lab.sweep_sources import NamedPair, folder_pairs
from specdemo.pairs import Pair
from tests.lab.swept import CATS
from tests.tiny import tiny_pair


def save(folder: Path) -> tuple[Path, Path]:
    """The tiny pair as two folders, draft and target, in float32."""
    pair = tiny_pair()
    for name, model in (("little", pair.draft_model), ("big", pair.target_model)):
        model.float().save_pretrained(folder / name)
        pair.tokenizer.save_pretrained(folder / name)
    return folder / "little", folder / "big"


def test_a_pair_of_folders_travels_as_data(tmp_path: Path) -> None:
    draft, target = save(tmp_path / "here")
    (draft / "empty.txt").touch()
    (draft / "holiday.png").write_bytes(b"nobody's business")
    pair = Pair.from_folders(draft, target, device="cpu")
    both = [(PairIdentity.of(pair), draft), (PairIdentity.of(Pair.from_folders(target, target, device="cpu")), target)]
    store: list[bytes] = []

    def put(content: object) -> int:
        store.append(pickle.dumps(content))
        return len(store) - 1

    sources = folder_pairs(target, both, "cpu", put)
    shutil.rmtree(tmp_path / "here")
    assert list(sources) == ["little", "big"]
    sent = pickle.dumps(sources)
    assert str(tmp_path).encode() not in sent and not any(b"nobody's business" in content for content in store)
    loaded = pickle.loads(sent)["little"].load(lambda number: pickle.loads(store[number]))
    assert PairIdentity.of(loaded) == PairIdentity.of(pair)
    (cell,) = Grid((CATS,), gammas=(3,), prompts=1, max_new_tokens=8).cells([PairIdentity.of(pair)])
    rows = [measure(one, cell)["statistics"] for one in (pair, loaded)]
    assert json.dumps(rows[0]) == json.dumps(rows[1])


def test_a_pair_by_name() -> None:
    pair = NamedPair("stories", "96", "cpu", "float32").load(lambda reference: reference)
    assert (pair.name, pair.draft_name, pair.dtype) == ("stories", "96", "float32")
