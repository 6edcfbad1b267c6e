"""Where a subject raised: the line of its own code, not of a library's or ours."""

from __future__ import annotations

import traceback
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
_STANDARD_LIBRARY = Path(traceback.__file__).parent


def raised_at(error: BaseException) -> str:
    """The last line of the subject's own as " (engine.py:12)"; "" where it has none, as on a call with the wrong arguments."""
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_its_own(frame.filename)]
    return f" ({Path(own[-1].filename).name}:{own[-1].lineno})" if own else ""


def _is_its_own(file: str) -> bool:
    foreign = "site-packages" in file or any(Path(file).is_relative_to(p) for p in (_PACKAGE, _STANDARD_LIBRARY))
    return not file.startswith("<") and not foreign
