"""A model that a visitor named, from the hub's list to a loaded pair: over loopback, as the hub answers, with tiny real models."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from specdemo.decoding import decode_run
from specdemo.pairs import PairUnavailable, fetch_pair, load_pair
from specdemo.pairs.hub import ready
from specdemo.pairs.hub.disk import base, folder_of
from tests.pairs.hub.stand_in import COMMIT, HereReader, StandIn, read_here, use_hub
from tests.pairs.test_loading import save

REPO, DRAFT = "some/model", "some/draft"


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    """A hub with two tiny models, which visitors may name."""
    found = StandIn()
    found.folders = {REPO: save(tmp_path / "target", 2, layers=2), DRAFT: save(tmp_path / "draft", 1)}
    for folder in found.folders.values():
        (folder / "README.md").write_text("not needed", encoding="utf-8")
        (folder / "pytorch_model.bin").write_bytes(b"never")
        (folder / "modeling_evil.py").write_text("raise SystemExit", encoding="utf-8")
    use_hub(found, tmp_path / "home", monkeypatch)
    read_here(monkeypatch)
    monkeypatch.setenv("SPECDEMO_HUB_IDS", "1")
    yield found
    found.stop()


def change(folder: Path, **claims: Any) -> None:
    """Other claims in a configuration."""
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **claims}), encoding="utf-8")


def fetch(**_: Any) -> object:
    return fetch_pair(REPO, draft=DRAFT)


def test_two_ids_are_a_pair_of_what_was_checked_and_of_nothing_else(hub: StandIn) -> None:
    said: list[str] = []
    files = fetch_pair(REPO, draft=DRAFT, progress=lambda text, fraction: said.append(text))
    assert set(hub.fetched()) == {
        "config.json",
        "generation_config.json",
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
    }
    assert not [authorization for _, _, authorization in hub.asked if authorization], "never with the operator's token"
    assert {path.split("/")[4] for _, path, _ in hub.asked if "/resolve/" in path} == {COMMIT}, (
        "the commit that was listed"
    )
    assert any("Fetching model.safetensors of some/draft" in text for text in said)
    hub.asked.clear()
    pair = load_pair(REPO, draft=DRAFT, device="cpu")
    assert hub.asked == [], "what was checked is loaded; nothing is asked a second time"
    assert (pair.name, pair.draft_name, pair.target_revision, pair.draft_revision) == (REPO, DRAFT, COMMIT, COMMIT)
    assert decode_run(pair, "the cat", max_new_tokens=4)["blocks"]
    del files
    assert ready.at_hand(REPO) and ready.at_hand(DRAFT), "the pair holds its files"
    del pair
    assert not ready.at_hand(REPO) and not ready.at_hand(DRAFT)


def test_what_is_here_is_not_fetched_again_and_a_new_commit_is(hub: StandIn) -> None:
    fetch()
    hub.asked.clear()
    fetch()
    assert hub.fetched() == [] and len(hub.asked) == 2
    hub.commits[REPO] = "2" * 40
    fetch()
    assert "model.safetensors" in hub.fetched() and folder_of(REPO, "2" * 40).is_dir()


def test_a_configuration_is_refused_before_the_weights_are_fetched(hub: StandIn) -> None:
    change(hub.folders[DRAFT], num_hidden_layers=10**6)
    with pytest.raises(PairUnavailable, match=r"some/draft is not read here: num_hidden_layers is 1000000"):
        fetch()
    assert "config.json" in hub.fetched() and "model.safetensors" not in hub.fetched()
    assert not folder_of(DRAFT, COMMIT).exists(), "what is refused is not kept"


def test_a_file_that_is_too_large_is_refused_before_anything_is_fetched(hub: StandIn) -> None:
    hub.sizes["tokenizer.json"] = 10**9
    with pytest.raises(PairUnavailable, match=r"its tokenizer.json has 1 GB; at most 50 MB"):
        fetch()
    assert hub.fetched() == []


def test_a_file_that_is_not_what_the_list_says(hub: StandIn) -> None:
    hub.sizes["config.json"] = 5
    with pytest.raises(PairUnavailable, match=r"its config.json did not come with the 5 bytes"):
        fetch()


@pytest.mark.parametrize(
    "claims",
    [
        {"num_hidden_layers": 9},
        {"vocab_size": 90_000},
        {"intermediate_size": 5_000},
        {"tie_word_embeddings": False, "vocab_size": 301},
    ],
)
def test_claims_that_are_not_the_weights_are_refused_before_anything_is_built(
    hub: StandIn, claims: dict[str, Any]
) -> None:
    change(hub.folders[REPO], **claims)
    with pytest.raises(PairUnavailable, match=r"the config.json of some/model comes to .* they do not belong together"):
        fetch()


def test_files_beyond_the_ones_that_were_checked_do_not_matter(hub: StandIn) -> None:
    files = fetch()
    names = {path.name for path in folder_of(REPO, COMMIT).iterdir() if path.is_file()}
    assert not names & {"modeling_evil.py", "pytorch_model.bin", "README.md"}
    (folder_of(REPO, COMMIT) / "adapter_config.json").write_text('{"base_model_name_or_path": "/"}', encoding="utf-8")
    del files
    with pytest.raises(PairUnavailable, match="no adapter"):
        fetch()


def test_the_operators_own_copy_is_read_and_nothing_fetched(hub: StandIn, tmp_path: Path) -> None:
    for repo, folder in hub.folders.items():
        place = tmp_path / "home" / "hub" / f"models--{repo.replace('/', '--')}"
        (place / "snapshots").mkdir(parents=True)
        folder.rename(place / "snapshots" / COMMIT)
        (place / "snapshots" / COMMIT / "special_tokens_map.json").unlink(missing_ok=True)
        hub.folders[repo] = place / "snapshots" / COMMIT
    files = fetch()
    assert hub.fetched() == [] and not base().exists()
    del files


def test_where_the_hub_is_never_asked_what_is_here_is_read(hub: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    fetch()
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    hub.asked.clear()
    files = fetch()
    pair = load_pair(REPO, draft=DRAFT, device="cpu")
    assert hub.asked == [] and pair.target_revision == COMMIT
    del files, pair
    change(folder_of(REPO, COMMIT), auto_map={"AutoConfig": "evil.Config"})
    with pytest.raises(PairUnavailable, match="auto_map asks for code"):
        fetch()
    assert folder_of(REPO, COMMIT).exists(), "it could not be fetched again"
    with pytest.raises(PairUnavailable, match=r"some/nothing could not be loaded from the hub"):
        fetch_pair("some/nothing", draft=DRAFT)


def test_others_make_room_and_the_pair_in_use_stays(
    hub: StandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SPECDEMO_HUB_DISK_GB", str(640_000 / 1e9))  # room for both, or for the other alone
    files: object = fetch()
    pair = load_pair(REPO, draft=DRAFT, device="cpu")
    del files
    hub.folders["some/other"] = save(tmp_path / "other", 3)
    (hub.folders["some/other"] / "model.safetensors").write_bytes(b"\0" * 600_000)
    with pytest.raises(PairUnavailable, match="are left beside those in use"):
        fetch_pair("some/other", draft=DRAFT)
    assert folder_of(REPO, COMMIT).is_dir() and pair.encode("the cat").ids
    del pair
    with pytest.raises(PairUnavailable, match=r"the header of its model.safetensors"):
        fetch_pair("some/other", draft="some/other")
    assert not folder_of(REPO, COMMIT).exists()


def test_a_tokenizer_that_is_one_of_another_kind_is_read_where_it_costs_nobody(hub: StandIn) -> None:
    files = fetch()
    found = ready.at_hand(REPO)
    assert found is not None and isinstance(found.reader, HereReader)
    pair = load_pair(REPO, draft=DRAFT, device="cpu")
    assert type(pair.tokenizer).__name__ == "BoundedTokenizer"
    assert pair.encode("the cat").ids == found.reader.ask({"text": "the cat", "settings": {}})["input_ids"]
    del files
