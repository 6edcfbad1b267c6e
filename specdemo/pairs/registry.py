"""The pairs people can choose. A new pair is one entry here (and, for an embedded one, its folder in assets/pairs)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ASSETS = Path(__file__).resolve().parents[2] / "assets" / "pairs"


@dataclass(frozen=True)
class Source:
    """Where a model's weights are: a folder of the project, or a hub repository at a revision (None: whatever the hub resolves)."""

    folder: Path | None = None
    repo: str | None = None
    revision: str | None = None

    @property
    def local(self) -> bool:
        """Whether the weights ship with the project."""
        return self.folder is not None


@dataclass(frozen=True)
class PairEntry:
    """One choice of the list. `drafts` maps a draft's name to (title, source); the first is the default."""

    name: str
    title: str
    target: Source
    drafts: Mapping[str, tuple[str, Source]]
    note: str = ""
    dtype: str = "auto"
    examples: tuple[str, ...] = field(default=())

    @property
    def embedded(self) -> bool:
        """Whether it loads offline."""
        return self.target.local

    def available(self) -> bool:
        """Whether an embedded pair's files are there; hub pairs are tried when asked for."""
        folders = [self.target.folder, *(source.folder for _, source in self.drafts.values())]
        return all(folder is None or (folder / "config.json").is_file() for folder in folders)


# Commits of the hub repositories' main branches, as several public projects that pin them record them.
_REVISIONS = {
    "HuggingFaceTB/SmolLM2-135M-Instruct": "12fd25f77366fa6b3b4b768ec3050bf629380bac",
    "HuggingFaceTB/SmolLM2-360M-Instruct": "a10cc1512eabd3dde888204e902eca88bddb4951",
    "distilbert/distilgpt2": "2290a62682d06624634c1f46a6ad5be0f47f38aa",
    "openai-community/gpt2": "607a30d783dfa663caf39e06633721c8d4cfcd7e",
    "Qwen/Qwen3-0.6B": "c1899de289a04d12100db370d81485cdf75e47ca",
    "Qwen/Qwen3-1.7B": "70d244cc86ccca08cf5af4e1e306ecf908b1ad5e",
}


def _hub(repo: str) -> Source:
    return Source(repo=repo, revision=_REVISIONS[repo])


def _entries() -> list[PairEntry]:
    stories = ASSETS / "stories"
    entries = [
        PairEntry(
            "stories",
            "Stories (built in)",
            Source(folder=stories / "target"),
            {
                "192": ("1 × 192, strong", Source(folder=stories / "draft-192")),
                "96": ("1 × 96, weak", Source(folder=stories / "draft-96")),
                "self": ("the target (D = T)", Source(folder=stories / "target")),
            },
            note="Two tiny drafts and a target trained for this project on generated stories and public-domain prose.",
        )
    ]
    hub = [
        (
            "smollm2-hub",
            "SmolLM2 135M → 360M Instruct (hub)",
            "HuggingFaceTB/SmolLM2-360M-Instruct",
            "HuggingFaceTB/SmolLM2-135M-Instruct",
        ),
        ("gpt2-hub", "distilgpt2 → gpt2 (hub)", "openai-community/gpt2", "distilbert/distilgpt2"),
        ("qwen3-hub", "Qwen3 0.6B → 1.7B (hub)", "Qwen/Qwen3-1.7B", "Qwen/Qwen3-0.6B"),
    ]
    for name, title, target, draft in hub:
        drafts = {draft.rpartition("/")[2].lower(): (draft, _hub(draft))}
        entries.append(PairEntry(name, title, _hub(target), drafts, note="Downloaded from the hub when you choose it."))
    return entries


_registry: dict[str, PairEntry] = {entry.name: entry for entry in _entries()}


def names() -> list[str]:
    """The names of the registered pairs, in the order of display."""
    return list(_registry)


def get(name: str) -> PairEntry:
    """The entry of that name; ValueError listing the names if there is none."""
    if name not in _registry:
        raise ValueError(f"there is no pair {name!r}: choose one of {', '.join(_registry)}")
    return _registry[name]


def entries() -> list[PairEntry]:
    """All entries, in the order of display."""
    return list(_registry.values())


def register(entry: PairEntry) -> PairEntry:
    """Add an entry; ValueError if its name is taken."""
    if entry.name in _registry:
        raise ValueError(f"a pair named {entry.name!r} is already registered")
    _registry[entry.name] = entry
    return entry
