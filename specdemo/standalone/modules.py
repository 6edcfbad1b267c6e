"""The viewer's ES modules as one classic script.

Browsers refuse to import modules from disk, and modules at data: or blob: addresses would need import maps and a wider policy. So
each module becomes a function that is called once, the imported ones first, and returns what others import from it. Only the
forms that the viewer is written in are read; anything else is an error, never a guess. Comments, a seventh of all, stay behind.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

IMPORT = re.compile(r'^import \{([^{}]+)\} from "(\.[^"\n]+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:const|function|async function|class)\b)", re.MULTILINE)
ALIAS = re.compile(r"(\w+) as (\w+)")
# Forms whose meaning a function would change: other imports and exports, bindings that change later, a module's own address.
UNREAD = re.compile(r"^(?:import|export)\b.*$|\bimport\s*\(|\bimport\.meta\b", re.MULTILINE)
TYPES = re.compile(r"/\*.*?\*/", re.DOTALL)  # comments, where a type may be called import("…")
# Lines that are comments and nothing else; a comment that code follows stays, for the code would go with it.
COMMENTS = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/[ \t]*)\n", re.DOTALL | re.MULTILINE)
# In a script of an HTML document these begin or end more than a string.
UNSAFE = re.compile(r"</script|<script|<!--", re.IGNORECASE)


def script_of(folder: Path, entry: str) -> str:
    """One script that does what importing the module `entry` of `folder` does; the same files give the same text.

    Raises ValueError, naming the module, where a form is not read, where modules import each other in a circle, or where the text
    could not stand in an HTML document.
    """
    sources: dict[str, str] = {}
    wanted: dict[str, set[str]] = {}
    _read(folder, entry, sources, wanted, ())
    parts = [
        f"// {name}\nmodules[{_quoted(name)}] = (() => {{\n{source}\nreturn {{ {', '.join(sorted(wanted[name]))} }};\n}})();\n"
        for name, source in sources.items()
    ]
    return '"use strict";\n{\nconst modules = {};\n' + "".join(parts) + "}\n"


def _read(
    folder: Path, name: str, sources: dict[str, str], wanted: dict[str, set[str]], above: tuple[str, ...]
) -> None:
    """Puts a module's text, and before it those of the modules it imports, into `sources`; what is imported from it into `wanted`."""
    if name in above:
        raise ValueError(f"{' → '.join([*above[above.index(name) :], name])}: modules import each other in a circle")
    if name in sources:
        return
    source = (folder / name).read_text(encoding="utf-8")
    wanted.setdefault(name, set())

    def bound(match: re.Match[str]) -> str:
        other = posixpath.normpath(posixpath.join(posixpath.dirname(name), match[2]))
        _read(folder, other, sources, wanted, (*above, name))
        names = [part.strip() for part in match[1].split(",") if part.strip()]
        wanted[other] |= {ALIAS.sub(r"\1", part) for part in names}
        pattern = ", ".join(ALIAS.sub(r"\1: \2", part) for part in names)
        return f"const {{ {pattern} }} = modules[{_quoted(other)}];"

    source = EXPORT.sub("", IMPORT.sub(bound, source))
    if found := UNREAD.search(TYPES.sub("", source)):
        raise ValueError(f"{name}: {found[0]!r} is not read")
    if found := UNSAFE.search(source):
        raise ValueError(f"{name}: {found[0]!r} cannot stand in an HTML document")
    sources[name] = COMMENTS.sub("", source).rstrip("\n")


def _quoted(name: str) -> str:
    return f'"{name}"'
