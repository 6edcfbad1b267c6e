"""Runs the viewer's pure modules: in Node where there is one, else in the browser, else the test is skipped (conftest says why)."""

from __future__ import annotations

import contextlib
import json
import pathlib
import shutil
import subprocess
from typing import Any

import pytest

VIEWER = pathlib.Path(__file__).parents[2] / "assets" / "viewer"


def call(request: pytest.FixtureRequest, module: str, body: str, payload: Any) -> Any:
    """The value of `body`, an async function's body in which `m` is the module and `payload` the given value."""
    if node := shutil.which("node"):
        url = (VIEWER / module).as_uri()
        code = (
            "let text = ''; for await (const chunk of process.stdin) text += chunk;"
            f"const m = await import({url!r}); const payload = JSON.parse(text);"
            f"const out = await (async () => {{ {body} }})(); console.log(JSON.stringify(out));"
        )
        done = subprocess.run(
            [node, "--input-type=module", "-e", code],
            input=json.dumps(payload),
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)
    from tests.viewer.serve import make_server
    from tests.viewer.servers import running

    browser = request.getfixturevalue("chromium")
    with running(make_server()) as host, contextlib.closing(browser.new_page()) as page:
        root = f"{host}/assets/viewer"
        page.goto(f"{root}/viewer.css")
        code = f"const out = await (async () => {{ {body} }})(); return JSON.stringify(out);"
        return json.loads(
            page.evaluate(f"async (payload) => {{ const m = await import('{root}/{module}'); {code} }}", payload)
        )
