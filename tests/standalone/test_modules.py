"""The viewer's modules as one script: what is read, what is refused, and that importing and the script do the same."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from specdemo.standalone.modules import script_of

FILES = {
    "main.js": """import { double as twice, LIST } from "./deep/math.js";
import { log } from "./log.js";
log(`${twice(LIST[1])}`);
print(said);
""",
    "deep/math.js": """import { log, said } from "../log.js";
log("math");
export const ONE = 1, LIST = [ONE, 21];
export function double(x) {
  return x * 2;
}
""",
    "log.js": """export const said = [];
export const log = (word) => said.push(word);
log('log');
export class Unused {}
""",
}


def write(folder: Path, **changes: str) -> Path:
    for name, text in {**FILES, **{name.replace("__", "/") + ".js": text for name, text in changes.items()}}.items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text(text)
    return folder


def test_modules_run_once_each_and_the_imported_ones_first(tmp_path: Path) -> None:
    script = script_of(write(tmp_path), "main.js")
    assert [line for line in script.splitlines() if line.startswith("// ")] == [
        "// log.js",
        "// deep/math.js",
        "// main.js",
    ]
    assert 'const { double: twice, LIST } = modules["deep/math.js"];' in script
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node here")
    program = f"const print = (list) => console.log(list.join()); const said = [];\n{script.replace('print(said)', 'print(modules[`log.js`].said)')}"
    done = subprocess.run([node, "-e", program], capture_output=True, text=True, timeout=60)
    # `said` is not asked for by main.js: it is what math.js imports.
    assert done.stdout.strip() == "log,math,42", done.stderr


def test_the_same_files_make_the_same_script(tmp_path: Path) -> None:
    first = script_of(write(tmp_path / "a"), "main.js")
    assert script_of(write(tmp_path / "b"), "main.js") == first
    assert script_of(write(tmp_path / "b", log="export const said = [], log = () => 0;\n"), "main.js") != first


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ('import log from "./log.js";', "import log from"),
        ('import * as log from "./log.js";', "import \\* as"),
        ('import "./log.js";', 'import "./log.js"'),
        ('import { log } from "lodash";', 'from "lodash"'),
        ("export default 1;", "export default"),
        ("export let count = 0;", "export let"),
        ('export { log } from "./log.js";', "export {"),
        ('export * from "./log.js";', "export \\*"),
        ('const late = () => import("./log.js");', "import\\("),
        ("const here = import.meta.url;", "import.meta"),
        ('const end = "</script>";', "</script"),
        ('const begin = "<!-- ";', "<!--"),
        ('import { back } from "./main.js";\nexport const log = 0;', "log.js → main.js → deep/math.js → log.js|circle"),
    ],
)
def test_what_is_not_understood_is_an_error_that_names_the_module(tmp_path: Path, source: str, says: str) -> None:
    with pytest.raises(ValueError, match=says) as error:
        script_of(write(tmp_path, log=source), "main.js")
    assert "log.js" in str(error.value)


def test_a_type_in_a_comment_is_no_import(tmp_path: Path) -> None:
    kept = 'export const said = /** @type {import("./x.js").X} */ ([]), log = (word) => said.push(word);\n'
    assert 'import("./x.js")' in script_of(write(tmp_path, log=kept), "main.js")


def test_comments_stay_behind_and_code_does_not(tmp_path: Path) -> None:
    source = """/**
 * What it is. @param {any} x
 */
  // a line
export const a = 1; // behind code
/** @type {any} */ (globalThis).b = "// text";
  /* one */
export const c = [
  /** @type {any} */ (a), // two
  // three
  "/* no comment */",
];
/* four */ export_ = 5; /* five
six */
"""
    (tmp_path / "a.js").write_text(source, encoding="utf-8")
    script = script_of(tmp_path, "a.js")
    kept = [
        'const a = 1; // behind code', '/** @type {any} */ (globalThis).b = "// text";', "const c = [", "  /** @type {any} */ (a), // two",
        '  "/* no comment */",', "];", "/* four */ export_ = 5; /* five", "six */",
    ]  # fmt: skip
    assert script.split("(() => {\n")[1].split("\nreturn")[0].split("\n") == kept
