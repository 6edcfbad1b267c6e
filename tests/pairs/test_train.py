"""Training of the embedded pair, in miniature: tokenizer, packs, the network against `transformers`, interruption, export; and the committed pair."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from tokenizers import Tokenizer  # noqa: E402
from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: E402

from specdemo.pairs.corpus.build import held_out_documents  # noqa: E402
from specdemo.pairs.corpus.kinds import write_document  # noqa: E402
from specdemo.pairs.train import ROOT, main  # noqa: E402
from specdemo.pairs.training.export import to_transformers  # noqa: E402
from specdemo.pairs.training.measure import measure  # noqa: E402
from specdemo.pairs.training.network import Network  # noqa: E402
from specdemo.pairs.training.optimisers import orthogonalise  # noqa: E402
from specdemo.pairs.training.packs import Sampler, pack_chapters, pack_generated  # noqa: E402
from specdemo.pairs.training.recipe import ModelSize, Recipe  # noqa: E402
from specdemo.pairs.training.stages import rate_factor  # noqa: E402
from specdemo.pairs.training.tokens import BOS_ID, EOS_ID, save_tokenizer, train_tokenizer  # noqa: E402

STORIES = ROOT / "assets" / "pairs" / "stories"
TINY = Recipe(
    vocabulary=400,
    target=ModelSize(3, 32, 2, 64),
    drafts={"draft-16": ModelSize(1, 16, 2, 32)},
    documents=150,
    shares={"generated": 1.0},
    batch_tokens=256,
    early_batch_tokens=128,
    pack_length=32,
    long_pack_length=64,
)


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train_tokenizer((write_document("story", seed) for seed in range(60)), 400)


def any_texts() -> Iterator[str]:
    """Strings that a tokenizer trained on English has never seen."""
    yield from ("", " ", "  two  spaces ", "\n\n\t", "naïve café", "日本語の文章")
    yield from ("🦊👩‍👩‍👧‍👦", "\x00\x01\x7f\u200b\ufeff", "1234567890", " .,!", "e\u0301 é", "Ａ ﬁ")
    source = random.Random(4)
    for _ in range(200):
        yield bytes(source.randrange(256) for _ in range(source.randrange(30))).decode("utf-8", "ignore")
        yield "".join(chr(c) for c in (source.randrange(0x110000) for _ in range(8)) if not 0xD800 <= c < 0xE000)


def test_tokenizer_keeps_any_text(tokenizer: Tokenizer, tmp_path: Path) -> None:
    save_tokenizer(tokenizer, tmp_path, 64)
    loaded = AutoTokenizer.from_pretrained(tmp_path)
    assert len(loaded) == tokenizer.get_vocab_size() == 400
    assert loaded.bos_token_id == BOS_ID and loaded.eos_token_id == EOS_ID and BOS_ID != EOS_ID
    for text in any_texts():
        ids = loaded(text).input_ids
        assert ids[0] == BOS_ID
        assert loaded.decode(ids, skip_special_tokens=True) == text
    assert len(tokenizer.encode("2048", add_special_tokens=False).ids) == 4


def test_packs(tokenizer: Tokenizer) -> None:
    texts = [write_document("story", seed) for seed in range(40)] + ["Short."] * 20
    packs = pack_generated(tokenizer, texts, 64)
    assert packs.shape[1] == 65
    assert packs[0, 0] == BOS_ID and (packs[:, 0] == BOS_ID).mean() > 0.04
    after_end = packs[:, 1:][packs[:, :-1] == EOS_ID]
    assert len(after_end) and (after_end == BOS_ID).all()
    chapter = " ".join(f"The owl number {n} sat down. It was late!" for n in range(80))
    rows = pack_chapters(tokenizer, [chapter], 64)
    for row in rows:
        text = tokenizer.decode(row.tolist())
        assert row[0] == BOS_ID and text.startswith(("The owl", "It was")) and text in chapter


def test_sampler_goes_on_and_keeps_shares() -> None:
    packs = {name: np.arange(40, dtype=np.uint16).reshape(20, 2) + 100 * n for n, name in enumerate(("a", "b"))}
    one = Sampler(packs, {"a": 0.75, "b": 0.25}, 3)
    first = [one.batch(4) for _ in range(5)]
    assert all((rows[:, 0] < 100).sum() == 3 for rows in first)
    two = Sampler(packs, {"a": 0.75, "b": 0.25}, 3)
    two.restore(one.state())
    assert (one.batch(8) == two.batch(8)).all()
    assert one.epochs()["a"] == pytest.approx(21 / 20)


def test_network_equals_transformers() -> None:
    torch.manual_seed(1)
    network = Network(ModelSize(3, 32, 4, 48), 100, 40)
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    ids = torch.randint(0, 100, (2, 40))
    theirs = to_transformers(network, 100, 40)(ids).logits
    assert torch.allclose(network(ids), theirs, atol=1e-4)


def test_growing_does_not_change_the_function() -> None:
    network = Network(ModelSize(6, 32, 2, 48), 100, 20)
    network.grow(1)
    for number in network.active:
        for name, parameter in network.layers[number].named_parameters():
            if name.endswith("_proj.weight"):
                torch.nn.init.normal_(parameter, std=0.2)
    ids = torch.randint(0, 100, (1, 20))
    before = network(ids)
    network.grow(3)
    assert network.active == list(range(6)) and torch.allclose(network(ids), before)
    first, second = (network.layers[n].mlp["gate_proj"].weight for n in (0, 1))
    assert torch.equal(first, second)


def test_query_and_key_norms_are_limited() -> None:
    network = Network(ModelSize(3, 32, 2, 48), 100, 20)
    query, value = (network.layers[1].self_attn[f"{name}_proj"].weight for name in "qv")
    torch.nn.init.normal_(query, std=3.0)
    before = value.clone()
    network.limit_attention(1.0)
    assert torch.linalg.svdvals(query.detach()).square().mean().sqrt() == pytest.approx(1.0, abs=1e-4) and torch.equal(
        value, before
    )


def test_orthogonalise_and_schedule() -> None:
    torch.manual_seed(0)
    for shape in ((3, 24, 40), (3, 40, 24)):
        values = torch.linalg.svdvals(orthogonalise(torch.randn(shape)).float())
        assert values.min() > 0.4 and values.max() < 1.4
    factors = [rate_factor(TINY, f / 100) for f in range(101)]
    assert (
        max(factors) == pytest.approx(1.0, abs=0.01) and factors[-1] == pytest.approx(TINY.floor) and factors[0] < 0.1
    )
    assert [TINY.thirds(f) for f in (0.0, 0.4, 0.9)] == [1, 2, 3]


def test_run_is_interrupted_goes_on_and_exports(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    work, out = tmp_path / "work", tmp_path / "out"
    work.mkdir()
    TINY.save(work / "recipe.json")
    command = ["--work", str(work), "--out", str(out), "--minutes", "0.08", "--no-compile", "--no-card"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    run = subprocess.Popen(
        [sys.executable, "-m", "specdemo.pairs.train", *command, "--workers", "2"], env=environment, cwd=ROOT
    )
    deadline = time.monotonic() + 60
    while not (work / "generated-64.npy").exists() and run.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1.5)
    run.send_signal(signal.SIGTERM)
    assert run.wait(60) == 130, capfd.readouterr().out
    interrupted = torch.load(work / "target.pt", weights_only=False)
    assert not interrupted["done"] and interrupted["step"] > 0

    assert main([*command, "--workers", "1"]) == 0
    assert f"goes on from step {interrupted['step']}" in capfd.readouterr().out
    finished = torch.load(work / "target.pt", weights_only=False)
    assert finished["done"] and finished["step"] > interrupted["step"]
    assert finished["history"][-1]["loss"] < 6.0
    check_folders(out, ("target", "draft-16"), total=1e6)


def check_folders(out: Path, names: tuple[str, ...], total: float) -> None:
    """Folders load with the plain classes, agree on the tokenizer, are float16, and no file is too large for any host."""
    files = [path for path in out.rglob("*") if path.is_file()]
    assert all(path.stat().st_size < 9_000_000 for path in files)
    assert sum(path.stat().st_size for path in files) < total
    vocabularies = set()
    for name in names:
        config = json.loads((out / name / "config.json").read_text())
        assert config.get("dtype", config.get("torch_dtype")) == "float16" and config["tie_word_embeddings"]
        model, loaded = AutoModelForCausalLM.from_pretrained(out / name), AutoTokenizer.from_pretrained(out / name)
        assert model.dtype == torch.float16 and type(model).__name__ == "LlamaForCausalLM"
        assert (
            model.config.vocab_size == len(loaded)
            and model.generation_config.eos_token_id == loaded.eos_token_id == EOS_ID
        )
        assert model.config.max_position_embeddings == loaded.model_max_length
        ids = loaded("Once upon a time", return_tensors="pt").input_ids
        assert torch.isfinite(model.float()(ids).logits).all()
        vocabularies.add((out / name / "tokenizer.json").read_bytes())
    assert len(vocabularies) == 1


@pytest.mark.skipif(not (STORIES / "README.md").exists(), reason="the pair has not been exported yet")
def test_the_committed_pair() -> None:
    check_folders(STORIES, ("target", "draft-96", "draft-192"), total=30e6)
    card = (STORIES / "README.md").read_text(encoding="utf-8")
    for section in ("## Models", "## Corpus", "## Recipe", "## How to rebuild it", "## Loss curves"):
        assert section in card
    for section in ("## Acceptance and perplexity", "## Limits", "## Samples"):
        assert section in card
    assert (STORIES / "curves.png").stat().st_size < 200_000
    target = AutoModelForCausalLM.from_pretrained(STORIES / "target", dtype=torch.float32)
    loaded = AutoTokenizer.from_pretrained(STORIES / "target")
    for text in any_texts():
        assert loaded.decode(loaded(text).input_ids, skip_special_tokens=True) == text
    # The figures of the card, roughly, on fresh held-out stories: the target knows them, and the drafts differ in strength.
    texts = ("".join(document) for document in held_out_documents("story", 12))
    packs = pack_generated(loaded.backend_tokenizer, texts, 256)
    models = {
        name: AutoModelForCausalLM.from_pretrained(STORIES / name, dtype=torch.float32)
        for name in ("draft-96", "draft-192")
    }
    found = measure({"target": target, **models}, packs, rows=4)
    assert found.perplexity["target"] < 4.0 < 3 * found.perplexity["draft-96"]
    assert 0.4 < found.acceptance["draft-96"] < found.acceptance["draft-192"] < 0.97


@pytest.mark.parametrize("kind", ["stories", "austen"])
def test_prompts(kind: str) -> None:
    lines = (ROOT / "assets" / "prompts" / f"{kind}.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(set(lines)) == 40
    assert all(4 <= len(line.split()) <= 36 for line in lines)
