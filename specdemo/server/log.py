"""What the log says: a line with the time for each thing that went wrong, and no trace for what a stranger can bring about at will."""

from __future__ import annotations

import logging

# Gradio has begun to answer when it finds that it knows no such run; a restarted server is asked for its old ones.
_UNKNOWN_RUN = "Caught handled exception, but response already started."


class WithoutUnknownRuns(logging.Filter):
    """Lets everything through but the traces of runs that nobody knows any more."""

    def filter(self, record: logging.LogRecord) -> bool:
        """See logging.Filter."""
        error = record.exc_info[1] if record.exc_info else None
        return not (isinstance(error, RuntimeError) and str(error) == _UNKNOWN_RUN)


def begin_logging() -> None:
    """Warnings and worse, and where each pair lies, on standard error."""
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("specdemo.pairs.placement").setLevel(logging.INFO)
    logger = logging.getLogger("uvicorn.error")
    if not any(isinstance(known, WithoutUnknownRuns) for known in logger.filters):
        logger.addFilter(WithoutUnknownRuns())
