"""specdemo: speculative decoding, taken apart. See README.md.

Importing this package needs numpy only; models (torch, transformers) and the page (gradio) are imported where they are used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from specdemo import transport, verifiers

__version__ = "0.1.0"

if TYPE_CHECKING:
    from specdemo.auditor import AuditReport, assert_lossless, audit
    from specdemo.decoding import decode, decode_run, speculative_decode
    from specdemo.pairs import Pair, load_pair

_LAZY = {
    "AuditReport": "specdemo.auditor",
    "assert_lossless": "specdemo.auditor",
    "audit": "specdemo.auditor",
    "decode": "specdemo.decoding",
    "decode_run": "specdemo.decoding",
    "speculative_decode": "specdemo.decoding",
    "Pair": "specdemo.pairs",
    "load_pair": "specdemo.pairs",
}

__all__ = [
    "AuditReport",
    "Pair",
    "__version__",
    "assert_lossless",
    "audit",
    "decode",
    "decode_run",
    "load_pair",
    "speculative_decode",
    "transport",
    "verifiers",
]


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        import importlib

        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'specdemo' has no attribute {name!r}")
