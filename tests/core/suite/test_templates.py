from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.templates import Templates, render


def test_given_placeholders_are_replaced_and_others_stay() -> None:
    assert render('{prompt}: {"json": {other}} {{x}}', prompt="Q", unused="u") == 'Q: {"json": {other}} {{x}}'


@given(st.text(), st.text())
def test_values_are_never_read_again(first: str, second: str) -> None:
    text = render("<{a}|{b}>", a=first + "{b}", b=second + "{a}")
    assert text == f"<{first}{{b}}|{second}{{a}}>"


@given(st.text())
def test_a_text_without_given_placeholders_stays_as_it_is(text: str) -> None:
    assert render(text) == text


def test_a_suite_overrides_a_bundled_template(tmp_path: Path) -> None:
    (tmp_path / "prompts/pass2").mkdir(parents=True)
    (tmp_path / "prompts/pass2/mine.md").write_text("---\nnote: x\n---\nMine {response}\n")
    assert Templates(tmp_path).text("pass2/mine") == "Mine {response}"


@pytest.mark.parametrize(
    "name", ["../secret", "/etc/passwd", "a/../b", "", "a//b", "pass2/", "pass2/numeric.md", "a\x00b"]
)
def test_names_that_are_no_template_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.md").write_text("x")
    (tmp_path / "prompts").mkdir()
    with pytest.raises(ConfigurationError, match="no template"):
        Templates(tmp_path).text(name)


def test_a_template_linked_from_outside_is_refused(tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("secret")
    folder = tmp_path / "suite/prompts"
    folder.mkdir(parents=True)
    (folder / "t.md").symlink_to(tmp_path / "outside.md")
    with pytest.raises(ConfigurationError, match="outside the suite"):
        Templates(tmp_path / "suite").text("t")


def test_an_unreadable_template_names_its_line(tmp_path: Path) -> None:
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts/t.md").write_bytes(b"a\n\xff")
    with pytest.raises(ConfigurationError, match=r"t\.md:2: is not UTF-8"):
        Templates(tmp_path).text("t")


def test_a_near_miss_is_suggested(tmp_path: Path) -> None:
    (tmp_path / "prompts/judge").mkdir(parents=True)
    (tmp_path / "prompts/judge/mine_own.md").write_text("x")
    with pytest.raises(ConfigurationError, match="did you mean 'judge/mine_own'"):
        Templates(tmp_path).text("judge/mine_onw")
