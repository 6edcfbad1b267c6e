"""What a sweep measures: a grid of settings over tasks, taken apart into cells, and the key by which a cell is known (docs/lab.md).

A cell holds plain values only and no model: it can be sent to another process. Nothing is measured here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from specdemo.arrays import setting_of
from specdemo.lab.tasks import Mode, Task
from specdemo.verifiers import get, names

if TYPE_CHECKING:
    from specdemo.pairs.pair import Pair

SCHEMA = "specdemo.lab/1"
TOKEN = "token"
MOST_RULES = 8
_PROMPTS_IN_A_STREAM = 1 << 16


@dataclass(frozen=True)
class PairIdentity:
    """Exactly which two models, in which precision and on which kind of device: what the statistics depend on."""

    pair: str
    draft: str
    target_revision: str
    draft_revision: str
    dtype: str
    device: str

    @classmethod
    def of(cls, pair: Pair) -> PairIdentity:
        """The identity of loaded models; of a device only its kind, since all CUDA devices of a machine are one to a sweep."""
        return cls(
            pair.name, pair.draft_name, pair.target_revision, pair.draft_revision, pair.dtype, str(pair.device.type)
        )


@dataclass(frozen=True)
class Cell:
    """One prompt of a task under one setting with one seed. `prompt` is its number in the task, `text` what it says."""

    identity: PairIdentity
    task: str
    prompt: int
    text: str
    mode: Mode
    rules: tuple[str, ...]
    gamma: int
    temperature: float
    top_k: int
    top_p: float
    seed: int
    max_new_tokens: int

    def to_json(self) -> dict[str, Any]:
        """The cell as the file holds it: with a hash of the prompt instead of its text."""
        own = {field.name: getattr(self, field.name) for field in fields(self)[1:]}
        text = own.pop("text")
        own["digest"] = hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]
        return {**asdict(self.identity), **own, "rules": list(self.rules)}

    @property
    def key(self) -> str:
        """A hash of everything the statistics of this cell depend on, and of nothing else."""
        return key_of(self.to_json())

    @property
    def stream(self) -> int:
        """The stream of this prompt's uniforms: no two prompts of any task share one."""
        task = int.from_bytes(hashlib.sha256(self.task.encode("utf-8")).digest()[:4], "big")
        return task * _PROMPTS_IN_A_STREAM + self.prompt


@dataclass(frozen=True)
class Grid:
    """Everything that is varied. `prompts` is how many of each task are taken, `seeds` which; rules in the registry's order, each once.

    ValueError where a list is empty or an entry is wrong; a prompt that a pair cannot read is found out when it is measured.
    """

    tasks: tuple[Task, ...]
    rules: tuple[str, ...] = (TOKEN, "block")
    gammas: tuple[int, ...] = (4, 6, 8)
    temperatures: tuple[float, ...] = (1.0,)
    top_ks: tuple[int, ...] = (0,)
    top_ps: tuple[float, ...] = (1.0,)
    seeds: tuple[int, ...] = (0,)
    prompts: int = 30
    max_new_tokens: int = 64

    def __post_init__(self) -> None:
        # Imported here: they bring PyTorch, and the page reads this module before it is up.
        from specdemo.decoding.laws import Processing
        from specdemo.decoding.limits import checked_gamma, checked_new_tokens
        from specdemo.decoding.uniforms import PhiloxUniforms

        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, tuple):
                if not value:
                    raise ValueError(f"{field.name} is empty: a sweep needs at least one")
                if len(set(value)) < len(value):
                    raise ValueError(f"{field.name} holds something twice: {', '.join(map(_named, value))}")
        for rule in self.rules:
            get(rule)
        if len(self.rules) > MOST_RULES:
            raise ValueError(f"a cell decodes with at most {MOST_RULES} rules, got {len(self.rules)}")
        for gamma in self.gammas:
            if checked_gamma(gamma) == 0:
                raise ValueError(
                    "gamma is 0: nothing would be drafted; plain decoding is measured in every cell anyway"
                )
        for temperature, top_k, top_p, _ in self._processings():
            Processing(temperature, top_k, top_p)
        object.__setattr__(self, "temperatures", tuple(map(setting_of, self.temperatures)))
        for seed in self.seeds:
            PhiloxUniforms(seed)
        checked_new_tokens(self.max_new_tokens)
        if not 1 <= self.prompts < _PROMPTS_IN_A_STREAM:
            raise ValueError(f"prompts must be at least 1 and below {_PROMPTS_IN_A_STREAM}, got {self.prompts}")
        if len({task.name for task in self.tasks}) < len(self.tasks):
            raise ValueError(f"two tasks have one name: {', '.join(task.name for task in self.tasks)}")

    def cells(self, identities: Sequence[PairIdentity]) -> Iterator[Cell]:
        """All cells, breadth first: every setting gets its first prompt before any gets its second, and a seed's prompts before the next seed.

        Within a round one draft after the other, so that a worker seldom changes models, and one γ after the other over all tasks.
        """
        ordered = canonical(self.rules)
        for seed in self.seeds:
            for number in range(max(min(self.prompts, len(task.prompts)) for task in self.tasks)):
                for identity in identities:
                    for temperature, top_k, top_p, gamma in self._processings():
                        for task in self.tasks:
                            if number < min(self.prompts, len(task.prompts)):
                                yield Cell(
                                    identity, task.name, number, task.prompts[number], task.mode, ordered, int(gamma),
                                    temperature, int(top_k), float(top_p), int(seed), int(self.max_new_tokens),
                                )  # fmt: skip

    def _processings(self) -> Iterator[tuple[float, int, float, int]]:
        # The longest blocks first: where rules differ most, and where the texts are taken that give every γ.
        for temperature in self.temperatures:
            for top_k in self.top_ks:
                for top_p in self.top_ps:
                    for gamma in sorted(self.gammas, reverse=True):
                        yield temperature, top_k, top_p, gamma


def key_of(cell: Mapping[str, Any]) -> str:
    """The key of a cell as the file holds it: 24 hex digits.

    >>> key_of({"gamma": 4, "seed": 0}) == key_of({"seed": 0, "gamma": 4}) != key_of({"seed": 0, "gamma": 5})
    True
    """
    text = json.dumps([SCHEMA, cell], sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:24]


def canonical(rules: Sequence[str]) -> tuple[str, ...]:
    """Rules in the registry's order, others after them: the same set is the same cell in whatever order it was asked for.

    >>> canonical(["block", "token"])
    ('token', 'block')
    """
    known = names()
    return tuple(sorted(rules, key=lambda rule: (known.index(rule) if rule in known else len(known), rule)))


def _named(value: Any) -> str:
    return value.name if isinstance(value, Task) else str(value)
