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
