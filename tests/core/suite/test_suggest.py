from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from modex.core.suite.suggest import closest, did_you_mean, near_miss, one_typo_apart
from tests.rows import each_row

word = st.text("abc_", min_size=1, max_size=8)


@given(word, st.data())
def test_one_edit_is_one_typo(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    inserted = text[:at] + "z" + text[at:]
    assert one_typo_apart(text, inserted)
    assert one_typo_apart(inserted, text)
    if at < len(text):
        assert one_typo_apart(text, text[:at] + "z" + text[at + 1 :])


@given(word, st.data())
def test_swapped_neighbours_are_one_typo(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text) - 1))
    swapped = text[:at] + text[at : at + 2][::-1] + text[at + 2 :]
    assert one_typo_apart(text, swapped) == (swapped != text)


@given(word)
def test_a_word_is_no_typo_of_itself(text: str) -> None:
    assert not one_typo_apart(text, text)


@each_row(
    ("written", "known", "meant"),
    [
        ("promt", ["prompt"], "prompt"),
        ("toolIds", ["tool_ids"], "tool_ids"),
        ("Tool-IDs", ["tool_ids"], "tool_ids"),
        ("ID", ["id"], "id"),
        ("if", ["id"], None),
        ("difficulty", ["description"], None),
        ("prmopts", ["prompt"], None),
        ("x" * 10_000, ["prompt"], None),
    ],
)
def test_near_misses(written: str, known: list[str], meant: str | None) -> None:
    assert near_miss(written, known) == meant


def test_names_may_be_further_off_than_keys() -> None:
    assert closest("get_wheather", ["get_weather", "get_time"]) == "get_weather"
    assert did_you_mean("zzz", ["get_weather"]) == ""
