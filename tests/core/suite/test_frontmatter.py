from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from modex.core.suite.frontmatter import parse_prompt

line = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=10)


@given(st.lists(line, max_size=5), st.sampled_from(["append", "overwrite"]))
def test_the_text_below_is_kept_without_blank_lines_around_it(lines: list[str], mode: str) -> None:
    prompt = parse_prompt(f"---\nmode: {mode}\n---\n" + "\n".join(lines))
    while lines and not lines[0].strip():
        lines = lines[1:]
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    assert (prompt.text, prompt.mode, prompt.faults) == ("\n".join(lines), mode, [])


@given(st.text())
def test_any_text_is_a_prompt_file(text: str) -> None:
    prompt = parse_prompt(text)
    assert 1 <= prompt.line <= text.count("\n") + 2
    assert prompt.text in text.replace("\r\n", "\n")


def test_a_rule_within_the_text_is_no_front_matter() -> None:
    assert parse_prompt("Above\n---\nmode: append\n---\nBelow").mode is None
    assert parse_prompt("---\nJust a rule").text == "---\nJust a rule"


def test_quotes_and_comments_are_fine_in_front_matter() -> None:
    prompt = parse_prompt('---\n# how\nmode: "append"\n---\nx')
    assert (prompt.mode, prompt.line, prompt.faults) == ("append", 5, [])
