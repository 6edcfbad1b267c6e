"""A real Chromium for screenshots and browser tests, and the app in a process of its own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Chromium's own background requests are off: a page of this project must reach nothing but its server.
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str | None:
    """The path of an installed Chromium, or None."""
    return os.environ.get("SPECDEMO_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def free_port() -> int:
    """A port of the loopback interface nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running_app(seconds: float = 60.0) -> Iterator[str]:
    """The app on a free loopback port, in a process of its own; yields its address once it answers, RuntimeError if it does not."""
    port = free_port()
    environment = os.environ | {"GRADIO_SERVER_PORT": str(port), "HF_HUB_OFFLINE": "1"}
    process = subprocess.Popen(
        [sys.executable, "app.py"], cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until_answering(address, process, seconds)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=20)


def wait_until_answering(address: str, process: subprocess.Popen[bytes], seconds: float) -> None:
    """Return when /healthz answers; RuntimeError with the app's output if its process ends, or after `seconds`."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            output = process.stdout.read().decode() if process.stdout else ""
            raise RuntimeError(f"the app ended with status {process.returncode}:\n{output}")
        try:
            with urllib.request.urlopen(f"{address}/healthz", timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"the app did not answer at {address} within {seconds:g} s")
