"""Two threads that need the models' libraries first: one imports them, the other waits, and neither is told that a name does not exist."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import json, sys, threading
from specdemo.pages import libraries
from specdemo.pages.lab_answers import plan
from specdemo.pages.models import Models

asked = {"pair": "stories", "drafts": ["192"], "tasks": ["verse"], "rules": ["token"], "gammas": [4]}
answers = []
with libraries._lock:  # as if another thread were in the middle of importing
    planning = threading.Thread(target=lambda: answers.append(json.loads(plan(json.dumps(asked)))))
    planning.start()
    loading = Models(load=lambda *_, **__: "a pair", fetch=lambda *_, **__: None).start("stories", "192")
    planning.join(1.0)
    assert not answers and not loading.ready and "transformers" not in sys.modules
planning.join()
assert answers[0]["cells"] == 8 and loading.pair() == "a pair" and "transformers" in sys.modules
"""


@pytest.mark.slow
def test_libraries_are_imported_by_one_thread_at_a_time() -> None:
    found = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120)
    assert found.returncode == 0, found.stderr
