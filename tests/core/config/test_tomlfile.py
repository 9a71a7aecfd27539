"""On which line a key of a TOML file stands."""

from __future__ import annotations

from pathlib import Path

from modex.core.config.tomlfile import TomlFile, parts_of, read_toml, sections
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


def test_a_file_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    found = read_toml(tmp_path / "f.toml", "settings", "MODEX_CONFIG")
    assert (found.values, found.text, found.line_of(("a",))) == ({}, "", 1)
