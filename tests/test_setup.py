"""The files around the code agree with each other."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from specdemo.pairs.registry import entries

ROOT = Path(__file__).resolve().parents[1]
PAPERS = ("2211.17192", "2302.01318", "2403.10444")


def requirements() -> dict[str, str]:
    """Package -> bounds, as requirements.txt has them."""
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    found = (re.fullmatch(r"([\w-]+)(.*)", line) for line in lines if line and not line.startswith("#"))
    return {match[1]: match[2] for match in found if match}


def project() -> str:
    return (ROOT / "pyproject.toml").read_text()


@pytest.fixture
def front_matter() -> dict[str, Any]:
    """The Space's settings at the top of the README."""
    text = (ROOT / "README.md").read_text()
    loaded: dict[str, Any] = yaml.safe_load(text.split("---\n")[1])
    return loaded


def test_the_space_runs_the_version_that_is_pinned(front_matter: dict[str, Any]) -> None:
    assert front_matter["sdk"] == "gradio"
    assert requirements()["gradio"] == f"=={front_matter['sdk_version']}"


def test_the_space_settings_are_whole(front_matter: dict[str, Any]) -> None:
    assert (ROOT / front_matter["app_file"]).is_file()
    assert 0 < len(front_matter["short_description"]) <= 60
    assert front_matter["license"] == "apache-2.0" and "Apache License" in (ROOT / "LICENSE").read_text()
    for field in ("title", "emoji", "colorFrom", "colorTo", "python_version", "tags"):
        assert front_matter[field]


def test_the_space_names_every_model_that_can_be_chosen(front_matter: dict[str, Any]) -> None:
    sources = [source for entry in entries() for source in (entry.target, *(s for _, s in entry.drafts.values()))]
    assert set(front_matter["models"]) == {source.repo for source in sources if source.repo}


def test_the_readme_begins_with_the_two_commands_and_names_the_papers() -> None:
    text = (ROOT / "README.md").read_text()
    lines = [line.strip() for line in text.split("---\n", 2)[2].splitlines() if line.strip()]
    assert [line.split("#")[0].strip() for line in lines[:2]] == ["make app", "make test"]
    for paper in PAPERS:
        assert f"https://arxiv.org/abs/{paper}" in text


def test_every_bound_is_the_same_in_both_places() -> None:
    for name, bounds in requirements().items():
        assert f'"{name}{bounds}"' in project()


def test_torch_has_an_upper_bound() -> None:
    assert re.search(r"<\d", requirements()["torch"])


def test_ci_calls_make_test_and_nothing_more() -> None:
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    assert [line for line in lines if line and not line.startswith(("#", "set ", "cd "))] == ["make test"]


def test_the_core_imports_neither_models_nor_pages() -> None:
    heavy = ["torch", "transformers", "gradio", "pandas", "matplotlib", "plotly", "starlette"]
    code = (
        "import sys, specdemo, specdemo.trace, specdemo.transport, specdemo.verifiers, specdemo.pairs.registry;"
        f"print([m for m in {heavy} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_page_imports_no_models_before_it_is_up() -> None:
    code = "import sys, specdemo.pages.shell; print([m for m in ('torch', 'transformers') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip().splitlines()[-1] == "[]"
