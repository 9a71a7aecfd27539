"""The fuzz targets for a moment each, and every input that long fuzzing ever found, in the normal test command."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import LONGEST, TARGETS, check, text_of
from tests.rows import each_row

quick = settings(max_examples=150, derandomize=True, database=None, suppress_health_check=list(HealthCheck))

FOUND = {
    "json": (
        '{{{{\\\u200b{{{{{{\n{{"answer": \\{"answer": \\\u200b{{{{{{{\\\u200b{{{{{{\n{{{{{{{{\n\n{{{{{{{{'
        + "9" * 19_900,
        "```{a```{a```{a```{a",
        '```{"a```{\\"answer"',
    ),
    "thinking": ("<think>```</think>", "</think>" * 3, "<think>" * 50),
    "tool_calls": ("<tool_call>" * 50, "[TOOL_CALLS] [", "<tool_call><function=f><parameter=k>"),
    "numbers": ("10^9999999999", "1e400", "9" * 5000, "½" * 100),
    "layers": ("---\nmode: append", "---\n---", "---\r\nmode:\r\n---\r\n"),
}


@pytest.mark.parametrize("name", sorted(TARGETS))
@given(data=st.binary(max_size=400))
@quick
def test_a_parser_keeps_its_promises_whatever_it_reads(name: str, data: bytes) -> None:
    check(name, text_of(name, data))


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(TARGETS))
@given(text=st.text(st.characters(), max_size=300))
@quick
def test_a_parser_keeps_its_promises_on_any_text(name: str, text: str) -> None:
    check(name, text)


@each_row(("name", "text"), [(name, text) for name, texts in FOUND.items() for text in texts])
def test_what_fuzzing_found_stays_mended(name: str, text: str) -> None:
    check(name, text)


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_a_long_hostile_text_costs_bounded_time(name: str) -> None:
    for value in range(40):
        check(name, (text_of(name, bytes([value, value + 7])) * LONGEST)[:LONGEST])
