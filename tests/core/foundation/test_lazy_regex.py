from __future__ import annotations

import re

import pytest

from modex.core.foundation.lazy_regex import deferred
from tests.rows import each_row


def test_a_deferred_pattern_does_what_the_compiled_one_does() -> None:
    later, now = deferred(r"(a)(\d+)", re.IGNORECASE), re.compile(r"(a)(\d+)", re.IGNORECASE)
    text = "a1 b2 A33"
    assert later.findall(text) == now.findall(text)
    assert later.sub("-", text) == now.sub("-", text)
    assert [one.span() for one in later.finditer(text)] == [one.span() for one in now.finditer(text)]
    assert later.fullmatch("x") is None
    assert (later.pattern, later.groups) == (now.pattern, now.groups)


def test_a_method_that_was_used_is_kept() -> None:
    later = deferred("a")
    assert later.search is later.search
    with pytest.raises(AttributeError):
        later._private  # type: ignore[attr-defined]  # noqa: B018


def test_it_is_compiled_by_its_first_use_and_not_before() -> None:
    wrong = deferred("(")
    with pytest.raises(re.error):
        wrong.search("text")


@each_row("module", [
    "llm.faults.table", "llm.faults.parameters", "llm.faults.words", "llm.textcalls.readers", "answers.text.text",
    "answers.assertion.cues", "answers.text.boolean", "answers.text.dates", "answers.text.times",
    "answers.stated_number", "answers.final_answer", "answers.numbers.spans", "answers.numbers.reading",
])  # fmt: skip
def test_every_deferred_pattern_compiles(module: str) -> None:
    from importlib import import_module

    from modex.core.foundation.lazy_regex import _Deferred

    def patterns(value: object) -> list[_Deferred]:
        if isinstance(value, tuple | list):
            return [found for item in value for found in patterns(item)]
        return [value] if isinstance(value, _Deferred) else []

    found = patterns(list(vars(import_module(f"modex.core.{module}")).values()))
    assert found
    for pattern in found:
        assert pattern.search("") is None or pattern.pattern
