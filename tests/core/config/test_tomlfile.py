"""On which line a key of a TOML file stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from modex.core.config.tomlfile import TomlFile, parts_of, read_toml, sections
from modex.core.foundation.errors import ConfigurationError
from tests.rows import each_row

TEXT = '''\
top = 1
[a.b]  # a remark
c = """
[no.header]
c.x = 3
"""
d = { e = 1, "f g" = { h = 2 } }

[ "a.b" ]
c = 5
[[list]]
k = 1
'''


@each_row(
    ("keys", "line"),
    [
        (("top",), 1), (("a", "b"), 2), (("a", "b", "c"), 3), (("a", "b", "d", "e"), 7), (("a", "b", "d", "f g"), 7),
        (("a.b",), 9), (("a.b", "c"), 10), (("list", "k"), 12), (("a", "b", "nowhere"), 2), (("nowhere",), 1),
    ],
)  # fmt: skip
def test_the_line_of_a_key(keys: tuple[str, ...], line: int) -> None:
    assert TomlFile(Path("f"), {}, TEXT).line_of(keys) == line


def test_headers_inside_of_a_text_are_none() -> None:
    assert list(sections(TEXT)) == [(("a", "b"), 2), (("a.b",), 9), (("list",), 11)]
    assert parts_of("a . 'b.c' . \"d\"") == ("a", "b.c", "d")


@each_row(
    ("text", "said"),
    [
        ("a = \n", ":1: Invalid value; correct it"),
        ("a = 1\nb = 2\na = 2\n", ":3: this key stands twice; correct it"),
        ("[x]\n\n[x]\n", ":3: [x] stands twice; correct it"),
        ("[a.b]\nc = 1\n[a.b]\n", ":3: [a.b] stands twice; correct it"),
        ("a = 1\nb = 2\nc = [1,", ":3: Invalid value; correct it"),
        ("a = 1\n\nx", ":3: Expected '=' after a key in a key/value pair; correct it"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_at_the_end_with_the_last(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "f.toml").write_text(text)
    with pytest.raises(ConfigurationError) as refused:
        read_toml(tmp_path / "f.toml", "settings", "MODEX_CONFIG")
    assert str(refused.value).startswith(f"{tmp_path / 'f.toml'}{said}")


def test_a_file_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    found = read_toml(tmp_path / "f.toml", "settings", "MODEX_CONFIG")
    assert (found.values, found.text, found.line_of(("a",))) == ({}, "", 1)
