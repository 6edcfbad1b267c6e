"""A process that reads the files of a model which a visitor named: it counts its weights, and then reads prompts with its tokenizer.

`python -m specdemo.pairs.hub.process FOLDER`: one JSON object a line, in and out. A configuration, a regular expression or a chat template
may be made so that it never comes to an end, or fills the memory. Here that costs nobody else anything: this process has little memory,
and whoever has started it ends it when it takes too long.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

# A tokenizer of 33 MB takes a quarter of it.
MOST_MEMORY = 3 * 2**30
MOST_CHARACTERS = 1_000_000
# Longer than anybody waits (reading.py): for when nobody is there any more who would end it.
START_SECONDS, ANSWER_SECONDS = 240, 15
_SAMPLES = ("The cat sat on the mat.", "", " \n\t 12345 + é + 猫 + 🐈 <|x|>", "a" * 300)


def main(folder: str) -> None:
    """Says what it has counted, then answers until its input ends."""
    answers = _own_output()
    _limit_memory()
    _end_after(START_SECONDS)
    try:
        facts = counted(folder)
        tokenizer = read_tokenizer(folder)
        for text in _SAMPLES:
            tokenizer(text, add_special_tokens=False)
    except BaseException as error:  # whatever it is, the tokenizers library's panics too: this model is not read
        _say(answers, {"error": _first_line(error)})
        return
    _say(answers, facts)
    _end_after(0)
    for line in sys.stdin:
        _end_after(ANSWER_SECONDS)
        asked = json.loads(line)
        _say(answers, {**answered(tokenizer, asked), "number": asked["number"]})
        _end_after(0)


def counted(folder: str) -> dict[str, int]:
    """How many weights and other numbers the model has that transformers builds from the configuration; none of them is there in memory."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    config = AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config, trust_remote_code=False)
    model.tie_weights()
    return {
        "weights": sum(part.numel() for part in model.parameters()),
        "buffers": sum(part.numel() for part in model.buffers()),
    }


def read_tokenizer(folder: str) -> Any:
    """The tokenizer in a folder, as transformers reads it."""
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)


def answered(tokenizer: Any, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The ids of `text`, or the text of `messages` in the chat template; or an `error`."""
    try:
        if "messages" in asked:
            text = tokenizer.apply_chat_template(asked["messages"], **asked["settings"])
            if not isinstance(text, str) or len(text) > MOST_CHARACTERS:
                raise ValueError(f"it gives no text, or one of more than {MOST_CHARACTERS:,} characters")
            return {"text": text}
        found = tokenizer(asked["text"], **asked["settings"])
        return {
            "input_ids": list(found.input_ids),
            "offset_mapping": [list(place) for place in found.get("offset_mapping", [])],
        }
    except BaseException as error:  # as above
        return {"error": _first_line(error)}


def _own_output() -> TextIO:
    """The output for answers alone: what a library prints goes where errors go."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers


def _end_after(seconds: int) -> None:
    """End this process after so many seconds, whatever it is at; 0: not any more."""
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


def _limit_memory() -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):  # not every system has such limits
        import resource

        for kind in ("RLIMIT_DATA", "RLIMIT_CORE"):
            most = MOST_MEMORY if kind == "RLIMIT_DATA" else 0
            resource.setrlimit(getattr(resource, kind), (most, most))


def _say(answers: TextIO, answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0]}"[:300] if lines[0] else type(error).__name__


if __name__ == "__main__":
    main(str(Path(sys.argv[1])))
