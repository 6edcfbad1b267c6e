"""Models of the hub that a visitor names: which ids are some, what is refused before anything is fetched, and how the rest is read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest

from specdemo.pairs import PairUnavailable, fetch_pair, load_pair
from specdemo.pairs.hub_ids import MOST_BYTES, check_hub_files, check_hub_ids, hub_ids_allowed, is_hub_id
from specdemo.pairs.sources import FETCHED
from tests.pairs.test_loading import save

REPO = "some/model"
IDS = ["openai-community/gpt2", "Qwen/Qwen3-0.6B", "a/b", "x_y/z.w-1"]
NONE = [
        "", "gpt2", "/etc/passwd", "../a", "a/..", "a/../b", "./a", "a/b/c", "a//b", "a/b/", "https://a/b", "a b/c", "a/b\n", "~/b", "a/b.git",
        "a\\b", "a/b--c", "a/-b", "é/b", "a/" + "b" * 97, "a/b?x", "a/b@main", "a/b#c", "datasets/a/b", "a/b\0",
    ]  # fmt: skip


@pytest.mark.parametrize("text", IDS)
def test_ids_of_the_hub(text: str) -> None:
    assert is_hub_id(text)


@pytest.mark.parametrize("text", NONE)
def test_paths_addresses_and_other_texts_are_none(text: str) -> None:
    assert not is_hub_id(text)
    with pytest.raises(ValueError, match="target's id"):
        check_hub_ids(text, "a/b")
    with pytest.raises(ValueError, match="draft's id"):
        check_hub_ids("a/b", text)


def test_a_folder_of_this_machine_is_no_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check_hub_ids("some/model", "some/draft")
    (tmp_path / "some" / "draft").mkdir(parents=True)
    with pytest.raises(ValueError, match="the draft's id 'some/draft' is none of the hub"):
        check_hub_ids("some/model", "some/draft")


def test_an_operator_allows_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, allowed in (("1", True), ("true", True), ("", False), ("0", False), ("no", False)):
        monkeypatch.setenv("SPECDEMO_HUB_IDS", text)
        assert hub_ids_allowed() is allowed
    monkeypatch.delenv("SPECDEMO_HUB_IDS")
    assert not hub_ids_allowed()


def answered(kind: str) -> Exception:
    from huggingface_hub import errors

    response = httpx2.Response(404, request=httpx2.Request("GET", "http://hub/"))
    error: Exception = getattr(errors, kind)("refused", response=response)
    return error


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the hub says of a repository, or raises; the token it was asked with."""
    from huggingface_hub import HfApi, constants

    says: dict[str, Any] = {"gated": False, "config.json": 600, "model.safetensors": 10**9}

    def model_info(api: HfApi, repo: str, *, files_metadata: bool, timeout: float) -> Any:
        says["asked"] = (repo, api.token, files_metadata)
        if "error" in says:
            raise says["error"]
        files = [SimpleNamespace(rfilename=name, size=size) for name, size in says.items() if "." in name]
        return SimpleNamespace(gated=says["gated"], siblings=files)

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(HfApi, "model_info", model_info)
    return says


def test_what_is_open_whole_and_small_enough_is_let_through(hub: dict[str, Any]) -> None:
    hub["pytorch_model.bin"] = 10 * MOST_BYTES  # it is not fetched
    check_hub_files(REPO, FETCHED)
    assert hub["asked"] == (REPO, False, True), "never with the operator's own token"


@pytest.mark.parametrize(
    ("says", "words"),
    [
        ({"model.safetensors": MOST_BYTES}, r"has 6\.0 GB of files: at most 6 GB"),
        ({"model.safetensors": None}, "size the hub does not tell"),
        ({"gated": "manual"}, "is gated"),
        ({"adapter_config.json": 5}, "no adapter"),
    ],
)
def test_what_is_refused_before_anything_is_fetched(hub: dict[str, Any], says: dict[str, Any], words: str) -> None:
    hub.update(says)
    with pytest.raises(PairUnavailable, match=rf"{REPO} .*{words}"):
        check_hub_files(REPO, FETCHED)


def test_without_a_configuration_or_safetensors_it_is_no_model(hub: dict[str, Any]) -> None:
    del hub["model.safetensors"]
    hub["pytorch_model.bin"] = 5
    with pytest.raises(PairUnavailable, match="no weights as safetensors"):
        check_hub_files(REPO, FETCHED)
    del hub["config.json"]
    with pytest.raises(PairUnavailable, match="no whole model"):
        check_hub_files(REPO, FETCHED)


def test_what_the_hub_refuses_is_said_and_nothing_is_fetched(
    hub: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub

    monkeypatch.setenv("SPECDEMO_HUB_IDS", "1")
    monkeypatch.setattr(huggingface_hub, "snapshot_download", lambda *_, **__: pytest.fail("something was fetched"))
    for error, words in (
        (answered("GatedRepoError"), "some/draft is gated"),
        (answered("RepositoryNotFoundError"), "the hub has no model some/draft that is open to everybody"),
        (OSError("no route"), "the hub could not be asked for some/draft: try again when there is a network"),
    ):
        hub["error"] = error
        with pytest.raises(PairUnavailable, match=words):
            fetch_pair(REPO, draft="some/draft")


def test_a_pair_by_ids_is_read_without_code_without_pickles_and_as_anybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import transformers

    folders = {REPO: save(tmp_path / "target", 2), "some/draft": save(tmp_path / "draft", 1)}
    asked = []
    for auto in (transformers.AutoTokenizer, transformers.AutoModelForCausalLM):

        def read(repo: str, *, read: Any = auto.from_pretrained, auto: Any = auto, **settings: Any) -> Any:
            asked.append((auto.__name__, repo, settings))
            return read(str(folders[repo]), **settings)

        monkeypatch.setattr(auto, "from_pretrained", read)
    monkeypatch.setenv("SPECDEMO_HUB_IDS", "1")
    pair = load_pair(REPO, draft="some/draft", device="cpu")
    assert (pair.name, pair.draft_name) == (REPO, "some/draft")
    assert len(asked) == 4
    for kind, _, settings in asked:
        assert settings["trust_remote_code"] is False and settings["token"] is False and settings["revision"] == "main"
        assert settings.get("use_safetensors") is (True if kind == "AutoModelForCausalLM" else None)
    monkeypatch.delenv("SPECDEMO_HUB_IDS")
    asked.clear()
    load_pair(REPO, draft="some/draft", device="cpu")
    assert asked and all("token" not in settings for _, _, settings in asked), (
        "at one's own prompt with one's own token"
    )


def cached(cache: Path, repo: str, **more: Any) -> None:
    """A tiny model in a cache of the hub's, as if it had been fetched."""
    place, commit = cache / f"models--{repo.replace('/', '--')}", "0" * 40
    save(place / "snapshots" / commit, **more)
    (place / "refs").mkdir()
    (place / "refs" / "main").write_text(commit, encoding="utf-8")


@pytest.mark.slow
def test_the_hubs_own_way_from_its_cache(tmp_path: Path) -> None:
    """In a process of its own: the hub's client reads its settings when it is imported."""
    cached(tmp_path, REPO, seed=2)
    cached(tmp_path, "some/draft", seed=1)
    script = (
        "from specdemo.pairs import fetch_pair, load_pair\n"
        "fetch_pair('some/model', draft='some/draft')\n"
        "pair = load_pair('some/model', draft='some/draft', device='cpu')\n"
        "print(pair.name, pair.draft_name, pair.target_revision)"
    )
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HUB_CACHE": str(tmp_path), "SPECDEMO_HUB_IDS": "1"}
    told = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=120)
    assert told.stdout.split() == [REPO, "some/draft", "0" * 40], told.stderr[-2000:]
