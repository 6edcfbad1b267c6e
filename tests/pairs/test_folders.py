"""Two folders of one's own as a pair: what is taken for a folder, under which names and revisions, and what is said where there is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from specdemo.pairs import Pair, PairUnavailable, TokenizersDiffer, load_pair, registry
from specdemo.pairs.folders import folder_pair, is_model_folder
from specdemo.pairs.sources import folder_revision
from tests.pairs.test_loading import save


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("models")
    for name, seed, layers in (("target", 2, 2), ("near", 1, 1), ("models/target", 2, 2), ("models/near", 3, 1)):
        save(place / name, seed, layers=layers)
    (place / "empty").mkdir()
    return place


@pytest.fixture(autouse=True)
def there(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(models)


@pytest.mark.parametrize(
    ("target", "draft"),
    [
        ("./target", "./near"),
        ("target", "near"),
        ("models/target", "models/near"),
        (Path("target"), Path("near")),
        ("target", Path("near")),
    ],
)
def test_folders_are_a_pair_with_hashes_as_revisions(target: str | Path, draft: str | Path) -> None:
    pair = load_pair(target, draft=draft, device="cpu")
    assert (pair.name, pair.title, pair.draft_name) == ("target", "target", "near")
    assert pair.target_model.config.num_hidden_layers == 2 and pair.draft_model.config.num_hidden_layers == 1
    assert (pair.target_revision, pair.draft_revision) == (folder_revision(Path(target)), folder_revision(Path(draft)))
    assert pair.draft_revision.startswith("sha256:")


def test_it_is_the_pair_of_from_folders(models: Path) -> None:
    said: list[str] = []
    one = load_pair(
        str(models / "target"), draft="near", device="cpu", progress=lambda text, fraction: said.append(text)
    )
    other = Pair.from_folders("near", "target", device="cpu")
    assert (one.name, one.draft_name) == (other.name, other.draft_name) and said[-1] == "Ready"
    assert (one.target_revision, one.draft_revision) == (other.target_revision, other.draft_revision)


def test_a_folder_has_its_own_name_from_within(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(models / "target")
    entry = folder_pair(".", "../near")
    assert entry is not None and entry.name == "target" and list(entry.drafts) == ["near"]


def test_a_registered_name_is_that_pair_whatever_lies_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(tmp_path / "stories", 1)
    monkeypatch.chdir(tmp_path)
    assert not is_model_folder("stories") and is_model_folder("./stories") and is_model_folder(Path("stories"))
    assert folder_pair("stories", None) is None and folder_pair("./stories", "./stories") is not None
    assert load_pair("stories", device="cpu").title == registry.get("stories").title


@pytest.mark.parametrize(
    ("target", "draft", "words"),
    [
        ("./missing", "./near", "there is no folder './missing'"),
        ("./target", "./missing", "there is no folder './missing'"),
        (Path("missing"), Path("near"), "there is no folder 'missing'"),
        ("/no/such/model", None, "there is no folder '/no/such/model'"),
        ("empty", "near", "the folder 'empty' has no config.json: there is no model in it"),
        ("target", "empty", "the folder 'empty' has no config.json: there is no model in it"),
        ("./target", None, "'./target' is a folder: give the draft's folder too (draft=…)"),
        ("target", "192", "the target 'target' is a folder and the draft '192' is none: give the folders of both"),
        ("target", "some/draft", "the target 'target' is a folder and the draft 'some/draft' is none: give the folders of both"),
        ("some/target", "./near", "the draft './near' is a folder and the target 'some/target' is none: give the folders of both"),
        ("nothing", None, "or give a folder with a config.json"),
        ("", None, "there is no pair ''"),
        ("some/target", None, "'some/target' is a hub id: give the draft's hub id too"),
        ("some/target", "192", "the draft '192' is no hub id: it has the form owner/name"),
    ],
)  # fmt: skip
def test_what_is_no_folder_is_said(target: str | Path, draft: str | Path | None, words: str) -> None:
    with pytest.raises((ValueError, PairUnavailable)) as caught:
        load_pair(target, draft=draft, device="cpu")
    assert words in str(caught.value) and len(str(caught.value).splitlines()) == 1


def test_an_id_of_the_hub_is_not_read_from_a_folder_without_a_model(models: Path) -> None:
    (models / "some" / "target").mkdir(parents=True, exist_ok=True)
    with pytest.raises(
        PairUnavailable, match=r"the folder 'some/target' has no config\.json.* start from another folder"
    ):
        load_pair("some/target", draft="some/draft", device="cpu")
    (models / "some" / "target").rmdir()


def test_a_registered_pair_of_the_hub_is_not_read_from_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(tmp_path / "openai-community" / "gpt2", 2)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        PairUnavailable, match="here is a folder 'openai-community/gpt2', in the way of the hub's model"
    ):
        load_pair("gpt2-hub", device="cpu")


@pytest.mark.parametrize("kind", ["llama", "gpt2"])  # of which the second would have an empty tokenizer
def test_a_folder_without_a_tokenizer_says_which_file_is_missing(kind: str, tmp_path: Path) -> None:
    folder = save(tmp_path / "bare", 1)
    for file in folder.glob("tokenizer*"):
        file.unlink()
    if kind == "gpt2":
        (folder / "config.json").write_text(json.dumps({"model_type": "gpt2", "vocab_size": 300}), encoding="utf-8")
    for target, draft in (("target", folder), (folder, "near")):
        with pytest.raises(PairUnavailable, match=r"the folder 'bare' has no tokenizer\.json") as caught:
            load_pair(target, draft=draft, device="cpu")
        assert str(tmp_path) not in str(caught.value)


def test_other_tokenizers_differ_by_folders_too(tmp_path: Path) -> None:
    from tests.tiny import tiny_tokenizer

    other = save(tmp_path / "other", 1, tokenizer=tiny_tokenizer(280))
    with pytest.raises(TokenizersDiffer):
        load_pair("target", draft=other, device="cpu")


def test_weights_of_every_kind_are_part_of_the_revision(tmp_path: Path) -> None:
    folder = save(tmp_path / "one", 1)
    before = folder_revision(folder)
    (folder / "pytorch_model.bin").write_bytes(b"other weights")
    assert folder_revision(folder) != before
