"""What a browser may ask the lab to measure: a grid, and how much of it. What is refused here the command line does without a bound."""

from __future__ import annotations

import shlex
from typing import Annotated, Any

from pydantic import AfterValidator, Field, model_validator

from specdemo.cli.lab_options import ALL
from specdemo.lab.sweep_cells import Grid, PairIdentity
from specdemo.lab.tasks import MOST_OWN_PROMPTS, Mode, Task, read_own
from specdemo.lab.tasks import get as known_task
from specdemo.lab.tasks import names as task_names
from specdemo.pages.libraries import import_libraries
from specdemo.pages.request import LIMITS, RequestError, Strict, read_as
from specdemo.pairs import registry
from specdemo.pairs.registry import PairEntry
from specdemo.sentences import sentence

_CELLS, _TOKENS = LIMITS["lab_cells"], LIMITS["lab_tokens"]
_GAMMA, _MINUTES = LIMITS["gamma"], LIMITS["lab_minutes"]
OWN_FILE = "my-prompts.txt"

# Tuples from JSON lists: pydantic's strictness is about Python values, JSON has no tuples.
Names = Annotated[tuple[Annotated[str, Field(max_length=200)], ...], Field(max_length=40, strict=False)]
Gammas = Annotated[
    tuple[Annotated[int, Field(ge=_GAMMA[0], le=_GAMMA[1])], ...], Field(min_length=1, max_length=8, strict=False)
]
Temperatures = Annotated[
    tuple[Annotated[float, Field(ge=0, le=5)], ...], Field(min_length=1, max_length=6, strict=False)
]
TopKs = Annotated[
    tuple[Annotated[int, Field(ge=0, le=1_000_000)], ...], Field(min_length=1, max_length=4, strict=False)
]
TopPs = Annotated[tuple[Annotated[float, Field(gt=0, le=1)], ...], Field(min_length=1, max_length=4, strict=False)]
Key = Annotated[str, Field(pattern=r"^[0-9a-f]{24}$")]


def _some(names: tuple[str, ...]) -> tuple[str, ...]:
    if not names:
        raise ValueError("choose at least one")
    return names


def _exact(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)


def _as_path(name: str) -> str:
    """A file's name as the command line takes it: no option, and no task of the project."""
    return f"./{name}" if name.startswith("-") or name == ALL or name in task_names() else name


class OwnPrompts(Strict):
    """A person's own prompts: a pasted text (no file name: one a line) or a file's content."""

    content: str = Field(max_length=LIMITS["lab_own_characters"])
    filename: str | None = Field(None, max_length=300)
    mode: Mode = "text"


class LabGrid(Strict):
    """What is varied, for one pair."""

    pair: str = Field(max_length=200)
    drafts: Annotated[Names, AfterValidator(_some)]
    tasks: Names = ()
    own: OwnPrompts | None = None
    rules: Annotated[Names, AfterValidator(_some)]
    gammas: Gammas
    temperatures: Temperatures = (1.0,)
    top_ks: TopKs = (0,)
    top_ps: TopPs = (1.0,)
    seed: int = Field(0, ge=0, le=2**53 - 100)
    seeds: int = Field(1, ge=1, le=20)
    prompts: int = Field(8, ge=1, le=MOST_OWN_PROMPTS)
    max_new_tokens: int = Field(64, ge=LIMITS["max_new_tokens"][0], le=LIMITS["max_new_tokens"][1])

    @property
    def entry(self) -> PairEntry:
        """The registered pair; ValueError where it or one of the drafts is not registered: strangers do not choose what is loaded."""
        entry = registry.get(self.pair)
        for draft in self.drafts:
            if draft not in entry.drafts:
                raise RequestError(registry.no_draft(entry, draft))
        return entry

    def chosen_tasks(self) -> tuple[Task, ...]:
        """The tasks in the order asked for, own prompts last; ValueError naming the line of own prompts that is wrong."""
        found = [known_task(name) for name in self.tasks]
        if self.own is not None:
            found.append(read_own(self.own.content, self.own.filename, mode=self.own.mode))
        if not found:
            raise RequestError(sentence("lab_no_task"))
        modes = self.entry.prompt_modes
        for task in found:
            if task.mode not in modes:
                raise RequestError(sentence("lab_no_template", task=task.title, pair=self.entry.title))
        return tuple(found)

    def grid(self) -> Grid:
        """The grid; ValueError in words where something is wrong."""
        import_libraries()  # a grid checks its numbers by what decodes
        return Grid(
            tasks=self.chosen_tasks(), rules=self.rules, gammas=self.gammas, temperatures=self.temperatures, top_ks=self.top_ks,
            top_ps=self.top_ps, seeds=tuple(range(self.seed, self.seed + self.seeds)), prompts=self.prompts, max_new_tokens=self.max_new_tokens,
        )  # fmt: skip

    def cells_of(self, grid: Grid) -> int:
        """How many cells the grid has."""
        texts = sum(min(grid.prompts, len(task.prompts)) for task in grid.tasks)
        conditions = len(grid.gammas) * len(grid.temperatures) * len(grid.top_ks) * len(grid.top_ps)
        return texts * conditions * len(self.drafts) * len(grid.seeds)

    def tokens_of(self, grid: Grid) -> int:
        """How many tokens are decoded at most, in all lanes, plain decoding's among them."""
        return self.cells_of(grid) * (len(self.rules) + 1) * self.max_new_tokens

    def too_much(self, grid: Grid) -> str | None:
        """Why the page does not measure so much, and the command that does; None where it does."""
        cells, tokens = self.cells_of(grid), self.tokens_of(grid)
        if cells <= _CELLS and tokens <= _TOKENS:
            return None
        if cells > _CELLS:
            return sentence("lab_cells", cells=cells, most=_CELLS)
        return sentence("lab_tokens", tokens=tokens, most=_TOKENS)

    def no_command(self) -> str | None:
        """Why no command line measures the same, in a sentence; None where one does."""
        if self.own is None:
            return None
        if self.own.mode == "chat":
            return sentence("lab_no_command_chat")
        name = self.own.filename or OWN_FILE
        if "," in name:
            return sentence("lab_no_command_comma")
        if name != name.strip() or not name.isprintable():
            return sentence("lab_no_command_name")
        return None

    def command(self) -> str | None:
        """The command line that measures the same; None where there is none (`no_command` says why)."""
        if self.no_command() is not None:
            return None

        def listed(values: tuple[Any, ...]) -> str:
            return ",".join(_exact(value) if isinstance(value, float) else str(value) for value in values)

        own = () if self.own is None else (_as_path(self.own.filename or OWN_FILE),)
        options: dict[str, Any] = {
            "pair": self.pair, "drafts": listed(self.drafts), "tasks": listed((*self.tasks, *own)), "rules": listed(self.rules),
            "gammas": listed(self.gammas), "temperatures": listed(self.temperatures), "prompts": self.prompts, "max-new-tokens": self.max_new_tokens,
        }  # fmt: skip
        if self.top_ks != (0,):
            options["top-ks"] = listed(self.top_ks)
        if self.top_ps != (1.0,):
            options["top-ps"] = listed(self.top_ps)
        if (self.seed, self.seeds) != (0, 1):
            options |= {"seed": self.seed, "seeds": self.seeds}
        words = [f"--{name} {shlex.quote(str(value))}" for name, value in options.items()]
        return " ".join(["python -m specdemo lab", *words])


class LabRequest(LabGrid):
    """A grid to be measured: cells whose key is in `done` are known to who asks, and `seconds` are left of the time allowed."""

    run: str = Field(pattern=r"^[\w-]{1,64}$")
    done: Annotated[tuple[Key, ...], Field(max_length=_CELLS, strict=False)] = ()
    seconds: float = Field(gt=0, le=60 * _MINUTES[1])

    @property
    def draft(self) -> str | None:
        """The first draft, for what every request has."""
        return self.drafts[0]

    @model_validator(mode="after")
    def _bounded(self) -> LabRequest:
        if words := self.too_much(self.grid()):
            raise ValueError(f"{words} {self.command() or self.no_command()}")
        return self


class LabLooked(Strict):
    """What a file of a sweep is looked at for: the cells of a grid, or (None) everything in it; `name` is what errors call it."""

    grid: LabGrid | None = None
    name: str = Field("the file", max_length=300)


def planned_cells(grid: LabGrid, head: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells of a grid as the file holds them, for the models of a file's head; ValueError where that is of another pair."""
    pair, drafts = head["pair"], head["drafts"]
    if pair["name"] != grid.pair:
        raise RequestError(f"these are measurements of the pair {pair['name']!r}, not of {grid.pair!r}")
    kind = pair["device"].split(":")[0]
    identities = [
        PairIdentity(pair["name"], draft, pair["target_revision"], drafts[draft], pair["dtype"], kind)
        for draft in grid.drafts
        if draft in drafts
    ]
    return [cell.to_json() for cell in grid.grid().cells(identities)]


def read_lab_request(text: str) -> LabRequest:
    """The request in a JSON text; RequestError with one readable sentence where it is none."""
    return read_as(LabRequest, text)
