"""What is said of a repository before anything is fetched: open to everybody or not, which files are needed, and how large each may be."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest

from specdemo.pages.engine import Engine
from specdemo.pairs import PairUnavailable
from specdemo.pairs.hub import limits
from specdemo.pairs.hub.listing import INDEX, listing, needed

REPO = "some/model"
SIX = 6_000_000_000
WHOLE: dict[str, int | None] = {
    "config.json": 600,
    "model.safetensors": 10**9,
    "tokenizer.json": 10**6,
    "vocab.json": 10**6,
    "merges.txt": 10**6,
    "tokenizer_config.json": 10**3,
}


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the hub says of a repository, or raises; the token it was asked with."""
    from huggingface_hub import HfApi, constants

    says: dict[str, Any] = {"gated": False, "files": dict(WHOLE)}

    def model_info(api: HfApi, repo: str, *, files_metadata: bool, timeout: float) -> Any:
        says["asked"] = (repo, api.token, files_metadata)
        if "error" in says:
            raise says["error"]
        files = [SimpleNamespace(rfilename=name, size=size) for name, size in says["files"].items()]
        return SimpleNamespace(gated=says["gated"], siblings=files, sha="a" * 40)

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(HfApi, "model_info", model_info)
    return says


def refused(kind: str) -> Exception:
    from huggingface_hub import errors

    response = httpx2.Response(404, request=httpx2.Request("GET", "http://hub/"))
    error: Exception = getattr(errors, kind)("refused", response=response)
    return error


def test_the_files_that_are_needed_at_the_commit_that_was_listed(hub: dict[str, Any]) -> None:
    hub["files"] |= {
        "pytorch_model.bin": 10 * SIX,
        "README.md": 10 * SIX,
        "onnx/model.onnx": None,
        "x.safetensors": SIX,
    }
    found = listing(REPO)
    assert hub["asked"] == (REPO, False, True), "never with the operator's own token"
    assert found.commit == "a" * 40 and found.bytes == sum(found.sizes.values())
    assert found.names == ["config.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors"]


def test_a_tokenizer_of_two_files_and_weights_in_parts() -> None:
    parts = {f"model-0000{n}-of-00002.safetensors": 10**9 for n in (1, 2)}
    sizes = {**WHOLE, **parts, INDEX: 10**5}
    del sizes["model.safetensors"], sizes["tokenizer.json"]
    assert set(needed(REPO, sizes)) == {
        "config.json",
        "vocab.json",
        "merges.txt",
        "tokenizer_config.json",
        INDEX,
        *parts,
    }


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"model.safetensors": SIX}, r"has 6 GB of files: at most 6 GB"),
        ({"model.safetensors": SIX + 1}, r"its model.safetensors has 6 GB; at most 6 GB are fetched"),
        ({"model.safetensors": None}, "does not tell the size of its model.safetensors"),
        ({"tokenizer.json": 51_000_000}, "its tokenizer.json has 51 MB; at most 50 MB"),
        ({"config.json": 1_000_001}, "its config.json has 1 MB; at most 1 MB"),
        ({"tokenizer_config.json": -1}, "does not tell the size of its tokenizer_config.json"),
        ({"chat_template.jinja": 2_000_000}, "its chat_template.jinja has 2 MB; at most 1 MB"),
        ({"adapter_config.json": 5}, "no adapter"),
    ],
)
def test_what_is_refused_before_anything_is_fetched(changes: dict[str, int | None], words: str) -> None:
    with pytest.raises(PairUnavailable, match=rf"^{REPO}.*{words}"):
        needed(REPO, {**WHOLE, **changes})


@pytest.mark.parametrize(
    ("without", "words"),
    [
        (["config.json"], "is no whole model"),
        (["model.safetensors"], "has no weights as safetensors"),
        (["tokenizer.json", "merges.txt"], "has no tokenizer that is read here"),
    ],
)
def test_what_is_missing_is_named(without: list[str], words: str) -> None:
    sizes = {name: size for name, size in WHOLE.items() if name not in without}
    with pytest.raises(PairUnavailable, match=words):
        needed(REPO, {**sizes, "pytorch_model.bin": 5})


def test_the_operator_says_how_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPECDEMO_HUB_MODEL_GB", "0.5")
    assert (limits.most_bytes(), limits.most_weights()) == (500_000_000, 250_000_000)
    with pytest.raises(PairUnavailable, match=r"its model.safetensors has 1 GB; at most 500 MB"):
        needed(REPO, WHOLE)
    monkeypatch.delenv("SPECDEMO_HUB_MODEL_GB")
    assert limits.most_bytes() == SIX and limits.disk_bytes() == 20_000_000_000
    for text in ("0", "-1", "nan", "much", "1e9"):
        monkeypatch.setenv("SPECDEMO_HUB_DISK_GB", text)
        with pytest.raises(SystemExit, match=rf"SPECDEMO_HUB_DISK_GB is '{text}': it must be .* or nothing for 20"):
            limits.disk_bytes()
        monkeypatch.setenv("SPECDEMO_HUB_IDS", "1")
        with pytest.raises(SystemExit, match="SPECDEMO_HUB_DISK_GB"):
            Engine()
        monkeypatch.delenv("SPECDEMO_HUB_IDS")
        Engine()  # nobody may name any


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (refused("GatedRepoError"), f"{REPO} is gated"),
        (refused("RepositoryNotFoundError"), f"The hub has no model {REPO} that is open to everybody"),
        (OSError("no route"), f"The hub could not be asked for {REPO}: try again when there is a network"),
    ],
)
def test_what_the_hub_refuses_is_said(hub: dict[str, Any], error: Exception, words: str) -> None:
    hub["error"] = error
    with pytest.raises(PairUnavailable, match=words):
        listing(REPO)


def test_a_gated_repository_that_is_listed_all_the_same(hub: dict[str, Any], tmp_path: Path) -> None:
    hub["gated"] = "manual"
    with pytest.raises(PairUnavailable, match="is gated"):
        listing(REPO)
