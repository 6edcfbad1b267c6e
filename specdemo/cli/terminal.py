"""What a terminal is given: of the texts of models, files and people no character that it obeys instead of showing it."""

from __future__ import annotations

import contextlib
import re
import sys
import unicodedata
from collections.abc import Iterator
from typing import Any, TextIO

# C0 but for line feed and tab, DEL, C1, and what turns the direction of writing (Unicode Standard Annex 9, section 2)
_OBEYED = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_HIDDEN = re.compile(f"[{_OBEYED}]")
# What a library draws a bar of progress with: back to the line's beginning, and a line up.
_MOVES = re.compile(f"(\r|\x1b\\[A)|[{_OBEYED}]")


_SIGNS = {" ": "·", "\n": "⏎", "\t": "⇥", "\r": "␍", "\u00a0": "⍽"}
# Unicode's Default_Ignorable_Code_Point as far as no category below has it, and the blanks that no property names
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff"
    "\u2800\ufffc\U00013441\U00013442\U00016fe4\U0001d159]"
)
# Format characters that draw: the number signs of Arabic, Syriac and Kaithi
_DRAWN = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
# What an emoji draws together with the symbol or digit before it
_EMOJI_PART = re.compile("[\u200d\u20e3\ufe0e\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")


def signs(text: str) -> str:
    r"""A token's text with a sign for each space, and for whatever else draws nothing: those of the page.

    >>> print(signs(" cat"), signs("\u200d"), signs("\u3164\x1b"))
    ·cat ‹U+200D› ‹U+3164›␛
    """
    out, after_symbol = [], False
    for char in text:
        if not (after_symbol and _EMOJI_PART.match(char)):
            after_symbol = unicodedata.category(char)[0] == "S" or char in "0123456789#*‼⁉〰〽"
            char = _sign(char)
        out.append(char)
    return "".join(out)


def _sign(char: str) -> str:
    if char in _SIGNS:
        return _SIGNS[char]
    if ord(char) < 0x20:
        return chr(0x2400 + ord(char))
    shown = char in _DRAWN or (char.isprintable() and not _BLANK.match(char))
    return char if shown else f"‹U+{ord(char):04X}›"


def visible(text: str) -> str:
    r"""`text` with each control character as its escape, the one that JSON has for it: JSON stays the same JSON.

    >>> print(visible("a\x1b[31mb\x07"))
    a\u001b[31mb\u0007
    """
    return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class _Visible:
    """A text stream on which control characters are written as escapes; everything else is the stream's own."""

    def __init__(self, stream: TextIO) -> None:
        self.bare = stream

    def write(self, text: str) -> int:
        self.bare.write(visible(text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.bare, name)


class _WithBars(_Visible):
    def write(self, text: str) -> int:
        self.bare.write(_MOVES.sub(lambda found: found[1] or visible(found[0]), text))
        return len(text)


@contextlib.contextmanager
def visible_streams() -> Iterator[None]:
    """Meanwhile what is printed, to standard output and error, shows its control characters."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (_Visible(stream) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


@contextlib.contextmanager
def bars_drawn() -> Iterator[None]:
    """Meanwhile a library may draw its bars of progress on standard error."""
    before = sys.stderr
    sys.stderr = _WithBars(_bare(before))
    try:
        yield
    finally:
        sys.stderr = before


def print_painted(text: str, stream: TextIO | None = None, end: str = "\n") -> None:
    """Print a text whose escape codes are this program's own: whatever is foreign in it has gone through `visible`."""
    print(text, end=end, file=_bare(stream or sys.stdout), flush=True)


def _bare(stream: TextIO) -> TextIO:
    return stream.bare if isinstance(stream, _Visible) else stream
