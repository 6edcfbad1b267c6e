"""The HTML document: what its scripts may do, what is loaded early, and no mention of third parties.

Gradio's document has a few inline scripts. Instead of allowing every inline script, each is hashed here and allowed by its
hash. 'unsafe-eval' is needed because Gradio's HTML component builds functions from strings; inline styles because its
components set them.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import os
import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from specdemo.server.files import BrowserFiles

INLINE_SCRIPT = re.compile(r"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.DOTALL)
# Gradio's own preview pictures and addresses, for other people's pages.
SOCIAL_META = re.compile(r'\s*<meta\s+(?:property="og:|name="twitter:)[^>]*/>')

# The name of a Space as the hub sets it: owner/name.
SPACE_ID = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)
# Spaces show an app inside a frame of these.
FRAME_ANCESTORS = "'self' https://huggingface.co https://*.huggingface.co https://*.hf.space"


def content_security_policy(document: str) -> str:
    """The policy under which this document's own inline scripts run, and nothing from any other host loads."""
    scripts = INLINE_SCRIPT.findall(document)
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    rules = {
        "default-src": "'self'",
        "script-src": " ".join(["'self'", "'unsafe-eval'", *(f"'sha256-{value}'" for value in dict.fromkeys(hashes))]),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": FRAME_ANCESTORS,
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


class DocumentMiddleware:
    """Rewrites HTML answers: policy, early loading of the viewer's files, compression."""

    def __init__(self, app: ASGIApp, files: BrowserFiles) -> None:
        self._app = app
        viewer = [name for name in files.names() if name.startswith("viewer/")]
        # The folders below it belong to pages that are opened later.
        self._modules = "".join(
            f'<link rel="modulepreload" href="{files.base}{name}" />'
            for name in viewer
            if name.endswith(".js") and name.count("/") == 1
        )
        self._styles = "".join(
            f'<link rel="stylesheet" href="{files.base}{name}" />' for name in viewer if name.endswith(".css")
        )
        space = os.environ.get("SPACE_ID", "")
        # Links that are copied inside the hub's frame lead back into it.
        self._space = f'<meta name="specdemo-space" content="{space}" />' if SPACE_ID.fullmatch(space) else ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on; hold an HTML answer back until it is whole."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        start: Message | None = None
        body = b""

        async def rewrite(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                if Headers(scope=message).get("content-type", "").startswith("text/html"):
                    start = message
                    return
            elif start is not None and message["type"] == "http.response.body":
                body += message.get("body", b"")
                if message.get("more_body", False):
                    return
                await self._send(start, body, scope, send)
                return
            await send(message)

        await self._app(scope, receive, rewrite)

    async def _send(self, start: Message, body: bytes, scope: Scope, send: Send) -> None:
        text = SOCIAL_META.sub("", body.decode())
        base = re.search(r"<base [^>]*>", text)
        if base:
            text = text[: base.end()] + self._modules + text[base.end() :]
        # After Gradio's own styles, so that they are the ones to yield.
        text = text.replace("</head>", f"{self._styles}{self._space}</head>", 1)
        content = text.encode()
        headers = MutableHeaders(scope=start)
        headers["Content-Security-Policy"] = content_security_policy(text)
        headers["Cache-Control"] = "no-cache"
        headers.add_vary_header("Accept-Encoding")
        if "gzip" in Headers(scope=scope).get("accept-encoding", ""):
            content = gzip.compress(content, 6)
            headers["Content-Encoding"] = "gzip"
        if scope["method"] != "HEAD":
            headers["Content-Length"] = str(len(content))
        await send(start)
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else content})
