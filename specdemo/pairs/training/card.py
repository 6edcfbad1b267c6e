"""The model card: what the pair is, where its text comes from, how it was trained, and what was measured on the exported folders."""

from __future__ import annotations

import json
import platform
import re
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM, LlamaForCausalLM

from specdemo.pairs.corpus.kinds import KINDS
from specdemo.pairs.corpus.words import WORDS
from specdemo.pairs.training.card_text import CORPUS, HEAD, LIMITS, REBUILD
from specdemo.pairs.training.curves import draw_curves
from specdemo.pairs.training.measure import Measured, acceptance_along, measure, write
from specdemo.pairs.training.packs import Packs
from specdemo.pairs.training.prepare import Prepared, held_out_packs

PROMPTS = Path(__file__).resolve().parents[3] / "assets" / "prompts"
SAMPLE_PROMPTS = (
    "Once upon a time there was a kind old fox who lived near the river. One cold morning",
    "There once was a girl named Nora who wanted to see the sea.",
    "It was now some weeks since Mr. Elliot had called; and Anne, who had never been",
    "Recipe for apple pie\nIngredients:",
    "def largest(a, b):",
    "Q: What is 3 + 4?\nA:",
    "Dear Clara,\n",
    "The fox and the crow\n",
)
PACKAGES = ("torch", "transformers", "tokenizers", "safetensors", "numpy")


def load_folders(out: Path) -> dict[str, LlamaForCausalLM]:
    """The exported models by folder name, in float32 (as the app runs them)."""
    names = sorted(folder.name for folder in out.iterdir() if (folder / "config.json").exists())
    return {name: AutoModelForCausalLM.from_pretrained(out / name, dtype=torch.float32).eval() for name in names}


def held_out(prepared: Prepared, work: Path, kind: str) -> Packs:
    """The held-out packs of a kind, kept in the work folder."""
    path = work / f"held-out-{kind}.npy"
    if not path.exists():
        np.save(path, held_out_packs(prepared.tokenizer, kind, prepared.recipe.pack_length, 150))
    packs: Packs = np.load(path)
    return packs


def measure_kinds(prepared: Prepared, work: Path, models: dict[str, LlamaForCausalLM]) -> dict[str, Measured]:
    """Perplexity and acceptance on held-out text of every kind."""
    kinds = ("story", "austen", "bible", *(kind for kind in KINDS if kind != "story"))
    return {
        kind: measure(models, held_out(prepared, work, kind), 24 if number < 3 else 8)
        for number, kind in enumerate(kinds)
    }


def heroes_of(opening: str) -> set[str]:
    """The words of a story's first sentence that its hero may be called by: names, animals, trades, creatures."""
    first = re.split(r"(?<=[.?]) (?=[A-Z])", opening)[0]
    nouns = {noun for kind in ("animal", "trade", "creature") for noun in WORDS[kind]} | {"girl", "boy"}
    return {
        word for word in re.findall(r"[A-Za-z-]+", first) if word in nouns or word in {*WORDS["girl"], *WORDS["boy"]}
    }


def measure_prompts(
    models: dict[str, LlamaForCausalLM], tokenizer: Tokenizer, tokens: int = 80
) -> tuple[dict[str, dict[str, float]], float]:
    """Acceptance along the target's own continuations of the held-out prompts, by prompt file and draft; and in which
    share of the stories the continuation speaks of the hero again."""
    found: dict[str, dict[str, float]] = {}
    kept = 0
    for kind in ("stories", "austen"):
        sums: dict[str, list[float]] = {}
        prompts = (PROMPTS / f"{kind}.txt").read_text(encoding="utf-8").splitlines()
        for number, prompt in enumerate(prompts):
            ids = write(models["target"], tokenizer, prompt, tokens, seed=number)
            told = tokenizer.decode(ids, skip_special_tokens=True)[len(prompt) :]
            kept += kind == "stories" and any(re.search(rf"\b{word}\b", told) for word in heroes_of(prompt))
            start = 1 + len(tokenizer.encode(prompt, add_special_tokens=False).ids)
            for name, (overlap, count) in acceptance_along(models, ids, start).items():
                entry = sums.setdefault(name, [0.0, 0.0])
                entry[0] += overlap
                entry[1] += count
        found[kind] = {name: overlap / count for name, (overlap, count) in sums.items()}
    return found, kept / 40


def _table(kinds: dict[str, Measured], drafts: list[str]) -> str:
    columns = ["target perplexity", *(f"{name} perplexity" for name in drafts), *(f"{name} 1−TV" for name in drafts)]
    lines = ["| text kind | tokens | " + " | ".join(columns) + " |", "|---|" + "---:|" * (len(columns) + 1)]
    for kind, found in kinds.items():
        values = [f"{found.perplexity['target']:.2f}", *(f"{found.perplexity[name]:.2f}" for name in drafts)]
        values += [f"{found.acceptance[name]:.3f}" for name in drafts]
        lines.append(f"| {kind} | {found.tokens} | " + " | ".join(values) + " |")
    return "\n".join(lines)


def _checkpoint(work: Path, name: str) -> dict[str, Any]:
    record: dict[str, Any] = torch.load(work / f"{name}.pt", weights_only=False)
    return record


def _sizes(models: dict[str, LlamaForCausalLM], out: Path) -> str:
    lines = ["| folder | layers × width | parameters | size |", "|---|---|---:|---:|"]
    for name, model in models.items():
        size = sum(path.stat().st_size for path in (out / name).iterdir()) / 1e6
        config = model.config
        lines.append(
            f"| `{name}` | {config.num_hidden_layers} × {config.hidden_size} | {model.num_parameters():,} | {size:.2f} MB |"
        )
    return "\n".join(lines)


def write_card(prepared: Prepared, work: Path, out: Path) -> None:
    """Measure the folders under `out` and write `README.md` and `curves.png` there."""
    torch.set_num_threads(1)
    models = load_folders(out)
    drafts = [name for name in models if name != "target"]
    recipe = prepared.recipe
    checkpoints = {name: _checkpoint(work, name) for name in ("target", "drafts")}
    draw_curves({name: record["history"] for name, record in checkpoints.items()}, out / "curves.png")
    kinds = measure_kinds(prepared, work, models)
    prompts, kept = measure_prompts(models, prepared.tokenizer)
    samples = []
    for seed, prompt in enumerate(SAMPLE_PROMPTS):
        ids = write(models["target"], prepared.tokenizer, prompt, 110, seed=seed)
        samples.append("```text\n" + prepared.tokenizer.decode(ids, skip_special_tokens=True) + "\n```")
    stage_lines = []
    for name, record in checkpoints.items():
        rows_read = {length: state["drawn"] for length, state in record["samplers"].items()}
        tokens = sum(length * count for length, drawn in rows_read.items() for count in drawn.values())
        epochs = {
            source: sum(drawn[source] / len(prepared.packs[length][source]) for length, drawn in rows_read.items())
            for source in recipe.shares
        }
        read = ", ".join(f"{source} {value:.2f}" for source, value in epochs.items())
        stage_lines.append(
            f"- {name}: {record['elapsed'] / 60:.1f} minutes, {record['step']:,} steps, {tokens / 1e6:.2f}M tokens; passes over the sources: {read}"
        )
    versions = ", ".join(
        [f"Python {platform.python_version()}", *(f"{name} {metadata.version(name)}" for name in PACKAGES)]
    )
    prompt_table = "\n".join(
        ["| prompts | " + " | ".join(drafts) + " |", "|---|" + "---:|" * len(drafts)]
        + [
            f"| {kind} | " + " | ".join(f"{found[name]:.3f}" for name in drafts) + " |"
            for kind, found in prompts.items()
        ]
    )
    shards = "\n".join(
        [
            HEAD, "## Models\n", _sizes(models, out), "", CORPUS,
            "## Recipe\n", *stage_lines, f"- seed {recipe.seed}; {versions}", "",
            "The whole recipe (rates: Muon on matrices, AdamW on embeddings and norms):\n",
            "```json\n" + json.dumps(asdict(recipe), indent=1) + "\n```\n", REBUILD,
            "## Loss curves\n", "![Loss of the target and divergence of the drafts over training time](curves.png)\n",
            "The curves are those of one worker's rows, whose mix of sources changes with the batch: hence some of the steps.\n",
            "## Acceptance and perplexity\n",
            "On held-out text, packs of 256 tokens, temperature 1; perplexity per token; acceptance is the mean of 1 − TV(draft, target).\n",
            _table(kinds, drafts), "",
            "Along the target's own continuations (40 held-out prompts of each kind, up to 80 tokens, temperature 1):\n", prompt_table, "",
            f"The story goes on to speak of its hero in {kept:.0%} of the 40 stories.\n",
            LIMITS, "## Samples\n", "The target at temperature 1, not selected; each begins with its prompt.\n", "\n\n".join(samples), "",
        ]
    )  # fmt: skip
    (out / "README.md").write_text(shards, encoding="utf-8")
    print(f"card     {out / 'README.md'}", flush=True)
