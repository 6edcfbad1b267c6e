"""Folders kept in the cache: made once, whole or not there, made again where damaged, and somewhere else where the cache cannot be written."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from specdemo.pairs import kept
from specdemo.pairs.kept import kept_folder

ROOT = Path(__file__).resolve().parents[2]
FACTS: dict[str, str | int] = {"version": "1", "format": 1}


class Filler:
    """Fills a folder with two files, and counts."""

    def __init__(self, problem: OSError | None = None) -> None:
        self.count = 0
        self.problem = problem

    def __call__(self, folder: Path) -> None:
        self.count += 1
        (folder / "config.json").write_text("{}", encoding="utf-8")
        if self.problem and self.count == 1:
            raise self.problem
        (folder / "weights").write_bytes(bytes(range(256)) * 40)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    yield tmp_path / "cache" / "specdemo"
    for folder in kept._temporary.values():
        folder.cleanup()
    kept._temporary.clear()


def nothing_said(text: str) -> None:
    raise AssertionError(text)


def test_it_is_made_once_and_is_whole(cache: Path) -> None:
    fill = Filler()
    folder = kept_folder("thing", FACTS, fill, nothing_said)
    assert folder == cache / "thing" == kept_folder("thing", FACTS, fill, nothing_said)
    assert fill.count == 1 and [path.name for path in cache.iterdir()] == ["thing"]
    assert {path.name for path in folder.iterdir()} == {"config.json", "weights", kept.MANIFEST}
    assert folder.stat().st_mode & 0o777 == 0o755 and (folder / "weights").stat().st_mode & 0o777 == 0o644


def cut(folder: Path) -> None:
    with (folder / "weights").open("r+b") as file:
        file.truncate(100)


def flip(folder: Path) -> None:
    data = bytearray((folder / "weights").read_bytes())
    data[77] ^= 1
    (folder / "weights").write_bytes(data)


def lose(folder: Path) -> None:
    (folder / "config.json").unlink()


def half_a_manifest(folder: Path) -> None:
    text = (folder / kept.MANIFEST).read_text()
    (folder / kept.MANIFEST).write_text(text[: len(text) // 2])


def another_manifest(folder: Path) -> None:
    (folder / kept.MANIFEST).write_text("[1, 2]")


def a_file_instead(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    folder.write_text("not a folder")


@pytest.mark.parametrize("damage", [cut, flip, lose, half_a_manifest, another_manifest, a_file_instead])
def test_damage_is_noticed_said_and_mended_once(cache: Path, damage: Callable[[Path], None]) -> None:
    fill = Filler()
    kept_folder("thing", FACTS, fill, nothing_said)
    damage(kept_folder("thing", FACTS, fill, nothing_said))  # it has been read, and its damage must show all the same
    said: list[str] = []
    folder = kept_folder("thing", FACTS, fill, said.append)
    assert fill.count == 2 and len(said) == 1 and "damaged" in said[0]
    assert len((folder / "weights").read_bytes()) == 10240 and [path.name for path in cache.iterdir()] == ["thing"]
    assert kept_folder("thing", FACTS, fill, nothing_said) == folder and fill.count == 2


def test_damage_that_leaves_size_and_time_is_noticed_when_doubted(cache: Path) -> None:
    fill = Filler()
    kept_folder("thing", FACTS, fill, nothing_said)
    folder = kept_folder("thing", FACTS, fill, nothing_said)
    before = (folder / "weights").stat()
    flip(folder)
    os.utime(folder / "weights", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert kept_folder("thing", FACTS, fill, nothing_said) == folder  # nothing is read twice
    kept.doubt(folder)
    kept_folder("thing", FACTS, fill, lambda text: None)
    assert fill.count == 2


def test_another_version_is_not_mistaken_for_it(cache: Path) -> None:
    fill = Filler()
    kept_folder("thing", FACTS, fill, nothing_said)
    kept_folder("thing", {**FACTS, "version": "2"}, fill, lambda text: None)
    assert fill.count == 2
    kept_folder("other", FACTS, fill, nothing_said)
    assert fill.count == 3 and (cache / "thing").is_dir()


def test_a_cache_that_cannot_be_written_is_replaced_by_a_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    fill, said = Filler(), list[str]()
    folder = kept_folder("thing", FACTS, fill, said.append)
    assert (folder / "weights").is_file() and not folder.is_relative_to(tmp_path / "file")
    assert len(said) == 1 and "cannot be written (Not a directory)" in said[0] and str(tmp_path) not in said[0]
    assert kept_folder("thing", FACTS, fill, nothing_said) == folder and fill.count == 1
    cut(folder)
    assert kept_folder("thing", FACTS, fill, nothing_said) == folder and fill.count == 2


@contextmanager
def somebody_else() -> Iterator[None]:
    """As a user to whom folders of others are read-only; nothing is to root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="a system with other rights")
def test_a_read_only_cache_is_used_as_it_is(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)  # pytest's own folders are closed to others
        monkeypatch.setenv("XDG_CACHE_HOME", place)
        folder = kept_folder("thing", FACTS, Filler(), nothing_said)
        folder.parent.chmod(0o555)
        with somebody_else():
            assert kept_folder("thing", FACTS, Filler(), nothing_said) == folder
            said: list[str] = []
            assert (kept_folder("new", FACTS, Filler(), said.append) / "weights").is_file()
            assert "cannot be written (Permission denied)" in said[0]
        folder.parent.chmod(0o755)
        assert [path.name for path in folder.parent.iterdir()] == ["thing"]


def test_a_full_disk_leaves_nothing_behind_and_a_temporary_folder_serves(cache: Path) -> None:
    fill = Filler(OSError(errno.ENOSPC, "No space left on device"))
    said: list[str] = []
    folder = kept_folder("thing", FACTS, fill, said.append)
    assert fill.count == 2 and (folder / "weights").is_file() and not list(cache.iterdir())
    assert "No space left on device" in said[0]


def test_where_nothing_can_be_written_the_error_is_the_callers(cache: Path) -> None:
    def fill(folder: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for _ in range(2):
        with pytest.raises(OSError, match="No space left"):
            kept_folder("thing", FACTS, fill, lambda text: None)


def test_a_user_without_a_home_folder(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # to be ignored, says its specification
    monkeypatch.setattr(Path, "home", homeless)
    said: list[str] = []
    assert (kept_folder("thing", FACTS, Filler(), said.append) / "weights").is_file()
    assert "no home folder" in said[0]


def test_leavings_of_killed_processes_are_swept(cache: Path) -> None:
    for name, age in (
        ("thing.old", 2 * kept.LEAVINGS_SECONDS),
        ("thing.new", 0),
        ("other.old", 2 * kept.LEAVINGS_SECONDS),
    ):
        (cache / name).mkdir(parents=True)
        os.utime(cache / name, (time.time() - age,) * 2)
    kept_folder("thing", FACTS, Filler(), nothing_said)
    assert {path.name for path in cache.iterdir()} == {"thing", "thing.new", "other.old"}


def test_a_lock_that_is_never_let_go_is_not_waited_for_for_ever(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl")
    monkeypatch.setattr(kept, "PATIENCE_SECONDS", 0.2)
    cache.mkdir(parents=True)
    handle = os.open(cache, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        said: list[str] = []
        assert kept_folder("thing", FACTS, Filler(), said.append) == cache / "thing"
        assert said == ["Another process is at it: waiting until it is done"]
    finally:
        os.close(handle)


PROCESS = """
import sys, time
from pathlib import Path
from specdemo.pairs.kept import intact, kept_folder

def fill(folder):
    print("fills", flush=True)
    for name in "abc":
        (folder / name).write_bytes(name.encode() * 5000)
        time.sleep(0.1)

folder = kept_folder("thing", {"version": "1"}, fill, lambda text: None)
assert intact(folder, {"version": "1"}), sorted(folder.iterdir())
assert [(folder / name).read_bytes() for name in "abc"] == [name.encode() * 5000 for name in "abc"]
"""


@pytest.mark.parametrize("damaged", [False, True])
def test_several_processes_at_once(cache: Path, damaged: bool) -> None:
    if damaged:
        (cache / "thing").mkdir(parents=True)
        (cache / "thing" / "a").write_bytes(b"half")
    running = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    ended = [process.communicate(timeout=60) for process in running]
    assert [process.returncode for process in running] == [0, 0, 0], ended
    assert sum(out.count("fills") for out, _ in ended) == 1  # the others waited for it
    assert [path.name for path in cache.iterdir()] == ["thing"]
    assert {path.name for path in (cache / "thing").iterdir()} == {"a", "b", "c", kept.MANIFEST}
