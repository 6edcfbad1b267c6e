"""The recipe: every size, rate and share that a training run depends on, in one frozen record that is kept with the run."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class ModelSize:
    """The size of one Llama: layers, hidden width, attention heads (width / heads is even) and feed-forward width."""

    layers: int
    width: int
    heads: int
    feed_forward: int


@dataclass(frozen=True)
class Recipe:
    """How a pair is trained. Rates: Muon on matrices, AdamW on embeddings and norms; lengths and batch in tokens.

    `small_until`: up to the first fraction of the target's time a third of its layers are trained, up to the second two thirds;
    `query_key_norm`: limit of the root mean square of the singular values of the query and key matrices; `cycle_starts`: minutes
    from which a stage's schedule counts when a finished stage is continued;
    `long_from`: from there on with long packs, and the target with the full batch instead of the early one.
    """

    seed: int = 20
    vocabulary: int = 2048
    target: ModelSize = ModelSize(12, 256, 4, 704)
    drafts: dict[str, ModelSize] = field(
        default_factory=lambda: {"draft-96": ModelSize(1, 96, 3, 256), "draft-192": ModelSize(1, 192, 6, 512)}
    )
    documents: int = 130_000
    shares: dict[str, float] = field(default_factory=lambda: {"generated": 0.68, "austen": 0.19, "bible": 0.13})
    batch_tokens: int = 4096
    early_batch_tokens: int = 2048
    small_until: tuple[float, float] = (0.25, 0.58)
    pack_length: int = 256
    long_pack_length: int = 512
    long_from: float = 0.85
    target_share: float = 0.71
    warmup: float = 0.02
    floor: float = 0.01
    target_matrix_rate: float = 0.02
    target_vector_rate: float = 4e-3
    draft_matrix_rate: float = 0.03
    draft_vector_rate: float = 6e-3
    query_key_norm: float = 1.0
    cycle_starts: dict[str, float] = field(default_factory=dict)
    checkpoint_seconds: float = 90.0

    def save(self, path: Path) -> None:
        """Write the recipe as JSON."""
        path.write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")

    @staticmethod
    def load(path: Path) -> Recipe:
        """Read what `save` wrote."""
        record = json.loads(path.read_text(encoding="utf-8"))
        record["target"] = ModelSize(**record["target"])
        record["drafts"] = {name: ModelSize(**size) for name, size in record["drafts"].items()}
        record["small_until"] = tuple(record["small_until"])
        return Recipe(**record)

    def thirds(self, fraction: float) -> int:
        """How many of every three layers of the target are trained at that fraction of its time."""
        return 1 + sum(fraction >= limit for limit in self.small_until)
