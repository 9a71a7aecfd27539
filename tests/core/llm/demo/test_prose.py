"""Texts of the scripted model, as long as they are asked for."""

from __future__ import annotations

from modex.core.llm.demo.ability import Dice
from modex.core.llm.demo.prose import _keyword, keyword_text, solution, thinking
from tests.rows import each_row

DICE = Dice("default", "k")


@each_row(("least", "most"), [(12, 10_000), (40, 60), (100, 120), (1, 8), (30, 30)])
def test_a_text_is_filled_until_it_is_long_enough_and_never_beyond_its_limit(least: int, most: int) -> None:
    text = keyword_text({"keywords": ["plain", "vivid"], "min_words": least, "max_words": most}, DICE, right=True)
    assert "plain" in text
    assert "vivid" in text
    count = len(text.split())
    assert count <= most
    assert count >= least or most - count < 20
    if least == 12:
        assert count < 40


def test_a_wrong_text_has_no_keyword_in_it() -> None:
    text = keyword_text({"keywords": ["vivid"]}, DICE, right=False)
    assert "vivid" not in text
    assert len({keyword_text({"keywords": []}, Dice("default", f"k{n}"), right=True) for n in range(20)}) > 1
    assert keyword_text({"keywords": ["x"], "language": "xx"}, DICE, right=True).count("x") >= 1


@each_row(
    ("item", "word"),
    [
        ("a", "a"), (["", "b"], "b"), ([{"forbidden": True, "any": ["x"]}, "c"], "c"), ({"any": ["d"]}, "d"),
        ({"word": "e"}, "e"), ({"text": "f"}, "f"), ({"regex": "g+"}, "g"), ({"regex": "("}, None), ({}, None), (3, None),
        ({"any": ["h"], "forbidden": True}, None),
    ],
)  # fmt: skip
def test_a_keyword_is_met_by_one_word(item: object, word: str | None) -> None:
    assert _keyword(item) == word


def test_a_solution_ends_with_its_answer_and_a_thought_stands_in_tags() -> None:
    texts = {solution("42", Dice("default", f"k{n}")) for n in range(60)}
    assert all("42" in text.split("\n\n")[1] for text in texts)
    assert len({text.split("\n\n")[1] for text in texts}) == 4
    thoughts = [thinking("x", Dice("default", f"k{n}")) for n in range(400)]
    assert all(one.startswith("<think>\n") and one.endswith("\n</think>\n\n") for one in thoughts)
    assert 4 <= sum("within the thought" in one for one in thoughts) <= 40
