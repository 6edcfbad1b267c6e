"""A subject that does not answer ends the audit in words, and one that would end the process does not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from specdemo.auditor import CouldNotRun, audit
from specdemo.auditor.leaving import no_way_out
from specdemo.cli import main
from tests.auditor.foreign import ragged_token_rule, token_rule

ROOT = Path(__file__).parents[2]


def loops_on_two_tokens(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    while len(tokens) >= 2:
        pass
    return token_rule(tokens, draft, target, uniforms)


def sleeps_rarely(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    if len(tokens) >= 1 and uniforms[0] > 0.99:
        time.sleep(3600)
    return token_rule(tokens, draft, target, uniforms)


def waits_for_a_lock(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    threading.Event().wait()
    return token_rule(tokens, draft, target, uniforms)


def loops_with_many_rows(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[Any, Any]:
    while len(tokens) > 8:
        pass
    return ragged_token_rule(tokens, draft, target, uniforms)


@pytest.mark.parametrize(
    ("verify", "words"),
    [
        (loops_on_two_tokens, r"tokens=\[0, 1\] draft=\[\[0.5, 0.25, 0.25\].* uniforms=\[0.5, 0.5, 0.5\]$"),
        (sleeps_rarely, r"tokens=\[0\].* uniforms=\[0.99999"),
        (waits_for_a_lock, r"tokens=\[0, 1\]"),
        (loops_with_many_rows, r"tokens=.*\(and \d+ more blocks in the same call\)$"),
    ],
)
def test_what_gives_no_answer_is_named_with_its_question(verify: Callable[..., Any], words: str) -> None:
    where = rf"{verify.__name__} gave no answer for 0.2 s \(test_watching.py:\d+\) to "
    with pytest.raises(CouldNotRun, match=where + words):
        audit(verify, timeout=0.2)


def test_in_another_thread_too() -> None:
    said: list[str] = []

    def work() -> None:
        try:
            audit(loops_on_two_tokens, timeout=0.2)
        except CouldNotRun as error:
            said.append(str(error))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(60)
    assert said and "gave no answer for 0.2 s" in said[0]


def test_only_a_single_call_is_timed() -> None:
    def verify(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
        time.sleep(1e-4)
        return token_rule(tokens, draft, target, uniforms)

    report = audit(verify, timeout=2.0)
    assert report.lossless and report.seconds > 0.3


def test_ctrl_c_is_still_ctrl_c() -> None:
    def verify(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
        if len(tokens) == 3:
            signal.raise_signal(signal.SIGINT)
        return token_rule(tokens, draft, target, uniforms)

    with pytest.raises(KeyboardInterrupt):
        audit(verify, timeout=60.0)


@pytest.mark.parametrize("timeout", [0.0, -1.0, float("nan"), float("inf")])
def test_a_timeout_is_a_number_of_seconds(timeout: float) -> None:
    with pytest.raises(ValueError, match="timeout is"):
        audit("token", timeout=timeout)


def test_what_is_being_tried_is_told() -> None:
    told: list[str] = []
    report = audit("token", progress=told.append)
    assert told[0].startswith(f"world 1 of {report.worlds_planned}: ") and len(told) == report.worlds_planned


def command(file: Path, *options: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "specdemo", "audit", f"{file}:verify", *options]
    return subprocess.run(
        line, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=120
    )


SWALLOWS = """
def verify(tokens, draft, target, uniforms):
    while True:
        try:
            while True:
                pass
        except:
            pass
"""


def test_the_command_line_ends_what_catches_every_interrupt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "swallows.py"
    file.write_text(SWALLOWS, encoding="utf-8")
    done = command(file, "--timeout", "0.1")
    assert done.returncode == 2 and done.stderr.startswith("specdemo audit: verify gave no answer for 0.1 s to tokens=")
    assert done.stderr.count("\n") == 1


def test_a_timeout_is_not_for_recorded_steps(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--log", "steps.jsonl", "--timeout", "3"]) == 2
    assert "--timeout is for a program or a function" in capsys.readouterr().err


def test_a_file_that_leaves_while_it_is_loaded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "leaves.py"
    file.write_text("import os\n\nos._exit(0)\n", encoding="utf-8")
    assert main(["audit", f"{file}:verify"]) == 2
    assert "could not be loaded: SystemExit: os._exit(0)" in capsys.readouterr().err


def test_vectors_are_not_left_either(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "leaves.py"
    file.write_text("import os\n\n\ndef verify(*block):\n    os._exit(0)\n", encoding="utf-8")
    assert main(["vectors", "--check", f"{file}:verify", "--rule", "token"]) == 2
    assert "answers no vector" in capsys.readouterr().err


def test_the_way_out_is_open_to_others() -> None:
    leave = os._exit
    with no_way_out():
        child = os.fork()
        if child == 0:
            os._exit(7)
        with pytest.raises(SystemExit, match=r"os._exit\(3\)"):
            os._exit(3)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert os._exit is leave


def test_audits_in_several_threads_leave_the_way_out_as_it_was() -> None:
    leave = os._exit
    begun, ended = threading.Event(), threading.Event()

    def work() -> None:
        with no_way_out():
            begun.set()
            ended.wait(60)

    thread = threading.Thread(target=work)
    with no_way_out():
        thread.start()
        begun.wait(60)
    assert os._exit is not leave
    ended.set()
    thread.join()
    assert os._exit is leave
