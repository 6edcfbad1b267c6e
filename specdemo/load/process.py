"""A server in a process of its own on a free port of this machine, and what it has used."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from types import TracebackType

import httpx

START = ("-c", "from specdemo.pages.shell import launch; launch()")
LONGEST_START_SECONDS = 300.0


class ServerProcess:
    """A context manager: started and ready inside it, ended by SIGTERM after it."""

    def __init__(self, command: Sequence[str] = START, environment: dict[str, str] | None = None) -> None:
        self._command, self._environment = command, environment or {}
        self._process: subprocess.Popen[bytes] | None = None
        self.url = ""
        # The exit status after SIGTERM; None before.
        self.status: int | None = None

    def __enter__(self) -> ServerProcess:
        port = _free_port()
        self.url = f"http://127.0.0.1:{port}"
        environment = {
            **os.environ, "GRADIO_SERVER_NAME": "127.0.0.1", "GRADIO_SERVER_PORT": str(port), "HF_HUB_OFFLINE": "1", **self._environment,
        }  # fmt: skip
        self._process = subprocess.Popen([sys.executable, *self._command], env=environment, stdout=subprocess.DEVNULL)
        try:
            self._wait_until_ready()
        except BaseException:
            self._process.kill()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        try:
            self.status = self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self.status = self._process.wait()

    def _wait_until_ready(self) -> None:
        assert self._process is not None
        reason, until = "it does not answer", time.monotonic() + LONGEST_START_SECONDS
        while time.monotonic() < until:
            if self._process.poll() is not None:
                raise RuntimeError(f"the server ended while it was starting, with status {self._process.returncode}")
            try:
                answer = httpx.get(f"{self.url}/readyz", timeout=30)
                if answer.status_code == 200:
                    return
                reason = str(answer.json().get("reason"))
            except (httpx.HTTPError, ValueError):
                pass
            time.sleep(0.2)
        raise RuntimeError(f"the server was not ready within {LONGEST_START_SECONDS:g} seconds: {reason}")

    def memory(self) -> int:
        """Bytes of memory that the process holds (resident set)."""
        assert self._process is not None
        try:
            with open(f"/proc/{self._process.pid}/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except FileNotFoundError:  # no Linux
            told = subprocess.run(["ps", "-o", "rss=", "-p", str(self._process.pid)], capture_output=True, text=True)
            return int(told.stdout) * 1024

    def cpu_seconds(self) -> float | None:
        """Processor time the process has used; None where the system has no /proc."""
        assert self._process is not None
        try:
            with open(f"/proc/{self._process.pid}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except FileNotFoundError:
            return None
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
