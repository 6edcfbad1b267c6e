"""The prompts that are measured: one a line, in assets/prompts, the kinds of text apart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specdemo.lab.competitors import Prompt, Setting
    from specdemo.pairs.pair import Pair

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "prompts"
TEXTS = ("stories", "austen")
TITLES = {"stories": "generated stories", "austen": "Jane Austen"}
MOST_PROMPTS = 10_000


def read_prompts(path: Path, count: int) -> list[str]:
    """The first `count` prompts of a file: one a line, empty lines left out. ValueError if there are none."""
    if not path.is_file():
        raise ValueError(f"there is no prompt file {path.name!r} in {path.parent.name!r}")
    prompts = [line.rstrip("\n") for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    if not prompts:
        raise ValueError(f"the prompt file {path.name!r} is empty: write one prompt a line")
    return prompts[:count]


def read_prompt_set(name: str) -> list[str]:
    """All prompts of a set of the project; ValueError if there is none of this name."""
    if name not in TEXTS:
        raise ValueError(f"there is no prompt set {name!r}: choose one of {', '.join(TEXTS)}")
    return read_prompts(FOLDER / f"{name}.txt", MOST_PROMPTS)


def encoded_prompts(pair: Pair, texts: list[str], setting: Setting) -> list[Prompt]:
    """The prompts as ids; ValueError where one, with its new tokens and a whole block more, does not fit the context."""
    from specdemo.lab.competitors import Prompt  # brings PyTorch, which a server wants later

    prompts = []
    for number, text in enumerate(texts):
        ids = pair.encode(text).ids
        needed = len(ids) + setting.max_new_tokens + setting.gamma + 1
        if needed > pair.context_limit:
            raise ValueError(
                f"prompt {number + 1} needs {needed} tokens with {setting.max_new_tokens} new ones, this pair reads {pair.context_limit}: "
                "allow fewer new tokens or shorten the prompt"
            )
        prompts.append(Prompt(number, text, ids))
    return prompts
