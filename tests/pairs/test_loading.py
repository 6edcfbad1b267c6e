"""Loading pairs from folders and by name: what is loaded, what is said on the way, and what is refused with which words."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from specdemo.decoding import decode_run
from specdemo.pairs import (
    Pair,
    PairUnavailable,
    TokenizersDiffer,
    fetch_pair,
    load_pair,
    loading,
    placement,
    registry,
    sources,
)
from specdemo.pairs.registry import PairEntry, Source
from tests.tiny import tiny_llama, tiny_tokenizer


def save(folder: Path, seed: int, *, layers: int = 1, tokenizer: Any = None) -> Path:
    """A tiny model and its tokenizer as a plain transformers folder."""
    tokenizer = tokenizer or tiny_tokenizer()
    tiny_llama(len(tokenizer), seed=seed, layers=layers, eos=1).float().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    place = tmp_path_factory.mktemp("pair")
    return save(place / "small", 1), save(place / "large", 2, layers=2)


@pytest.fixture
def entry(folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> PairEntry:
    """A registered pair of these folders with two drafts."""
    draft, target = folders
    drafts = {"one": ("One", Source(folder=draft)), "two": ("Two", Source(folder=target))}
    monkeypatch.setattr(registry, "_registry", dict(registry._registry))
    return registry.register(PairEntry("folders", "Two folders", Source(folder=target), drafts))


def test_a_pair_from_folders(folders: tuple[Path, Path]) -> None:
    pair = Pair.from_folders(*folders, device="cpu", dtype="float64")
    assert (pair.name, pair.draft_name, pair.dtype, str(pair.device)) == ("large", "small", "float64", "cpu")
    assert pair.vocab_size == 300 and pair.context_limit == 64 and pair.eos_token_ids == {1}
    assert pair.draft_model.config.num_hidden_layers == 1 and pair.target_model.config.num_hidden_layers == 2
    assert not pair.draft_model.training and not pair.target_model.training
    assert decode_run(pair, "the cat", max_new_tokens=4)["blocks"]


def test_strings_are_folders_too(folders: tuple[Path, Path]) -> None:
    assert Pair.from_folders(str(folders[0]), str(folders[1]), device="cpu").dtype == "float32"


def test_a_pair_by_name_with_either_draft(entry: PairEntry) -> None:
    first, second = load_pair("folders", device="cpu"), load_pair("folders", draft="two", device="cpu")
    assert (first.draft_name, second.draft_name) == ("one", "two") and first.title == "Two folders"
    assert first.draft_revision != first.target_revision == second.draft_revision


def test_progress_is_told_before_every_part(entry: PairEntry, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "specdemo.pairs.placement")
    said: list[tuple[str, float | None]] = []
    load_pair("folders", device="cpu", progress=lambda text, fraction: said.append((text, fraction)))
    fractions = [f for _, f in said if f is not None]
    assert fractions == sorted(fractions) and fractions[0] == 0 and said[-1] == ("Ready", 1.0)
    assert any("draft model" in text for text, _ in said) and any("target model" in text for text, _ in said)
    assert "folders, draft one: float32 on cpu" in caplog.messages


def test_the_revision_is_a_hash_of_what_was_loaded(folders: tuple[Path, Path], tmp_path: Path) -> None:
    one, again, other = save(tmp_path / "a", 5), save(tmp_path / "b", 5), save(tmp_path / "c", 6)
    revision = loading.folder_revision(one)
    assert revision == loading.folder_revision(again) != loading.folder_revision(other)
    assert revision.startswith("sha256:") and len(revision) == 7 + 16
    (again / "generation_config.json").write_text(json.dumps({"eos_token_id": 7}), encoding="utf-8")
    assert loading.folder_revision(again) != revision
    assert Pair.from_folders(one, folders[1], device="cpu").draft_revision == revision


def test_automatic_choice_of_device_and_precision(entry: PairEntry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placement, "_best_device", lambda: "cpu")
    assert load_pair("folders").dtype == "float32"
    assert load_pair("folders", dtype="bfloat16").dtype == "bfloat16"
    monkeypatch.setenv("SPECDEMO_DTYPE", "float64")
    assert load_pair("folders").dtype == "float64" and load_pair("folders", dtype="float32").dtype == "float32"


def test_unknown_names_list_what_there_is(entry: PairEntry) -> None:
    with pytest.raises(ValueError, match=r"there is no pair 'nothing': choose one of stories, .*folders"):
        load_pair("nothing")
    with pytest.raises(ValueError, match=r"the pair 'folders' has no draft 'three': choose one of one, two"):
        load_pair("folders", draft="three")
    with pytest.raises(ValueError, match=r"'some/target' is a hub id: give the draft's hub id too \(draft=…\)"):
        load_pair("some/target")


@pytest.mark.parametrize("setting", [{"dtype": "float3"}, {"dtype": "load"}, {"dtype": "int8"}, {"device": "abacus"}])
def test_unknown_precisions_and_devices_are_named(entry: PairEntry, setting: dict[str, str]) -> None:
    ((name, value),) = setting.items()
    with pytest.raises(ValueError, match=rf"{name} .*'{value}'"):
        load_pair("folders", **setting)  # type: ignore[arg-type]


def test_a_missing_folder_is_named_without_its_place(folders: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(PairUnavailable, match=r"there is no folder 'absent'") as caught:
        Pair.from_folders(tmp_path / "absent", folders[1], device="cpu")
    assert str(tmp_path) not in str(caught.value)


def test_a_broken_folder_is_named_without_its_place(folders: tuple[Path, Path], tmp_path: Path) -> None:
    broken = save(tmp_path / "broken", 1)
    (broken / "model.safetensors").unlink()
    with pytest.raises(
        PairUnavailable, match=r"the files in the folder 'broken' cannot be read .*fetch them again"
    ) as caught:
        Pair.from_folders(broken, folders[1], device="cpu")
    assert str(tmp_path) not in str(caught.value)


def test_weights_that_are_no_weights_are_named(folders: tuple[Path, Path], tmp_path: Path) -> None:
    """What a clone without large files leaves behind: a pointer in the place of the weights."""
    broken = save(tmp_path / "pointer", 1)
    (broken / "model.safetensors").write_text(
        "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", encoding="utf-8"
    )
    with pytest.raises(PairUnavailable, match=r"the files in the folder 'pointer' cannot be read"):
        Pair.from_folders(broken, folders[1], device="cpu")


def test_two_tokenizers_are_refused_with_the_first_difference(folders: tuple[Path, Path], tmp_path: Path) -> None:
    other = save(tmp_path / "other", 1, tokenizer=tiny_tokenizer(280))
    with pytest.raises(TokenizersDiffer, match=r"id 280 is nothing for the draft and '.+' for the target"):
        Pair.from_folders(other, folders[1], device="cpu")


def test_a_hub_that_cannot_be_reached_is_said(monkeypatch: pytest.MonkeyPatch, network: None) -> None:
    import transformers

    asked: list[dict[str, Any]] = []

    def unreachable(repo: str, **settings: Any) -> Any:
        asked.append({"repo": repo, **settings})
        raise OSError("no connection\nand many more lines")

    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", unreachable)
    with pytest.raises(
        PairUnavailable,
        match=r"some/target could not be loaded from the hub \(no connection\)\. .*the embedded pair works offline",
    ):
        load_pair("some/target", draft="some/draft", device="cpu")
    assert asked[0]["repo"] == "some/target" and asked[0]["trust_remote_code"] is False


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names lead somewhere, as they do where there is a network."""
    monkeypatch.setattr(sources, "no_network", lambda: None)


@pytest.mark.parametrize("proxies", [{}, {"https": "http://here:3128"}])
def test_without_a_network_only_what_is_cached_is_read_and_at_once(
    monkeypatch: pytest.MonkeyPatch, proxies: dict[str, str]
) -> None:
    import transformers

    def no_name(*args: Any) -> Any:
        raise OSError("no such name")

    asked: list[bool] = []

    def uncached(repo: str, *, local_files_only: bool, **settings: Any) -> Any:
        asked.append(local_files_only)
        raise OSError("it is not in the cache")

    monkeypatch.setattr("socket.getaddrinfo", no_name)
    monkeypatch.setattr(sources, "getproxies", lambda: proxies)
    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", uncached)
    # Behind a proxy names are its business.
    reason = "it is not in the cache" if proxies else "no such name"
    with pytest.raises(PairUnavailable, match=rf"some/target could not be loaded from the hub \({reason}\)"):
        load_pair("some/target", draft="some/draft", device="cpu")
    assert asked == [not proxies]


def test_files_are_fetched_before_anything_is_loaded(monkeypatch: pytest.MonkeyPatch, network: None) -> None:
    import huggingface_hub

    asked: list[tuple[str, str]] = []

    def fetched(repo: str, *, revision: str, allow_patterns: list[str], local_files_only: bool) -> str:
        asked.append((repo, revision))
        if repo.endswith("target"):
            raise OSError("no connection")
        return ""

    monkeypatch.setattr(huggingface_hub, "snapshot_download", fetched)
    said: list[str] = []
    with pytest.raises(PairUnavailable, match=r"some/target could not be loaded from the hub \(no connection\)"):
        fetch_pair("some/target", draft="some/draft", progress=lambda text, fraction: said.append(text))
    assert asked == [("some/draft", "main"), ("some/target", "main")] and "some/draft" in said[0]
    asked.clear()
    fetch_pair("stories")
    assert asked == []


def test_the_registry() -> None:
    assert registry.names()[:2] == ["stories", "smollm2"] and registry.get("stories").embedded
    assert registry.get("smollm2").prompt_mode == "chat" and registry.get("stories").prompt_mode == "text"
    assert not registry.get("smollm2-hub").embedded and registry.get("smollm2-hub").available()
    assert [e.name for e in registry.entries()] == registry.names()
    with pytest.raises(ValueError, match=r"a pair named 'stories' is already registered"):
        registry.register(registry.get("stories"))


def test_an_embedded_pair_without_its_files_is_not_available(tmp_path: Path, folders: tuple[Path, Path]) -> None:
    gone, there = Source(folder=tmp_path / "gone"), Source(folder=folders[0])
    assert not PairEntry("x", "x", there, {"d": ("d", gone)}).available()
    assert not PairEntry("x", "x", gone, {"d": ("d", there)}).available()
    assert PairEntry("x", "x", there, {"d": ("d", there)}).available()
