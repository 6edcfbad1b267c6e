"""The disk's share of visitors' models: what was used longest ago goes, what is in use stays, and nothing else is touched."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from specdemo.pairs import PairUnavailable
from specdemo.pairs.hub import disk
from specdemo.pairs.hub.disk import Lease, base, discard, folder_of, kept_folders, leased

ROOT = Path(__file__).resolve().parents[3]
COMMIT = "1" * 40


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A share of 1,000 bytes, in a home of its own."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HOME", str(tmp_path))
    monkeypatch.setenv("SPECDEMO_HUB_DISK_GB", str(1_000 / 1e9))
    yield tmp_path


def put(repo: str, count: int, used: int = 0, commit: str = COMMIT) -> Lease:
    """A model of so many bytes, on lease; when it is let go it was last used at `used`."""
    lease = leased(folder_of(repo, commit), count, repo)
    (lease.folder / "model.safetensors").write_bytes(b"\0" * count)
    return lease


def let_go(lease: Lease, used: int) -> None:
    lease.release()
    os.utime(base() / ".leases" / lease.folder.name, (used, used))


def here() -> set[str]:
    return {folder.name.partition("@")[0] for folder in base().glob("*@*")}


def test_what_was_used_longest_ago_makes_room(home: Path) -> None:
    for repo, used in (("a/old", 1), ("a/new", 3), ("a/middle", 2)):
        let_go(put(repo, 300), used)
    let_go(put("a/next", 300), 4)
    assert here() == {"a--new", "a--middle", "a--next"}
    let_go(put("a/large", 700), 5)
    assert here() == {"a--large", "a--next"}


def test_what_is_in_use_stays_and_is_said_to_be(home: Path) -> None:
    held = [put("a/b", 600), put("a/c", 300)]
    with pytest.raises(
        PairUnavailable, match=r"a/d has 200 bytes, and of the 1 kB .* 100 bytes are left beside those in use: choose"
    ):
        put("a/d", 200)
    assert here() == {"a--b", "a--c"}
    put("a/e", 100)
    held.pop(0).release()
    put("a/d", 200)
    assert here() == {"a--c", "a--d"} or here() == {"a--c", "a--d", "a--e"}


def test_nobody_who_holds_it_is_letting_it_go(home: Path) -> None:
    lease = put("a/b", 600)
    again = leased(lease.folder, 600, "a/b")
    lease.release()
    with pytest.raises(PairUnavailable):
        put("a/c", 600)
    del again
    put("a/c", 600)
    assert here() == {"a--c"}


def test_on_a_system_without_locks_this_process_still_knows_what_it_holds(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "fcntl", None)
    lease = put("a/b", 600)
    with pytest.raises(PairUnavailable, match="400 bytes are left beside those in use"):
        put("a/c", 600)
    lease.release()
    put("a/c", 600)
    assert here() == {"a--c"}


def test_what_is_still_being_fetched_counts(home: Path) -> None:
    lease = leased(folder_of("a/b", COMMIT), 900, "a/b")
    assert not list(lease.folder.iterdir())
    with pytest.raises(PairUnavailable, match="100 bytes are left"):
        leased(folder_of("a/c", COMMIT), 200, "a/c")


def test_an_older_commit_of_the_same_repository_goes_like_any_other(home: Path) -> None:
    let_go(put("a/b", 600, commit="0" * 40), 1)
    newer = put("a/b", 600)
    assert kept_folders("a/b") == [newer.folder] and kept_folders("a/c") == []


def test_the_hubs_cache_and_all_else_is_never_touched(home: Path) -> None:
    others = [
        home / "hub" / "models--a--b" / "blobs" / "x",
        home / "token",
        base().parent / "specdemo-other" / "a--b@1" / "x",
    ]
    for path in others:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"\0" * 5_000)
    for n in range(5):
        let_go(put(f"a/b{n}", 900), n)
    assert all(path.stat().st_size == 5_000 for path in others) and here() == {"a--b4"}
    assert {path.name for path in base().iterdir()} == {".leases", folder_of("a/b4", COMMIT).name}


def test_what_is_discarded_is_gone_unless_somebody_else_has_it(home: Path) -> None:
    lease = put("a/b", 10)
    other = leased(lease.folder, 10, "a/b")
    discard(lease)
    assert here() == {"a--b"}
    discard(other)
    assert here() == set() and not (base() / ".leases" / lease.folder.name).exists()


def test_a_disk_that_is_full_is_said_before_anything_is_fetched(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=disk.LEAST_FREE + 100))
    with pytest.raises(
        PairUnavailable, match=r"the server's disk has room for 100 bytes: .* ask the server's operator"
    ):
        put("a/b", 200)
    put("a/b", 100)


PROCESS = """
import sys
from pathlib import Path
from specdemo.pairs.hub.disk import folder_of, leased

lease = leased(folder_of("a/b", "1" * 40), 600, "a/b")
(lease.folder / "x").write_bytes(b"0" * 600)
print("held", flush=True)
sys.stdin.read()
"""


def test_other_processes_leases_hold_and_end_with_them(home: Path) -> None:
    environment = {**os.environ, "HF_HOME": str(home), "PYTHONPATH": str(ROOT)}
    other = subprocess.Popen(
        [sys.executable, "-c", PROCESS], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        with pytest.raises(PairUnavailable, match="400 bytes are left beside those in use"):
            put("a/c", 600)
    finally:
        other.kill()  # as a server may be
        other.wait()
    put("a/c", 600)
    assert here() == {"a--c"}
