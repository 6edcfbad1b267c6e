"""The pages, in the order of their tabs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from specdemo.pages import audit, compare, lab, learn, sandbox, step
from specdemo.pages.context import Context


@dataclass(frozen=True)
class Page:
    """One tab: its id is page-`name`; `build` is called inside it and adds its components."""

    name: str
    title: str
    build: Callable[[Context], None]


PAGES: tuple[Page, ...] = (
    Page("step", "Step", step.build),
    Page("compare", "Compare", compare.build),
    Page("lab", "Lab", lab.build),
    Page("sandbox", "Sandbox", sandbox.build),
    Page("audit", "Audit", audit.build),
    Page("learn", "Learn", learn.build),
)
