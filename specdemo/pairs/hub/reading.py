"""The tokenizer of a model that a visitor named: looked up here, run in a process of its own that is ended when it takes too long.

A chat template is a program, and a tokenizer's regular expressions are as good as one. transformers renders templates in jinja's sandbox,
which keeps them from files and from Python, but not from looping: a range has 100,000 numbers at most, two within each other come to
10¹⁰. So prompts are read in another process (process.py), each within PROMPT_SECONDS.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from specdemo.pairs.errors import PairUnavailable

# Importing PyTorch and transformers takes three, and a minute where others want the processor too.
START_SECONDS = 180.0
PROMPT_SECONDS = 5.0
MOST_ANSWER = 64_000_000
_ROOT = Path(__file__).resolve().parents[3]
TOO_LONG = (
    "the tokenizer or the chat template of this pair has taken more than {seconds:.0f} seconds for this prompt, and was stopped: "
    "use a shorter prompt, plain continuation, or another pair"
)
STARTS = "what reads the prompts of this pair is being started again: try again in a moment"


class Reader:
    """A process that has read the model in a folder, and reads prompts. Safe to use from several threads, and after a fork.

    `facts` is what it counted. Where it had to be ended, another one is started meanwhile; who asks before it is there is told so.
    """

    def __init__(self, folder: Path, repo: str) -> None:
        """Returns when the process is ready. PairUnavailable where it cannot read the folder, or takes longer than START_SECONDS."""
        self._folder, self._repo = folder, repo
        self._lock = threading.RLock()
        self._until = float("inf")
        self._owner = self._here = os.getpid()
        self._starting: threading.Thread | None = None
        self._count = 0
        self._process, self.facts = _started(folder, repo)
        self._end = weakref.finalize(self, _end, self._process, self._owner)

    @property
    def running(self) -> bool:
        """Whether a process is there to answer; in a forked process, which cannot know, it is taken to be."""
        return self._owner != os.getpid() or self._process.poll() is None

    def start(self) -> None:
        """Have a process running, which may take a while. PairUnavailable as above."""
        with self._mine():
            if not self.running:
                self._start()

    def stop(self) -> None:
        """End the process, until `start`."""
        with self._mine():
            self._end()

    @contextlib.contextmanager
    def one_prompt(self) -> Iterator[None]:
        """All that is asked within it comes to one prompt, with PROMPT_SECONDS for all of it."""
        with self._mine():
            self._until = time.monotonic() + PROMPT_SECONDS
            try:
                yield
            finally:
                self._until = float("inf")

    def ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """The process's answer. ValueError in words where it takes too long, or is not there."""
        with self._mine(), _alone(self._folder):
            if not self.running:
                self._start_again()
                raise ValueError(STARTS)
            self._count += 1
            seconds = min(PROMPT_SECONDS, self._until - time.monotonic())
            numbered = {**question, "number": f"{os.getpid()}-{self._count}"}
            answer = _asked(self._process, numbered, seconds, own=self._owner == os.getpid()) if seconds > 0 else None
            if answer is None:
                self._start_again()
                raise ValueError(TOO_LONG.format(seconds=PROMPT_SECONDS))
            return answer

    def _mine(self) -> threading.RLock:
        if self._here != os.getpid():
            # Forked, perhaps while a thread that is not here held the lock. The process is the parent's, and is asked all the same.
            self._here, self._lock = os.getpid(), threading.RLock()
        return self._lock

    def _start(self) -> None:
        process, _ = _started(self._folder, self._repo)
        self._process, self._end = process, weakref.finalize(self, _end, process, self._owner)

    def _start_again(self) -> None:
        if self._owner != os.getpid():
            return  # the parent does, when it is next asked
        self._end()
        if self._starting is None or not self._starting.is_alive():
            self._starting = threading.Thread(target=self._start_quietly, name=f"tokenizer {self._repo}", daemon=True)
            self._starting.start()

    def _start_quietly(self) -> None:
        with contextlib.suppress(PairUnavailable):  # it is tried again when somebody asks
            self._start()


class BoundedTokenizer:
    """A tokenizer of transformers as far as pairs use one. Its tables are looked up here; texts go to the reader's process."""

    _LOOKED_UP = frozenset({
        "get_vocab", "all_special_ids", "all_special_tokens", "added_tokens_decoder", "backend_tokenizer", "convert_ids_to_tokens", "is_fast",
        "chat_template", "bos_token_id", "eos_token_id",
    })  # fmt: skip

    def __init__(self, tokenizer: Any, reader: Reader, held: object = None) -> None:
        """`held` is kept for as long as this is there."""
        self._tokenizer, self._reader, self._held = tokenizer, reader, held

    def __getattr__(self, name: str) -> Any:
        if name not in self._LOOKED_UP:
            raise AttributeError(name)
        return getattr(self._tokenizer, name)

    def one_prompt(self) -> contextlib.AbstractContextManager[None]:
        """See `Reader.one_prompt`."""
        return self._reader.one_prompt()

    def __call__(self, text: str, **settings: Any) -> Any:
        """The ids of a text, and where they lie in it if that is asked for. ValueError where the tokenizer fails or takes too long."""
        found = self._reader.ask({"text": text, "settings": settings})
        if "error" in found:
            raise ValueError(f"the tokenizer of this pair fails on this prompt ({found['error']}): use another pair")
        return SimpleNamespace(**found)

    def apply_chat_template(self, messages: list[dict[str, str]], **settings: Any) -> str:
        """The rendered text. jinja2.TemplateError where the template fails in any way, ValueError where it takes too long."""
        from jinja2 import TemplateError

        found = self._reader.ask({"messages": messages, "settings": settings})
        if "error" in found:
            raise TemplateError(found["error"])
        return str(found["text"])


def _started(folder: Path, repo: str) -> tuple[subprocess.Popen[bytes], dict[str, Any]]:
    # Offline, without the operator's tokens, and with one thread: it has nothing to fetch and little to do.
    environment = {name: value for name, value in os.environ.items() if "TOKEN" not in name.upper()}
    environment |= {
        "HF_HUB_OFFLINE": "1",
        "TOKENIZERS_PARALLELISM": "false",
        "OMP_NUM_THREADS": "1",
        "CUDA_VISIBLE_DEVICES": "",
    }
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (str(_ROOT), environment.get("PYTHONPATH"))))
    process = subprocess.Popen(
        [sys.executable, "-m", "specdemo.pairs.hub.process", str(folder.resolve())],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
    )  # fmt: skip
    facts = _asked(process, None, START_SECONDS)
    if facts is None or "error" in facts:
        _end(process, os.getpid())
        reason = f"it takes more memory than it may, or more than {START_SECONDS:.0f} seconds"
        if facts:
            reason = facts["error"].replace(str(folder.resolve()), "…")
        raise PairUnavailable(
            f"the configuration or the tokenizer of {repo} cannot be read ({reason}). Choose another model"
        )
    return process, facts


def _asked(
    process: subprocess.Popen[bytes], question: Mapping[str, Any] | None, seconds: float, *, own: bool = True
) -> dict[str, Any] | None:
    """What the process answers; None where it is gone, or has not answered after so many seconds, and then it is gone as well."""
    assert process.stdin is not None and process.stdout is not None
    ended = threading.Timer(seconds, _kill, (process, own))
    ended.daemon = True
    ended.start()
    try:
        if question is not None:
            process.stdin.write(json.dumps(question).encode() + b"\n")
            process.stdin.flush()
        while True:
            answer = json.loads(process.stdout.readline(MOST_ANSWER))
            # One with another number is for somebody who asked in a fork and did not live to read it.
            if question is None or answer.get("number") == question.get("number"):
                return answer if isinstance(answer, dict) else None
    except (OSError, ValueError, AttributeError):  # it has ended, or answers something that is no answer
        _kill(process, own)
        return None
    finally:
        ended.cancel()


def _kill(process: subprocess.Popen[bytes], own: bool = True) -> None:
    if own:
        process.kill()
    else:
        with contextlib.suppress(OSError):
            os.kill(process.pid, signal.SIGKILL)


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    if os.getpid() != owner:  # in a process that was forked: it is the parent's
        return
    process.kill()
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            assert pipe is not None
            pipe.close()
    process.wait()


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """While no fork of this process asks the same; a lock of the system's, which ends with whoever holds it."""
    try:
        import fcntl
    except ImportError:  # without such locks there are no forks either
        yield
        return
    handle = os.open(folder / "config.json", os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
