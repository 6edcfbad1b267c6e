"""A stand-in for the package `spaces` that keeps its rules: a function gets a GPU only in a process forked for it, what crosses the
border is pickled, an exception crosses as its class's name alone (but for Gradio's own), and CUDA in the parent is an error.

In the child there is as much of a GPU as this machine has. Imported by the app as `spaces` where this folder is on the path.
"""

from __future__ import annotations

import functools
import multiprocessing
import pickle
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import gradio as gr
import torch
from gradio.context import LocalContext

_PLAIN = (str, int, float, bool, type(None))
_fork = multiprocessing.get_context("fork")
_really_available = torch.cuda.is_available
in_child = False
# What was asked of the lender: the durations in seconds, and the ids of the processes.
asked: list[int] = []
processes: list[int] = []
# The lender's own refusal of the next call, and how many messages it lets through before it takes the GPU back.
refusal: str | None = None
messages_until_taken_back: int | None = None
# Whether a process that has done its work is asked again.
keep_processes = False
# The token of a visitor who has nothing left of their share.
USED_UP = "used-up"
_kept: list[Any] = []


def _no_cuda_here(*arguments: Any) -> None:
    if not in_child:
        raise RuntimeError("CUDA was touched in the parent process")
    _really_begin()


_really_begin = torch.cuda._lazy_init
torch.cuda._lazy_init = _no_cuda_here
# As the real package has it: a parent believes that there is a GPU.
torch.cuda.is_available = lambda: _really_available() if in_child else True


def GPU(duration: Callable[..., int]) -> Callable[[Any], Any]:
    """The decorator, for generator functions."""

    def decorate(task: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
        @functools.wraps(task)
        def handler(*arguments: Any) -> Iterator[Any]:
            global refusal
            asked.append(duration(*arguments))
            _check_visitor(LocalContext.request.get(None))
            if refusal is not None:
                words, refusal = refusal, None
                raise gr.Error(words)
            yield from _answers(task, pickle.dumps(_plain(arguments)))

        return handler

    return decorate


def _check_visitor(request: Any) -> None:
    """Visitors are known by a header of the request that Gradio runs, where it runs one."""
    if request is not None:
        token = request.headers.get("x-ip-token")
        if not token:
            raise gr.Error("Internal infra error")
        if token == USED_UP:
            raise gr.Error("You have exceeded your GPU quota")


def _plain(value: Any) -> Any:
    parts = value if isinstance(value, tuple) else (value,)
    assert all(type(part) in _PLAIN for part in parts), f"{value!r} is no plain value"
    return value


def _answers(task: Callable[..., Iterator[Any]], arguments: bytes) -> Iterator[Any]:
    process, ours, stop = _kept.pop() if _kept else _forked(task)
    processes.append(process.pid)
    stop.clear()
    ours.send_bytes(arguments)
    ended = False
    passed = 0
    try:
        while True:
            if passed == messages_until_taken_back:
                process.kill()
            try:
                kind, value = pickle.loads(ours.recv_bytes())
            except EOFError:
                raise gr.Error("GPU task aborted") from None
            if kind == "end":
                ended = True
                return
            if kind == "error":
                raise gr.Error(value)
            passed += 1
            yield value
    finally:
        stop.set()
        if ended and keep_processes:
            _kept.append((process, ours, stop))
        else:
            # Reads on until the child has noticed, as the real one does.
            with suppress(EOFError, OSError):
                while not ended and pickle.loads(ours.recv_bytes())[0] not in ("end", "error"):
                    pass
            ours.close()
            process.join(10)


def _forked(task: Callable[..., Iterator[Any]]) -> Any:
    ours, theirs = _fork.Pipe()
    stop = _fork.Event()
    process = _fork.Process(target=_work, args=(task, ours, theirs, stop), daemon=True)
    process.start()
    theirs.close()
    return process, ours, stop


def _work(task: Callable[..., Iterator[Any]], ours: Any, theirs: Any, stop: Any) -> None:
    global in_child
    in_child = True
    ours.close()
    while True:
        try:
            arguments = pickle.loads(theirs.recv_bytes())
        except EOFError:
            return
        try:
            for value in task(*arguments):
                theirs.send_bytes(pickle.dumps(("value", _plain(value))))
                if stop.is_set():
                    break
        except Exception as error:
            theirs.send_bytes(pickle.dumps(("error", type(error).__name__)))
        else:
            theirs.send_bytes(pickle.dumps(("end", None)))
