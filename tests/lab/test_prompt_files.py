"""Prompts out of somebody's file: what every format gives, that nothing but a sentence with the place comes of a wrong one."""

from __future__ import annotations

import csv
import io
import json
import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as any_of

from specdemo.lab.prompt_files import MOST_BYTES, MOST_CHARACTERS, read_prompt_file
from specdemo.lab.prompt_tables import MOST_COLUMNS, MOST_NESTING

ENDINGS = (".txt", ".csv", ".tsv", ".json", ".jsonl", ".ndjson", "", ".pdf")
quick = settings(max_examples=60, deadline=None, derandomize=True, database=None)
letters = any_of.characters(exclude_characters="\0", exclude_categories=["Cs"])
prompts = any_of.text(letters, min_size=1, max_size=40).filter(lambda text: bool(text.strip()))
nasty = any_of.text(any_of.sampled_from('ab ,;\t"\\{}[]:\r\n\0\ud800\ufeff1e-.'), max_size=60)


def read(content: str | bytes, filename: str | None = None) -> list[str]:
    return list(read_prompt_file(content, filename).prompts)


def wrong(content: str | bytes, filename: str | None = None) -> str:
    with pytest.raises(ValueError) as caught:
        read_prompt_file(content, filename)
    return str(caught.value)


def test_lines_keep_their_spaces_and_only_line_ends_part_them() -> None:
    assert read("one\n\n two \r\nthree\rfour") == ["one", " two ", "three", "four"]
    assert read("a\u2028b\x0bc\x85d") == ["a\u2028b\x0bc\x85d"], "no line ends of a text file"
    assert read('{"prompt": "x"}\n["y"]') == ['{"prompt": "x"}', '["y"]'], "a pasted text is what it is"
    assert read(b"\xef\xbb\xbfna\xc3\xafve\n", "List.TXT") == ["naïve"] == read("\ufeffnaïve")


def test_the_column_of_a_table() -> None:
    assert read("id,Prompt ,note\n1,a,\n\n2,b,x\n", "q.csv") == ["a", "b"]
    assert read("text,prompt\na,b\n", "q.csv") == ["b"] and read("n,TEXT\na,b\n", "q.csv") == ["b"]
    assert read('prompt\n"two\nlines, and ""marks"""\n', "q.csv") == ['two\nlines, and "marks"']
    assert read("prompt;n\na, b;1\n", "q.csv") == ["a, b"] and read("n\tprompt\n1\ta, b\n", "q.tsv") == ["a, b"]
    assert read("n;prompt\r1;a, b\r", "q.csv") == ["a, b"], "line ends of old"
    assert read('"prompt";"n"\n"a";1\n', "q.csv") == ["a"], "another delimiter, and marks round the heading"
    assert read(",question,answer,,\n0,a,b,,\n1,c,d,,\n", "q.csv") == ["a", "c"], (
        "a table with an index and empty columns"
    )
    found = read_prompt_file("question,answer\na,b\n", "q.csv")
    assert found.source == 'from the column "question"'
    assert found.notices == (
        'No column is headed "prompt" or "text": "question" is read, and the first row is taken for the heading.',
    )


def test_json_and_json_lines() -> None:
    rows = ["a", {"prompt": "b", "n": 1}, {"Text": "c"}, {"text": "no", "prompt": "d"}]
    assert read(json.dumps(rows, indent=2), "q.json") == ["a", "b", "c", "d"]
    assert (
        read("\n\r\n".join(map(json.dumps, rows)), "q.jsonl")
        == ["a", "b", "c", "d"]
        == read("\n".join(map(json.dumps, rows)), "q.ndjson")
    )
    assert read('["\\u00e9\\ud83e\\udd8a\\n"]', "q.json") == ["é🦊\n"], "two halves are a character"
    assert read('["\\"' + "[" * 99 + '"]', "q.json") == ['"' + "[" * 99], (
        "brackets behind a quotation mark that is text"
    )
    assert read('{"score": NaN, "n": ' + "9" * 5000 + ', "prompt": "a"}', "q.jsonl") == ["a"]


@pytest.mark.parametrize(
    ("filename", "content", "message"),
    [
        (None, "", "the text is empty: write one prompt a line"),
        ("q.txt", " \n\t\n", "the prompt file 'q.txt' is empty: write one prompt a line"),
        ("C:\\texts\\q.json", "[]", "the prompt file 'q.json' is empty: write"),
        ("q.csv", "", "'q.csv' is empty: write a heading"),
        ("q.csv", "prompt\n\n", '\'q.csv\' has a heading ("prompt") and nothing below it'),
        ("q.pdf", "a", "'q.pdf' is not read: its name should end in .txt, .csv, .tsv, .json, .jsonl"),
        ("q.txt", b"a\r\nb\xe4", "'q.txt', line 2: the byte 0xE4 is not UTF-8: save the file as UTF-8"),
        ("q.txt", b"\xef\xbb\xbfa\rb\r\xe4", "'q.txt', line 3: the byte 0xE4"),
        ("q.txt", "a".encode("utf-16"), "is not UTF-8 text but UTF-16: save it as UTF-8"),
        ("q.csv", b"PK\x03\x04\x14\x00", "but a zip archive or a spreadsheet"),
        ("q.txt", "a\nb\0c", "line 2: a NUL character"),
        (None, "a\r\rb\ud800", "the text, line 3: half a character"),
        ("q.json", '["a", "\\u0000"]', "item 2: the prompt holds a NUL character"),
        ("q.jsonl", '"a"\n"\\ud800b"', "line 2: the prompt holds half a character"),
        ("q.jsonl", '"a"\n" "', "line 2: the prompt is empty"),
        ("q.csv", "n,prompt\n1,a\n2,\n", "line 3: the prompt is empty: write one, or leave the row out"),
        ("q.txt", "a\n" + "b" * (MOST_CHARACTERS + 1), "line 2: the prompt has 20,001 characters, and at most 20,000"),
        ("q.csv", "n,prompt\n1,Hello, world\n", 'line 2: 3 columns where the heading has 2: put a text that has commas'),
        ("q.csv", 'n,prompt\n"1\n2",x\n3\n', 'row 3 (line 4): 1 column, and the prompt is looked for in number 2, "prompt"'),
        ("q.csv", "Prompt,prompt\na,b\n", 'line 1: 2 columns are headed "prompt"'),
        ("q.csv", 'prompt\nab\n"cd', "line 3: no CSV (unexpected end of data)"),
        ("q.csv", 'prompt\n"a"b\n', "line 2: no CSV"),
        ("q.csv", "prompt\n" + "a" * 140_000, "line 2: no CSV (field larger than field limit"),
        ("q.csv", "a" + "," * MOST_COLUMNS, "line 1: 1,001 columns, and at most 1,000 are read"),
        ("q.json", '["a",\n\n"b"\n,,]', "line 4: no JSON (Expecting value at column 2): write"),
        ("q.json", '{"prompts": ["a"]}', "holds an object where a list is wanted"),
        ("q.json", "1" * 5000, "holds a number where a list"),
        ("q.json", '["a", null]', 'item 2: null where a string or an object with a "prompt" is wanted'),
        ("q.json", '[{"prompt": ["a"]}]', 'item 1: the "prompt" is a list, and a string is wanted'),
        ("q.json", '[{"TEXT": true}]', 'item 1: the "TEXT" is true or false'),
        ("q.jsonl", '"a"\n{"q": 1, "z": 2}', 'line 2: an object without a "prompt" or "text": it has "q", "z"'),
        ("q.jsonl", '{"\\ud800": 1}', 'it has "\ufffd"'),
        ("q.jsonl", '"a"\n["b"]', "line 2: a list where one prompt is wanted"),
        ("q.jsonl", '"a"\n{"prompt": ', "line 2: no JSON (Expecting value at column 12)"),
        ("q.jsonl", '"a"\n' + "[" * 40, f"line 2: lists or objects stand more than {MOST_NESTING} deep"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_told_where_and_what_would_be_right(
    filename: str | None, content: str | bytes, message: str
) -> None:
    assert message in wrong(content, filename)


def test_files_are_bounded() -> None:
    assert len(read(f"{'a' * 99}\n" * (MOST_BYTES // 100))) == MOST_BYTES // 100
    for large in ("a" * (MOST_BYTES + 1), b"a" * (MOST_BYTES + 1), "ä" * (MOST_BYTES // 2 + 1)):
        assert f"more than {MOST_BYTES:,} bytes" in wrong(large)
    assert read("b" * MOST_CHARACTERS) == ["b" * MOST_CHARACTERS]
    deep = "[" * (MOST_NESTING - 1) + "]" * (MOST_NESTING - 1)
    assert read(f'[{{"prompt": "{"[" * 99}", "n": {deep[1:-1]}}}]', "q.json") == ["[" * 99]
    assert "deep" in wrong(f'[{{"prompt": "a", "n": {deep}}}]', "q.json")


@pytest.mark.parametrize("piece", ["[", '{"a":', '["\\"', '"', "\\", ",", "\n", '"\n[', "1", '"",'])
@pytest.mark.parametrize("ending", [".csv", ".json", ".jsonl"])
def test_a_large_file_of_any_shape_is_answered_at_once(piece: str, ending: str) -> None:
    """A scan that begins again at every mark would take minutes."""
    content, started = piece * (MOST_BYTES // 5 // len(piece)), time.process_time()
    with suppress(ValueError):
        read_prompt_file(content, f"q{ending}")
    assert time.process_time() - started < 4


def test_repeated_prompts_are_kept_with_a_notice() -> None:
    assert read_prompt_file("a\nb\n").notices == ()
    found = read_prompt_file("a\nb\na\n")
    assert found.prompts == ("a", "b", "a")
    assert found.notices == (
        "1 prompt repeats an earlier one (number 3 is 1 again): all are kept, and errors count each as a text of its own.",
    )
    many = read_prompt_file("a\n" * 900).notices[0]
    assert many.startswith("899 prompts repeat an earlier one (number 2 is 1 again, 3 is 1 again, 4 is 1 again, …)")


def as_csv(texts: list[str], delimiter: str = ",") -> str:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter).writerows([["n", "prompt"], *([str(n), text] for n, text in enumerate(texts))])
    return out.getvalue()


@quick
@given(any_of.lists(prompts, min_size=1, max_size=6), any_of.booleans(), any_of.sampled_from(",;\t"))
def test_what_is_written_is_read(texts: list[str], as_ascii: bool, delimiter: str) -> None:
    written = {
        "q.json": json.dumps(texts, ensure_ascii=as_ascii),
        "q.jsonl": "\n".join(json.dumps({"prompt": text}, ensure_ascii=as_ascii) for text in texts),
        "q.csv": as_csv(texts, delimiter),
        "q.tsv": as_csv(texts, "\t"),
    }
    for filename, content in written.items():
        for form in (content, "\ufeff" + content, content.encode(), content.encode("utf-8-sig")):
            assert read(form, filename) == texts, filename
    flat = [text.translate({10: " ", 13: " "}) + "." for text in texts]
    assert read("\r\n".join(flat).encode("utf-8-sig"), "q.txt") == flat


@quick
@given(any_of.one_of(any_of.text(max_size=60), any_of.binary(max_size=60), nasty), any_of.sampled_from(ENDINGS))
def test_whatever_it_is_it_is_read_or_refused_in_a_sentence(content: str | bytes, ending: str) -> None:
    try:
        found = read_prompt_file(content, f"q{ending}")
    except ValueError as error:
        assert type(error) is ValueError and "prompt file 'q" in str(error)
        str(error).encode()
        assert len(str(error)) < 400
    else:
        assert found.prompts
        for prompt in found.prompts:
            assert prompt.strip() and "\0" not in prompt and len(prompt.encode()) <= 4 * MOST_CHARACTERS


@quick
@given(any_of.text(max_size=300))
def test_a_file_name_is_only_told_in_part(filename: str) -> None:
    message = wrong("", filename)
    message.encode()
    assert message.isprintable() and len(message) < 500
