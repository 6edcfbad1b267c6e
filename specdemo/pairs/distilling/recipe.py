"""The recipe of a distilled draft: sizes, rates and batches in one frozen record that is kept with the run."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from specdemo.pairs.training.recipe import ModelSize


@dataclass(frozen=True)
class DistillingRecipe:
    """How a draft is distilled. Rates: Muon on the layers' matrices, AdamW on the tables, their projections and the norms.

    `row_length` tokens a row, `rows` rows a batch; `chunk` labels share their candidates, `negatives` of which are drawn at random;
    `tied`: one table serves as embedding and output; `total_variation`: weight of 1 − acceptance beside the divergence, from the
    fraction `total_variation_from` of the time on, `cold_total_variation` the same at temperature 1/2; `begun_from`: the run whose
    weights it started with, if any; `held_out`: every so many-th text of the labels is kept for measuring.
    """

    seed: int = 6
    size: ModelSize = field(default_factory=lambda: ModelSize(2, 176, 4, 512))
    tied: bool = True
    context: int = 2048
    row_length: int = 256
    rows: int = 16
    chunk: int = 256
    negatives: int = 1536
    matrix_rate: float = 0.02
    table_rate: float = 1e-3
    projection_rate: float = 1e-3
    norm_rate: float = 1e-2
    warmup: float = 0.02
    floor: float = 0.01
    total_variation: float = 0.0
    cold_total_variation: float = 0.0
    total_variation_from: float = 0.5
    begun_from: str = ""
    held_out: int = 50
    measure_seconds: float = 300.0
    checkpoint_seconds: float = 120.0

    def save(self, path: Path) -> None:
        """Write the recipe as JSON."""
        path.write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")

    @staticmethod
    def load(path: Path) -> DistillingRecipe:
        """Read what `save` wrote."""
        record = json.loads(path.read_text(encoding="utf-8"))
        return DistillingRecipe(**{**record, "size": ModelSize(**record["size"])})
