"""`specdemo lab --engine ray`: what is said before any model is loaded, and that nothing of Ray is touched unless it is asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from specdemo.cli import main

Captured = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--workers", "2"], "--workers is for --engine ray"),
        (["--address", "auto"], "--address is for --engine ray"),
        (["--engine", "ray", "--workers", "0"], "--workers must be at least 1, got 0"),
        (
            ["--engine", "ray", "--gpus-per-worker", "1.5"],
            "--gpus-per-worker is a fraction above 0, or a whole number, got 1.5",
        ),
        (["--engine", "ray", "--gpus-per-worker", "nan"], "--gpus-per-worker is a fraction above 0"),
    ],
)
def test_wrong_options(given: list[str], said: str, capsys: Captured) -> None:
    assert main(["lab", *given]) == 2
    assert said in capsys.readouterr().err


def test_without_ray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(["lab", "--engine", "ray"]) == 2
    assert "needs Ray, which is not installed here: pip install '.[ray]'" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


def test_a_cluster_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install '.[ray]'")
    monkeypatch.chdir(tmp_path)
    assert main(["lab", "--engine", "ray", "--address", "127.0.0.1:1"]) == 2
    assert "no Ray cluster answers at 127.0.0.1:1" in capsys.readouterr().err and not [*tmp_path.iterdir()]


@pytest.mark.slow
def test_ray_is_not_imported_unasked() -> None:
    """Not by the module of the engine either, before it is used."""
    code = (
        "import sys; import specdemo.lab.sweep_ray, specdemo.cli.lab_engine, specdemo.cli.lab; "
        "sys.exit(any(name.split('.')[0] in ('ray', 'accelerate') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2]).returncode == 0
