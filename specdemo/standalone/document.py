"""The page around the viewer's script: everything inline, and a policy under which nothing is fetched and no other script runs.

A file is a template and a record after it. The record is the text of the last element, which no script is made of, so that
appending it is all there is to do, here (`filled`) as in the browser (assets/viewer/save_html.js).
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from specdemo.standalone.json_text import script_json
from specdemo.standalone.modules import UNSAFE, script_of

VIEWER = Path(__file__).resolve().parents[2] / "assets" / "viewer"
CLOSING = "</script>\n"


@dataclass(frozen=True)
class Page:
    """What a page is made of: its module, its styles in their order, and its title; files relative to assets/viewer."""

    entry: str
    styles: tuple[str, ...]
    title: str


_COMMON = ("viewer.css", "pictures.css", "teacher/teacher.css")
_SAVED = ("standalone/standalone.css", "standalone/print.css")
PAGES = {
    "step": Page("standalone/step.js", (*_COMMON, *_SAVED), "specdemo: a saved run"),
    "sandbox": Page(
        "standalone/sandbox.js",
        (*_COMMON, "compare/measure.css", "sandbox/sandbox.css", "sandbox/sandbox_pictures.css", *_SAVED),
        "specdemo: a saved state of the Sandbox",
    ),
    "lab": Page(
        "standalone/lab.js",
        (*_COMMON, "compare/measure.css", "lab/lab.css", *_SAVED),
        "specdemo: a saved sweep of the Lab",
    ),
}

# Where no script runs, or one that is too new for the browser, these words stay.
_DOCUMENT = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="specdemo {version}, viewer {viewer}">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>
{style}</style>
</head>
<body class="sd-saved">
<div id="viewer" data-state="loading"><p>{title}. Open this file in a current browser, with JavaScript: previews do not run it.</p></div>
<script>{script}</script>
<script type="application/json" id="record">"""


def template(page: str, viewer: Path = VIEWER) -> str:
    """The page "step", "sandbox" or "lab" up to where its record begins; `viewer` is the folder assets/viewer.

    Raises ValueError where the viewer's files cannot be made one (modules.py), OSError where they are missing.
    """
    from specdemo import __version__

    parts = PAGES[page]
    script = script_of(viewer, parts.entry)
    style = "".join((viewer / name).read_text(encoding="utf-8") for name in parts.styles)
    if UNSAFE.search(style) or "</style" in style.lower():
        raise ValueError(f"the styles of {page} cannot stand in an HTML document")
    digest = hashlib.sha256(script.encode())
    return _DOCUMENT.format(
        policy=_policy(base64.b64encode(digest.digest()).decode()),
        version=__version__,
        viewer=digest.hexdigest()[:16],
        title=parts.title,
        style=style,
        script=script,
    )


def filled(page_template: str, record: dict[str, Any]) -> str:
    """The file: a template and its record. Raises ValueError where the record holds what a browser cannot (json_text.py)."""
    return f"{page_template}{script_json(record)}{CLOSING}"


def _policy(script_hash: str) -> str:
    rules = {
        "default-src": "'none'",
        "script-src": f"'sha256-{script_hash}'",
        "style-src": "'unsafe-inline'",
        "img-src": "data: blob:",  # pictures on their way into a PNG file
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())
