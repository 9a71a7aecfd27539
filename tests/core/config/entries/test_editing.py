"""Entries added to `models.toml` and cut out of it, and everything else left as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from modex.core.config.entries.editing import add_entry, assigned, entry_text, own_file, remove_entry
from modex.core.config.entries.reading import read_entries
from modex.core.foundation.errors import ConfigurationError

BEFORE = """\
# all mine
[models.a]  # the first
model = "x/a"

# of b
[models.b]
model = "x/b"
[models.b.params]
temperature = 0  # cold

[models."c.1"]
model = "x/c"
"""


def test_what_is_added_is_read_as_it_was_given(tmp_path: Path) -> None:
    path = tmp_path / "new" / "models.toml"
    given = {"model": 'openai/"odd"', "headers": {"X-A": "b"}, "params.stop": ["\n", "\\"], "params.top_p": 0.5}
    entry = add_entry(path, "gpt-4.1", given)
    assert path.read_text() == entry_text("gpt-4.1", given)
    assert entry.fields == {"model": 'openai/"odd"', "headers": {"X-A": "b"}, "stop": ("\n", "\\"), "top_p": 0.5}


def test_an_entry_goes_with_its_tables_and_the_next_ones_remarks_stay(tmp_path: Path) -> None:
    path = tmp_path / "models.toml"
    path.write_text(BEFORE)
    assert remove_entry(path, "a") == 3
    assert path.read_text() == "# all mine\n" + BEFORE[BEFORE.index("# of b") :]
    assert remove_entry(path, "b") == 5
    assert path.read_text() == '# all mine\n# of b\n[models."c.1"]\nmodel = "x/c"\n'
    assert remove_entry(path, "c.1") == 2
    assert read_entries(path, "settings") == {}


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("b", '[models.a]\nmodel = "x/a"\n\n\n[models.b]\nmodel = "x/b"\n', '[models.a]\nmodel = "x/a"\n'),
        ("b", '\n\n[models.b]\nmodel = "x/b"\n', ""),
        ("a", '[models.a]\nmodel = "x/a"\n\n[models.b]\nmodel = "x/b"\n', '[models.b]\nmodel = "x/b"\n'),
        ("a", '[models.a]\nmodel = "x/a"\n# of b\n# too\n[models.b]\nmodel = "x/b"\n', '[models.b]\nmodel = "x/b"\n'),
        ("a", '[models.a]\nmodel = "x/a"\n\n# of b\n# too\n[models.b]\nmodel = "x/b"\n',
         '# of b\n# too\n[models.b]\nmodel = "x/b"\n'),
        ("a", '# all\n\n[models.a]\n# within\nmodel = "x/a"\n# the end\n', "# all\n"),
        ("a", '[models.a]\n[models.a.params]\n[models.b]\nmodel = "x/b"\n', '[models.b]\nmodel = "x/b"\n'),
    ],
)  # fmt: skip
def test_what_is_left_of_a_file_is_what_belongs_to_the_others(
    tmp_path: Path, name: str, before: str, after: str
) -> None:
    path = tmp_path / "models.toml"
    path.write_text(before)
    cut = remove_entry(path, name)
    assert (path.read_text(), cut) == (after, before.count("\n") - after.count("\n"))


@pytest.mark.parametrize("text", ["", "[models]\n", BEFORE, 'models = "odd"\n', "[other.zzz]\n"])
def test_an_entry_that_is_not_there_is_named_and_nothing_is_cut(tmp_path: Path, text: str) -> None:
    path = tmp_path / "models.toml"
    path.write_text(text)
    with pytest.raises(ConfigurationError, match="there is no entry zzz; `modex models` lists those there are"):
        remove_entry(path, "zzz")
    assert path.read_text() == text


@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
def test_an_empty_line_stands_before_an_entry_that_is_added(tmp_path: Path, end: str) -> None:
    path = tmp_path / "models.toml"
    path.write_text(f"# mine{end}")
    add_entry(path, "a", {"model": "x/a"})
    assert path.read_text() == f'# mine{end or chr(10)}\n[models.a]\nmodel = "x/a"\n'


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("nothing", "--set nothing: write KEY=VALUE, such as params.temperature=0.2"),
        ("temperature=1", "did you mean params.temperature?"),
        ("tmeout=9", "did you mean timeout?"),
        ("params.temprature=1", "did you mean params.temperature?"),
        ("zzzzzz=9", "--set zzzzzz: no such key; there are model, "),
        ("timeout=0", "--set timeout: "),
        ("params.api_key=x", "a key does not belong into models.toml"),
    ],
)
def test_a_wrong_word_of_a_command_line_is_told_with_what_may_be_meant(word: str, said: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        assigned([word])
    assert said in str(refused.value)


@pytest.mark.parametrize(("name", "given"), [("a", {"model": "x/y"}), ("a/b", {"model": "x/y"}), ("d", {"timeout": 1})])
def test_what_cannot_be_an_entry_leaves_the_file_as_it_was(tmp_path: Path, name: str, given: dict[str, object]) -> None:
    path = tmp_path / "models.toml"
    path.write_text(BEFORE)
    with pytest.raises(ConfigurationError):
        add_entry(path, name, given)
    assert path.read_text() == BEFORE
    with pytest.raises(ConfigurationError):
        add_entry(tmp_path / "none.toml", "x", {"timeout": 1})
    assert not (tmp_path / "none.toml").exists()


def test_an_entry_without_a_header_of_its_own_is_left_to_a_person(tmp_path: Path) -> None:
    path = tmp_path / "models.toml"
    path.write_text('[models]\na = { model = "x/y" }\n')
    with pytest.raises(ConfigurationError, match="remove it by hand"):
        remove_entry(path, "a")


def test_values_of_a_command_line_are_toml_or_texts() -> None:
    assert assigned(["timeout=9", "params.stop=###", 'headers={ A = "b" }']) == {
        "timeout": 9, "params.stop": "###", "headers": {"A": "b"},
    }  # fmt: skip
    for wrong in ("nothing", "tmeout=9", "timeout=0", "api_key_env=sk-0123456789abcdef01234"):
        with pytest.raises(ConfigurationError):
            assigned([wrong])


def test_a_suite_that_is_named_has_a_file_of_its_own(tmp_path: Path) -> None:
    assert own_file(str(tmp_path)) == tmp_path / "models.toml"
    assert own_file() != tmp_path / "models.toml"
    with pytest.raises(ConfigurationError, match="no such folder"):
        own_file(str(tmp_path / "none"))
