"""The Sandbox's state: two small families of laws, typed by a person, read exactly and bounded. Nothing here trusts its sender."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from specdemo import verifiers
from specdemo.sandbox.numbers import NotAProbability, read_probability
from specdemo.sandbox.words import decimal, fraction_text

LETTERS = "ABCDE"
MOST_SYMBOLS, MOST_GAMMA, MOST_BLOCKS = 5, 4, 256
# A row that misses 1 by no more was copied from a program, and is divided by its sum.
ROUNDING = Fraction(1, 10**9)

Context = Literal["free", "position", "prefix"]
SIDES: tuple[Literal["draft", "target"], ...] = ("draft", "target")
# Longer texts than are read may come, so that the answer can say so at their field.
Row = Annotated[list[Annotated[str, Field(max_length=1000)]], Field(min_length=2, max_length=MOST_SYMBOLS)]
Levels = Annotated[list[Annotated[list[Row], Field(max_length=MOST_BLOCKS)]], Field(max_length=MOST_GAMMA)]
ExactLevels = list[list[list[Fraction]]]


class RequestError(ValueError):
    """A question that cannot be answered; its text is for the person at the page."""


class Strict(BaseModel):
    """No unknown fields, no silent conversions, no NaN."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


M = TypeVar("M", bound=Strict)


def read_as(kind: type[M], text: str) -> M:
    """The question of a kind in a JSON text; RequestError with one readable sentence where it is none."""
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        if first["type"] == "json_invalid":
            raise RequestError("The question is not JSON.") from None
        place = ".".join(str(part) for part in first["loc"]) or "state"
        raise RequestError(f"{place[:100]}: {first['msg'].removeprefix('Value error, ')}.") from None


def known_rule(name: str) -> str:
    """The name of a registered rule or mistake; ValueError otherwise."""
    if len(name) > 100:
        raise ValueError("there is no verifier of so long a name")
    return verifiers.get(name).name


class State(Strict):
    """What is typed: levels of rows of texts for draft and target, and the two rules that are shown. See docs/sandbox.md."""

    symbols: int = Field(ge=2, le=MOST_SYMBOLS)
    gamma: int = Field(ge=1, le=MOST_GAMMA)
    context: Context
    draft: Levels
    target: Levels
    # A list in JSON: pydantic's strictness is about Python values.
    rules: Annotated[
        tuple[Annotated[str, AfterValidator(known_rule)], Annotated[str, AfterValidator(known_rule)]],
        Field(strict=False),
    ]

    @model_validator(mode="after")
    def _shaped(self) -> State:
        check_size(self.symbols, self.gamma)
        wanted = shape_of(self.context, self.symbols, self.gamma)
        for side in SIDES:
            levels: list[list[list[str]]] = getattr(self, side)
            if [len(level) for level in levels] != wanted:
                raise ValueError(
                    f"{side} has levels of {[len(level) for level in levels]} rows: context {self.context!r} with γ = {self.gamma} has {wanted}"
                )
            if any(len(row) != self.symbols for level in levels for row in level):
                raise ValueError(f"{side} has a row that does not hold {self.symbols} texts, one for each symbol")
        return self


def check_size(symbols: int, gamma: int) -> None:
    """ValueError where there would be more than 256 blocks."""
    if symbols**gamma > MOST_BLOCKS:
        raise ValueError(
            f"{symbols} symbols and γ = {gamma} make {symbols**gamma} blocks: at most {MOST_BLOCKS} can be seen whole"
        )


def shape_of(context: Context, symbols: int, gamma: int) -> list[int]:
    """How many rows each level has: [1], [1, 1, …] or [1, V, V², …]."""
    if context == "free":
        return [1]
    return [1 if context == "position" else symbols**i for i in range(gamma)]


@dataclass(frozen=True)
class Problem:
    """What is wrong with one text (or, with `symbol` None, with the sum of a row), and what would be right."""

    side: str
    level: int
    row: int
    symbol: int | None
    text: str
    message: str

    def to_json(self) -> dict[str, Any]:
        """The problem as a JSON-able record."""
        return asdict(self)


@dataclass(frozen=True)
class Laws:
    """The laws of a valid state as fractions, and the rows that were divided by a sum that missed 1 by rounding."""

    symbols: int
    gamma: int
    context: Context
    draft: ExactLevels
    target: ExactLevels
    normalised: list[dict[str, Any]]


def read_laws(state: State) -> Laws | list[Problem]:
    """The laws that a state's texts mean, or everything that is wrong with them."""
    problems: list[Problem] = []
    normalised: list[dict[str, Any]] = []
    sides: dict[str, ExactLevels] = {side: [] for side in SIDES}
    for side in SIDES:
        for i, level in enumerate(getattr(state, side)):
            rows: list[list[Fraction]] = []
            for j, texts in enumerate(level):
                values, found = _read_row(side, i, j, texts)
                problems += found
                total = sum(values, Fraction(0))
                if not found and total != 1:
                    normalised.append({"side": side, "level": i, "row": j, "sum": float(total)})
                    values = [value / total for value in values]
                rows.append(values)
            sides[side].append(rows)
    return problems or Laws(state.symbols, state.gamma, state.context, sides["draft"], sides["target"], normalised)


def _read_row(side: str, level: int, row: int, texts: list[str]) -> tuple[list[Fraction], list[Problem]]:
    values, problems = [], []
    for symbol, text in enumerate(texts):
        try:
            values.append(read_probability(text))
        except NotAProbability as problem:
            problems.append(Problem(side, level, row, symbol, text[:100], str(problem)))
    if not problems and abs((total := sum(values, Fraction(0))) - 1) > ROUNDING:
        problems.append(Problem(side, level, row, None, fraction_text(total) or decimal(total), _sum_message(total)))
    return values, problems


def _sum_message(total: Fraction) -> str:
    if total == 0:
        return "every symbol has probability 0: the row must sum to 1, so type what at least one of them has"
    off, way = abs(total - 1), "too much" if total > 1 else "missing"
    return f"the row sums to {_both(total)}, which is {_both(off)} {way}: it must sum to 1; type other numbers, or normalise it"


def _both(value: Fraction) -> str:
    """A fraction with its decimal, or the decimal alone where the fraction is unreadable."""
    short, number = fraction_text(value), decimal(value)
    return number if short is None or short == number else f"{short} ({number})"
