"""The addresses this app answers, seen from its own root."""

from __future__ import annotations

from starlette.types import Scope

PREFIX = "specdemo"
# The questions a page asks of its functions: API_PREFIX/NAME.
API_PREFIX = "specdemo-api"
# Runs and measurements, whose answers are streams: RUN_PREFIX/NAME.
RUN_PREFIX = "specdemo-run"
# How the session of such a stream begins, within this process.
STREAM = "stream-"
# Questions that hold more than others, in bytes: a person's own prompts; the rows of a sweep, some 5,000 bytes each.
LARGER = {"lab-plan": 1_000_000, "lab-summary": 8_100_000}
# Of these so many may be open at once: of one visitor, and in all (crowd.py).
CROWDED = {"lab-summary": (2, 6)}


def path_of(scope: Scope) -> str:
    """The path below the app's own root, whatever it is mounted under.

    >>> path_of({"path": "/demo/healthz", "root_path": "/demo"}), path_of({"path": "/healthz"})
    ('/healthz', '/healthz')
    """
    path, root = scope["path"], scope.get("root_path", "").rstrip("/")
    return path[len(root) :] or "/" if root and (path + "/").startswith(root + "/") else path
