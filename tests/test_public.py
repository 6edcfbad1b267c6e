"""What `import specdemo` shows of itself."""

from __future__ import annotations

import subprocess
import sys

import specdemo


def test_dir_names_what_there_is() -> None:
    assert dir(specdemo) == sorted(specdemo.__all__) and {"audit", "decode", "load_pair", "verifiers"} <= set(
        dir(specdemo)
    )
    assert all(getattr(specdemo, name) is not None for name in dir(specdemo))


def test_it_does_so_before_anything_large_is_imported() -> None:
    code = "import specdemo, sys; print('load_pair' in dir(specdemo), 'torch' in sys.modules, 'specdemo.pairs' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert told.stdout.split() == ["True", "False", "False"]
