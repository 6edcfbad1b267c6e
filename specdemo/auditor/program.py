"""A subject in any language: a program that reads one JSON object a line and answers with one JSON object a line.

Question {"id", "tokens", "draft", "target", "uniforms"} (and "memory" if the last answer had one); answer {"id", "accepted",
"next_token"} or {"id", "accepted", "law"}, optionally with "memory", or {"id", "error": "…"}; a field that is null is absent.
Many questions may be on their way at once; the answers may come in any order. The program must flush every line.
"""

from __future__ import annotations

import json
import queue
import shlex
import subprocess
import threading
from collections import deque
from collections.abc import Sequence
from typing import Any

from specdemo.auditor.feeding import Feed
from specdemo.auditor.questions import CouldNotRun, Question
from specdemo.auditor.subjects import Subject

# What is longer is read in pieces: a program that never ends its line must not fill the memory.
_LONGEST_LINE, _LONGEST_ERROR = 1 << 24, 1 << 12


class ProgramSubject(Subject):
    """A program started without a shell from a command line or a list of arguments.

    `timeout` is how many seconds the program may keep silent while an answer is due. Raises CouldNotRun where it does not start,
    ends, keeps silent, or answers with a line that is not as agreed.
    """

    form = "program"

    def __init__(self, command: str | Sequence[str], *, timeout: float = 10.0, array: str = "numpy float64") -> None:
        arguments = shlex.split(command) if isinstance(command, str) else list(command)
        if not arguments:
            raise ValueError("the program's command is empty")
        super().__init__(shlex.join(arguments), Feed(array))
        self.command = arguments
        if not 0 < timeout <= threading.TIMEOUT_MAX:
            raise ValueError(f"timeout is {timeout}: it must be a positive number of seconds")
        self._timeout = timeout
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._outgoing: queue.Queue[str | None] = queue.Queue()
        self._errors: deque[str] = deque(maxlen=5)
        self._remembers = False

    @property
    def may_remember(self) -> bool:
        return self._remembers

    def _start(self) -> None:
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                self.command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, encoding="utf-8", errors="replace"
            )
        except OSError as error:
            raise CouldNotRun(f"the program {self.command[0]!r} does not start: {error}") from error
        for work in (self._read, self._write, self._read_errors):
            threading.Thread(target=work, args=(self._process,), daemon=True).start()

    # Three threads, so that neither side ever waits for a full pipe.
    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        while line := process.stdout.readline(_LONGEST_LINE):
            self._lines.put(line)
        self._lines.put(None)

    def _read_errors(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        while line := process.stderr.readline(_LONGEST_ERROR):
            self._errors.append(line.strip())

    def _write(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        try:
            while (text := self._outgoing.get()) is not None:
                process.stdin.write(text)
                process.stdin.flush()
            process.stdin.close()
        except (OSError, ValueError):
            pass  # the program has ended; the reader says so

    def _ask(self, questions: list[Question]) -> list[Any]:
        if self._process is None:
            self._start()
        first = self.calls - len(questions)
        self._outgoing.put("".join(self._line(first + i, question) for i, question in enumerate(questions)))
        raw: list[Any] = [None] * len(questions)
        missing = len(questions)
        while missing:
            answer = self._next_answer()
            place = answer.get("id")
            if not isinstance(place, int) or not 0 <= place - first < len(questions) or raw[place - first] is not None:
                raise self._failed(f"answered with the id {place!r}, which is not that of an open question")
            raw[place - first] = self._read_answer(answer)
            missing -= 1
        return raw

    def _line(self, place: int, question: Question) -> str:
        block = question.block
        record = {
            "id": place,
            "tokens": list(block.tokens),
            "draft": block.draft.tolist(),
            "target": block.target.tolist(),
            "uniforms": list(question.uniforms),
        }
        if block.memory is not None:
            record["memory"] = block.memory
        return json.dumps(record) + "\n"

    def _next_answer(self) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=self._timeout)
        except queue.Empty:
            raise self._failed(f"gave no answer for {self._timeout:g} s (does it flush every line?)") from None
        if line is None:
            assert self._process is not None
            try:
                status = f"with status {self._process.wait(timeout=self._timeout)}"
            except subprocess.TimeoutExpired:
                status = "its output"
            raise self._failed(f"ended {status} before it had answered")
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise self._failed(f"answered with a line that is no JSON object: {line.strip()[:80]!r}")
        # A field that is null says nothing: so serialisers of many languages write what is not there.
        return {name: value for name, value in answer.items() if value is not None}

    def _read_answer(self, answer: dict[str, Any]) -> Any:
        if "error" in answer:
            return RuntimeError(str(answer["error"]))
        if "accepted" not in answer or ("next_token" not in answer and "law" not in answer):
            raise self._failed(f"answered without accepted and next_token or law: {json.dumps(answer)[:80]}")
        if "law" in answer:
            return answer["accepted"], answer["law"]
        memory = answer.get("memory")
        self._remembers = self._remembers or memory is not None
        return answer["accepted"], answer["next_token"], memory

    def _failed(self, what: str) -> CouldNotRun:
        self.close()
        said = f"; its last words: {self._errors[-1]}" if self._errors else ""
        return CouldNotRun(f"the program {self.command[0]!r} {what}{said}")

    def close(self) -> None:
        """End the program: its input is closed first, then it is killed if it does not leave."""
        process, self._process = self._process, None
        if process is None:
            return
        self._outgoing.put(None)
        try:
            process.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
