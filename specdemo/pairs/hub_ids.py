"""Models of the hub that a visitor names: whether that is allowed, and what an id looks like.

Who names a repository chooses what this machine reads. So: ids and never paths. What a repository may hold is the matter of `hub/`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

# The hub's own rule, with an owner: no "..", no "--", and letters or digits at both ends of a name.
_NAME = r"[A-Za-z0-9](?:(?!\.\.|--)[A-Za-z0-9._-]){0,94}(?<![.-])"
_HUB_ID = re.compile(f"{_NAME}/{_NAME}")


def hub_ids_allowed() -> bool:
    """Whether requests may name any model of the hub: SPECDEMO_HUB_IDS=1."""
    return os.environ.get("SPECDEMO_HUB_IDS", "").strip().lower() in ("1", "true", "yes")


def is_hub_id(text: str) -> bool:
    """Whether a text has the form owner/name.

    >>> is_hub_id("openai-community/gpt2"), is_hub_id("../gpt2"), is_hub_id("gpt2"), is_hub_id("https://a/b"), is_hub_id("a/b/c")
    (True, False, False, False, False)
    """
    return _HUB_ID.fullmatch(text) is not None and not text.endswith(".git")


def check_hub_ids(target: str, draft: str | None) -> None:
    """ValueError in words unless both are ids of the hub, and no folders of this machine."""
    for what, name in (("target", target), ("draft", draft)):
        if not name:
            raise ValueError(f"{target!r} is an id of the hub: give the {what}'s id too, as owner/name")
        if not is_hub_id(name) or Path(name).exists():
            raise ValueError(
                f"the {what}'s id {name!r} is none of the hub: it has the form owner/name, as in openai-community/gpt2"
            )
