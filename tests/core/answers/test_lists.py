"""Answers of several items: each stands for one part, and none is left over."""

from __future__ import annotations

from modex.core.answers.comparison import compare
from modex.core.answers.kinds import expected_answer
from modex.core.answers.lists import same_joined, same_list
from tests.core.answers.tables import differing
from tests.rows import each_row


@each_row(
    ("answer", "right"),
    [
        ("pear, plum, pear", True),
        ("plum, pear, pear", True),
        ("pear, plum, plum", False),
        ("pear, plum", False),
        ("pear, pear, plum, fig", False),
    ],
)
def test_each_part_is_given_once_for_each_time_that_it_is_asked_for(answer: str, right: bool) -> None:
    gold = expected_answer({"value": ["pear", "pear", "plum"], "gold": "parts"})
    assert compare(answer, gold)[0] is right


@each_row(("answer", "same"), [("3.0 kg; 4 kg", True), ("3 g; 4 kg", False), ("3; 4", False)])
def test_numbers_of_a_list_are_the_same_with_their_units(answer: str, same: bool) -> None:
    assert same_list("3 kg; 4 kg", answer) is same


_SAME = r"""
pears, bananas|pears and bananas => True
pears, bananas|pears; bananas => True
pears, bananas|bananas, pears => False
pears, bananas|pears => False
3; 4; 5|3, 4, 5 => True
3; 4; 5|3 4 5 => False
3,4|3.4 => False
3, 4|3, 4.0 => True
3 km, 4 km|3 km, 4 m => False
1,000|1,000 => False
red, and green|red, green => True
a;b|a, b => True
a; b|a\nb => True
a; b|1. a\n2. b => True
a; b|- a\n- b => True
a; b|1) a 2) b => True
a; b|[a, b] => True
a; b|(a, b) => True
a; b|{a; b} => True
a; b|["a", "b"] => True
a; b|[1, 2] => False
1; 2|[1, 2] => True
a; b|a -> b => True
a; b|a / b => True
a; b|a | b => True
a; b|a – b => True
a; b|a b => False
a; b; c|a, b and c => True
a; b; c|a, b, and c => True
a; b|'a', 'b' => True
a; b|a、b => True
a;|a => False
a, b|A, B. => True
; a|a => False
a; b; c|a; b => False
a; b|a; b; c => False
"""
_JOINED = r"""
sea gull|seagull => True
sea-gull|Sea Gull => True
sea|see => False
a b|ab => False
a b c|abc => False
ab 12|ab12 => False
abc d|abcd => True
b cd|bcd => False
bc de|bcde => True
"""


def test_a_list_is_the_same_whatever_separates_its_items() -> None:
    assert differing(_SAME, lambda line: str(same_list(*line.split("|", 1)))) == []
    assert differing(_JOINED, lambda line: str(same_joined(*line.split("|", 1)))) == []
