"""Model folders are for the command line and for Python: what a visitor sends never opens one, whether or not ids of the hub are allowed."""

from __future__ import annotations

import ast
import builtins
import io
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import specdemo.pages
import specdemo.server
from specdemo.pages.lab_answers import plan
from specdemo.pages.models import Models
from specdemo.pages.service import Service
from specdemo.pairs import PairUnavailable, fetch_pair, load_pair
from specdemo.pairs.loading import load_named
from tests.pages.test_compare_requests import measure
from tests.pages.test_lab_requests import asked, grid
from tests.pages.test_service import request, told
from tests.pairs.test_loading import save

LOOKS = [(os, "stat"), (os, "lstat"), (os, "scandir"), (os, "listdir"), (os, "access"), (os, "readlink")]
OPENINGS = [(os, "open"), (builtins, "open"), (io, "open")]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with models in it, which load where a person names them."""
    folder = tmp_path_factory.mktemp("models")
    for name, seed in (("target", 2), ("near", 1), ("models/target", 2), ("models/near", 1)):
        save(folder / name, seed)
    return folder


@pytest.fixture
def touched(place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, str]]]:
    """How anything below `place` is asked for, from there: (function, path) as it happens."""
    monkeypatch.chdir(place)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    found: list[tuple[str, str]] = []

    def noting(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def noted(path: Any = ".", *arguments: Any, **options: Any) -> Any:
            if isinstance(path, str | bytes | os.PathLike):
                whole = os.path.join(str(place), os.fsdecode(path))
                if whole.startswith(f"{place}/"):
                    found.append((name, os.path.relpath(whole, place)))
            return real(path, *arguments, **options)

        return noted

    with pytest.MonkeyPatch.context() as patch:
        for module, name in (*LOOKS, *OPENINGS):
            patch.setattr(module, name, noting(name, getattr(module, name)))
        yield found


def named(place: Path) -> list[tuple[str, str]]:
    """The two folders as a visitor could name them."""
    forms = [
        ("./target", "./near"),
        ("models/target", "models/near"),
        ("target", "near"),
        ("../{0}/target", "../{0}/near"),
    ]
    found = [(target.format(place.name), draft.format(place.name)) for target, draft in forms]
    return [*found, (f"{place}/target", f"{place}/near"), ("target/", "near/"), ("./models/../target", "near")]


def answers(service: Service, pair: str, draft: str) -> Iterator[list[dict[str, Any]]]:
    """What each kind of request with these names is answered."""
    yield told(service.decode(request(pair=pair, draft=draft)))
    yield told(service.race(measure(pair=pair, draft=draft)))
    yield told(service.law(measure(pair=pair, draft=draft, samples=100)))
    yield told(service.lab(asked(pair=pair, drafts=[draft])))
    try:
        yield [json.loads(plan(json.dumps(grid(pair=pair, drafts=[draft]))))]
    except ValueError as error:
        yield [{"kind": "error", "text": str(error)}]


def test_the_folders_are_models_and_are_seen_to_be_opened(place: Path, touched: list[tuple[str, str]]) -> None:
    """What the other tests rest on: in Python the same names load, and their opening is noted."""
    for target, draft in named(place):
        touched.clear()
        assert load_pair(target, draft=draft, device="cpu").name == "target"
        opened = [path for name, path in touched if name == "open"]
        assert any(path.endswith("near/config.json") for path in opened), opened


@pytest.mark.parametrize("allowed", ["", "1"])
def test_a_request_that_names_a_folder_is_refused_without_a_look_at_it(
    allowed: str, place: Path, touched: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPECDEMO_HUB_IDS", allowed)
    service = Service()
    pairs = [
        *named(place),
        *(("stories", draft) for _, draft in named(place)),
        *((target, "192") for target, _ in named(place)),
    ]
    for pair, draft in pairs:
        for (answer,) in answers(service, pair, draft):
            assert answer["kind"] == "error", (pair, draft)
            assert "no pair" in answer["text"] or "no draft" in answer["text"] or "owner/name" in answer["text"], answer
        # What has the form of an id and is a folder is no id: that it exists is all that is asked.
        ids = {("stat", "models/target"), ("stat", "models/near")} if allowed else set()
        assert set(touched) <= ids, (pair, draft, touched)
    assert service.models.loaded() == []


def started(name: str, draft: str) -> Any:
    """What the server's models load, with nothing fetched before."""
    return Models(fetch=lambda name, draft, progress: None).start(name, draft).pair()


@pytest.mark.parametrize("allowed", ["", "1"])
def test_what_loads_for_the_server_opens_no_folder_even_where_nobody_has_checked_the_names(
    allowed: str, place: Path, touched: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPECDEMO_HUB_IDS", allowed)
    for pair, draft in named(place):
        for load in (load_named, fetch_pair, started):
            with pytest.raises((ValueError, PairUnavailable)):
                load(pair, draft=draft)
            assert {name for name, _ in touched} <= {"stat"} and not [path for _, path in touched if "config" in path]
            touched.clear()


def test_no_module_of_the_server_has_a_way_to_a_folder() -> None:
    ways = {
        "load_pair",
        "load_folders",
        "from_folders",
        "folder_pair",
        "entry_of_folders",
        "is_model_folder",
        "asked_pair",
    }
    modules = [path for package in (specdemo.pages, specdemo.server) for path in Path(package.__path__[0]).glob("*.py")]
    assert len(modules) > 40
    for path in modules:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = {alias.name for alias in node.names} if isinstance(node, ast.Import | ast.ImportFrom) else set()
            if isinstance(node, ast.Attribute | ast.Name):
                names = {node.attr if isinstance(node, ast.Attribute) else node.id}
            assert not names & ways and "specdemo.pairs.folders" not in names, (path.name, names)
            assert not (isinstance(node, ast.ImportFrom) and node.module == "specdemo.pairs.folders"), path.name
