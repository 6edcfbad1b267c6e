"""The prompts that are measured, as a race and the bench read them: a set of the project, or the first of a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from specdemo.lab.prompt_files import read_bounded, read_prompt_file
from specdemo.lab.tasks import FOLDER, get, names

if TYPE_CHECKING:
    from specdemo.lab.competitors import Prompt, Setting
    from specdemo.pairs.pair import Pair

__all__ = ["FOLDER", "MOST_PROMPTS", "TEXTS", "TITLES", "encoded_prompts", "read_prompt_set", "read_prompts"]

TEXTS = names("text")  # what is asked of an assistant is no text to be continued
TITLES = {name: get(name).title for name in TEXTS}
MOST_PROMPTS = 10_000


def read_prompts(path: Path, count: int) -> list[str]:
    """The first `count` prompts of a file, by the end of its name (see `prompt_files`). ValueError if there are none, or the file is wrong."""
    if path.is_dir():
        raise ValueError(f"{str(path)!r} is a folder, a file of prompts is needed")
    if not path.exists():
        raise ValueError(
            f"there is no prompt file {path.name!r} in {path.parent.name!r}, and no prompt set of this name: {', '.join(TEXTS)}"
        )
    return list(read_prompt_file(read_bounded(path), path.name).prompts[:count])


def read_prompt_set(name: str) -> list[str]:
    """All prompts of a set of the project; ValueError if there is none of this name."""
    if name not in TEXTS:
        raise ValueError(f"there is no prompt set {name!r}: choose one of {', '.join(TEXTS)}")
    return list(get(name).prompts)


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
