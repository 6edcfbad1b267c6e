"""Models of the hub that a visitor names: which ids are some, and how they are read. What their files may hold: tests/pairs/hub."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from specdemo.pairs import load_pair
from specdemo.pairs.hub import ready
from specdemo.pairs.hub_ids import check_hub_ids, hub_ids_allowed, is_hub_id
from tests.pairs.hub.stand_in import read_here
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


def test_a_pair_by_ids_is_read_without_code_without_pickles_and_from_the_checked_folder_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import transformers

    folders = {REPO: save(tmp_path / "target", 2), "some/draft": save(tmp_path / "draft", 1)}
    asked = []
    for auto in (transformers.AutoTokenizer, transformers.AutoModelForCausalLM):

        def read(repo: str, *, read: Any = auto.from_pretrained, auto: Any = auto, **settings: Any) -> Any:
            asked.append((auto.__name__, repo, settings))
            return read(str(folders.get(repo, repo)), **settings)

        monkeypatch.setattr(auto, "from_pretrained", read)
    monkeypatch.setenv("SPECDEMO_HUB_IDS", "1")
    read_here(monkeypatch)
    monkeypatch.setattr(ready, "_here", lambda repo: (folders[repo], "0" * 40, None))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    pair = load_pair(REPO, draft="some/draft", device="cpu")
    assert (pair.name, pair.draft_name, pair.target_revision) == (REPO, "some/draft", "0" * 40)
    loaded = [one for one in asked if one[2].get("dtype") or one[0] == "AutoTokenizer"]
    assert {one[1] for one in loaded} == {str(folder) for folder in folders.values()}
    for kind, _, settings in loaded:
        assert settings["trust_remote_code"] is False and settings["local_files_only"] is True
        assert settings.get("use_safetensors") is (True if kind == "AutoModelForCausalLM" else None)
    monkeypatch.delenv("SPECDEMO_HUB_IDS")
    asked.clear()
    load_pair(REPO, draft="some/draft", device="cpu")
    assert [one[1] for one in asked if one[0] == "AutoModelForCausalLM"] == ["some/draft", REPO]
    assert all("token" not in settings for _, _, settings in asked), "at one's own prompt with one's own token"


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
    told = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=300)
    assert told.stdout.split() == [REPO, "some/draft", "0" * 40], told.stderr[-2000:]
