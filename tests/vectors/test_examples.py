"""The examples in other languages: they pass, they run as many vectors as there are, and they notice a wrong one."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from specdemo.auditor.vectors.check import TOLERANCES
from specdemo.auditor.vectors.load import FOLDER, load
from specdemo.auditor.vectors.record import Recipe

EXAMPLES = FOLDER / "examples"
WRONG = ('"accepted":1,"next_token":', '"accepted":0,"next_token":')


def ran(output: str) -> dict[tuple[str, str], tuple[int, int]]:
    """(file, rule) → (ran, skipped) of the lines `file rule ran n skipped m`."""
    rows = [line.split() for line in output.splitlines()]
    return {(row[0], row[1]): (int(row[3]), int(row[5])) for row in rows if len(row) == 6 and row[2] == "ran"}


def counts() -> dict[tuple[bool, str], tuple[int, int]]:
    """(large, rule) → (firm, not firm) of the stored vectors."""
    found = Counter(
        (isinstance(vector.case.rows, Recipe), vector.case.rule, vector.firmness >= TOLERANCES["float64"])
        for vector in load()
    )
    rules = ("token", "block")
    return {
        (large, rule): (found[large, rule, True], found[large, rule, False])
        for large in (False, True)
        for rule in rules
    }


def test_javascript(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    done = subprocess.run([node, str(EXAMPLES / "check.mjs")], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    expected = {(("large" if large else "small") + ".json", rule): n for (large, rule), n in counts().items()}
    assert ran(done.stdout) == expected
    for name in ("small.json", "large.json"):
        text = (FOLDER / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text.replace(*WRONG) if name == "small.json" else text, encoding="utf-8")
    wrong = subprocess.run(
        [node, str(EXAMPLES / "check.mjs"), str(tmp_path)], capture_output=True, text=True, timeout=120
    )
    assert wrong.returncode == 1 and "finds" in wrong.stdout


def test_cpp(tmp_path: Path) -> None:
    compiler = next((path for name in ("c++", "g++", "clang++") if (path := shutil.which(name))), None)
    if compiler is None:
        pytest.skip("no C++ compiler is installed")
    program = tmp_path / "check"
    source = str(EXAMPLES / "check.cpp")
    subprocess.run([compiler, "-std=c++17", "-Wall", "-Werror", source, "-o", str(program)], check=True, timeout=120)
    text = (FOLDER / "small.txt").read_text(encoding="utf-8")
    done = subprocess.run([str(program)], input=text, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
    expected = {("small.txt", rule): n for (large, rule), n in counts().items() if not large}
    assert ran(done.stdout) == expected
    wrong = subprocess.run(
        [str(program)], input=text.replace("accepted 1", "accepted 0"), capture_output=True, text=True, timeout=60
    )
    assert wrong.returncode == 1 and "finds" in wrong.stdout
