"""Which option a text chooses: a capital counts where the text gives it as its answer, and nowhere else."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.answers.assertion.choosing import choose
from modex.core.answers.assertion.letters import masked
from tests.core.answers.tables import differing
from tests.rows import each_row

CITIES = {"A": "London", "B": "Paris", "C": "Rome", "D": "Berlin"}
LETTERS = dict.fromkeys("ABCDEFGHIJ", "")


def chosen(text: str, options: dict[str, str] = CITIES) -> str | None:
    found = choose(text, options)
    return None if found is None else found.letter


@each_row(
    "text",
    [
        "23.5 J",
        "K = 4",
        "Vitamin A",
        "Let A be",
        "See Figure C.",
        "so A = 4",
        "E = mc^2",
        "So I would say nothing.",
        "AB",
        "Maka jawabannya a dan seterusnya",
    ],
)
def test_a_stray_capital_is_no_answer(text: str) -> None:
    assert chosen(text, LETTERS) is None


@each_row(
    "text", ["The answer is B.", "**(B)**", r"$\boxed{\text{B}}$", "Option B", "B\n\nBecause it is.", '{"answer": "B"}',
             "Maka jawabannya b", "Jadi jawabannya (B).\nItu saja."]
)  # fmt: skip
def test_a_letter_that_the_text_gives_as_its_answer_is_read(text: str) -> None:
    assert chosen(text) == "B"


def test_of_several_answers_the_last_counts_where_the_text_turns_to_it_and_none_where_it_lists_them() -> None:
    assert chosen("The answer is A. Wait, no: the answer is B.") == "B"
    assert chosen("The answer is (A). Therefore the answer is (B).") == "B"
    assert chosen("The answer is A. The answer is B.") is None
    assert chosen("The answer is (A) and (B).") is None


def test_a_new_list_of_options_behind_the_answer_is_not_read() -> None:
    assert chosen("The answer is (B).\nA. red\nB. blue\nC. green\nThe answer is (D).") == "B"


def test_where_the_letter_stands_is_told() -> None:
    text = "So the **answer** is (C)."
    found = choose(text, CITIES)
    assert found is not None
    assert text[found.start : found.end] == "(C)"


@given(st.text(max_size=300))
def test_masking_keeps_every_offset_and_any_text_is_read(text: str) -> None:
    assert len(masked(text)) == len(text)
    found = choose(text, CITIES)
    assert found is None or (0 <= found.start <= found.end <= len(text) and found.letter in CITIES)


@pytest.mark.long
@pytest.mark.parametrize(
    "piece", [r"\boxed{", "answer is ", "\n", " ", "**A** ", "(A) ", "A, ", "not ", "so A. ", "A. B. C. "]
)
def test_reading_takes_time_in_proportion_to_the_text(piece: str) -> None:
    def seconds(length: int) -> float:
        text = piece * (length // len(piece))
        started = time.process_time()
        choose(text, CITIES)
        return time.process_time() - started

    seconds(1000)
    assert seconds(64_000) < 1 + 24 * seconds(8_000)


_CHOICES = [
    ("I like it. It is old. It is large. The city is Paris.", "B Paris 47"),
    ("I like it. It is old. It is large. It is not Paris.", None),
    ("London is old. Rome is hot. Berlin is new. The city is Paris.", "B Paris 55"),
    ("London is old. Rome is hot. Berlin is new. Paris is large.", None),
    ("It is old. It is large. It is warm. Paris is old", None),
    ("It is Paris, which is large.", "B Paris 6"),
    ("Paris, since it is large", "B Paris 0"),
    ("If it were Paris, it would be large.", None),
    ("Is it Paris?", None),
    ("Paris or Rome.", None),
    ("Not London. Paris.", "B Paris 12"),
    ("Paris? No, Rome.", "C Rome 11"),
    ("A? No, B.", "B B 7"),
    ("A? No, A.", None),
    ("(b)? nope; it's (c).", "C c 17"),
    ("A? No, E.", None),
    ("The answer is A.\nA. red\nB. blue\nC. green\nThe answer is D.", "A A 14"),
    ("The answer is A. B. is not it. The answer is D.", None),
    ("So A. So B. So C. So D.", "D D 21"),
    ("So A. The sky is blue. It is warm. It rains.", "A A 3"),
    ("It rains. It is warm. The sky is blue. So A.", "A A 42"),
    ("Only (C) fits.", "C C 6"),
    ("Only (C) fits", "C C 6"),
    ("Only (C) or (D) fits.", None),
    ("Let (C) be a set.", None),
    ("If (C) holds we stop.", None),
    ("We have x = (C).", None),
    ("Not (A). Only (B) and not (A) fits.", "B (B) 14"),
    ("Only [C] fits.", "C C 6"),
    ("The answer is A. Hmm, actually B.", "B B 31"),
    ("The answer is A. No, actually, B is correct.", "B B 31"),
    ("The answer is A. B is wrong.", "A A 14"),
    ("The answer is A, but A is wrong.", None),
    ("A is correct. A is wrong.", None),
    ("A is correct, B is correct.", None),
    ("A and B are correct.", None),
    ("A, B and C are correct.", None),
    ("If A is correct, B is wrong.", None),
    ("I thought A is correct, but B is correct.", "B B 28"),
    ("At first A is right. B is right.", "B B 21"),
    ("Answer: A and B", None),
    ("Answer: B) Paris", "B B 8"),
    ("Answer: B) Rome", None),
    ("Answer: Paris", "B Paris 8"),
    ("Answer: Paris, since it is large", "B Paris 8"),
    ("Answer: Paris; it is large", "B Paris 8"),
    ("Answer: a", "A a 8"),
    ("Answer: a bird", None),
    ("Answer: A bird", None),
    ("Answer: not B", None),
    ("Answer: AB", None),
    ("Answer: BA", None),
    ("Answer: (A, B)", None),
    ("Answer: A (London)", "A A 8"),
    ("Answer: A (London), B (Paris)", None),
    ("Answer: A. London, B", None),
    ("Answer:\nB) Paris\nC) Rome", None),
    ("Answer:\nB) Paris\nA) London", "B B 8"),
    ("Answer:\nB\nC", "B B 8"),
    ("<answer>B</answer>", "B B 8"),
    ("#### C", "C C 5"),
    ("\\boxed{B}", "B B 7"),
    ("\\boxed{B) Paris}", "B B 7"),
    ("\\boxed{B = 4}", None),
    ("\\boxed{\\{B\\}}", "B B 9"),
    ("\\boxed{A, B}", None),
    ("\\boxed{Paris}", "B Paris 7"),
    ("\\boxed{}", None),
    ("\\boxed{B} and \\boxed{C}", "C C 21"),
    ("\\boxed{(B)}", "B (B) 7"),
    ("B) Paris", "B B 0"),
    ("B) Rome", None),
    ("b) Paris", "B b 0"),
    ("B. Because it is large", "B B 0"),
    ("B. Not A", None),
    ("B) wrong", None),
    ("B - Paris", "B B 0"),
    ("A) London\nB) Paris\nC) Rome", None),
    ("B) Paris\nA) wrong\nC) wrong", "B B 0"),
    ("B) Paris\nA) London\nC) Rome", None),
    ("A\n\nIt is large.", "A A 0"),
    ("It is large.\n\nA", "A A 14"),
    ("A will do", None),
    ("I will go", None),
    ("I, for one", None),
    ("A is wrong", None),
    ("B, C", None),
    ("The answer is C, and D is a village.", "C C 14"),
    ("The answer is A. Oops, it is B.", "B B 29"),
    ("The answer is A. Oops, the answer is B.", "B B 37"),
    ("Bではありません", None),
    ("Bではありません。Cです。", "C C 9"),
    ("BではなくC", "C C 5"),
    ("Everything but Paris", None),
    ("II. it\nI. that", None),
    ("I'd go with (D)", "D (D) 12"),
    ("I'd choose D.", "D D 11"),
    ("so D", "D D 3"),
    ("选B", "B B 1"),
    ("答案是C。", "C C 3"),
    ("only C fits", "C C 5"),
    ("Some say so D.", None),
    ("Many think it is A, but so B.", "B B 27"),
    ("You might think the answer is A.", None),
    ("The answer is said to be A.", None),
    ("The final answer: (c)", "C (c) 18"),
    ("My choice is D because it is new.", "D D 13"),
    ("The correct option is C, not B.", "C C 22"),
    ("The answer is not C.", None),
    ("正解はBです", "B B 3"),
    ("The best is Paris. I hope this helps!", "B Paris 12"),
    ("Paris. Let me know if you need more.", "B Paris 0"),
    ("The answer is Paris.", "B Paris. 14"),
    ("Paris is the capital, not Rome.", "B Paris 0"),
    ("Paris Hilton lives in London.", None),
    ("I would say paris", "B paris 12"),
    ("It's Rome", "C Rome 5"),
    ("It can't be Rome", None),
    ("Rome and Paris are large.", None),
    ("The largest is: A London, B Paris, C Rome. The largest is Paris.", None),
    ("A London, B Paris, C Rome. Paris.", None),
]
"""A text, and the option that it gives as its answer: the letter, what names it, and where that begins."""


def test_an_option_is_chosen_where_the_text_gives_it_as_its_answer() -> None:
    found = [(text, choose(text, CITIES)) for text, _ in _CHOICES]
    told = [
        (text, None if one is None else f"{one.letter} {text[one.start : one.end]} {one.start}") for text, one in found
    ]
    assert told == _CHOICES


_CHOSEN = r"""
I think Paris. => B last_line @8-13
Paris is not London. => -
The answer is B. However, C is right. => B sentence @14-15
The answer is B. C is right. => B sentence @14-15
The answer is B. The answer is B. => B sentence @31-32
The answer is B. Hmm, actually, C. => C sentence @32-33
The answer is B. No, actually C. => C sentence @30-31
The answer is B or C. So C. => C sentence @25-26
The answer is B. B is wrong. => -
The answer is B. B is not the answer. => -
B is right. C is right. => -
B is right. So C is right. => C sentence @15-16
So B. Then comes a step. Then another. So C. => C sentence @42-43
Step one: so B. Step two is long. Step three is long. Nothing. => B sentence @13-14
So B. Step two is long. Step three is long. Nothing. => B sentence @3-4
Only (C) Rome fits. => C sentence @5-8
It could be (B) or (C). => -
Is it (C)? => -
If it rains, (C). => -
It is (C) = 4. => C sentence @6-9
It is 4 = (C). => -
Not (B). Thus [C]. => C sentence @14-17
Thus [C] I => C sentence @5-8
The city is Rome. => C last_line @12-16
The city is New Rome. => D last_line @12-20
The city is Rome or Paris. => -
The city isn't Rome. => -
One. Two. Three. The city is Rome. => C last_line @29-33
One. Two. Three. It is not Rome. => -
One. Two. Three. Rome is the city. => -
One. Two. Three. If so, Rome. => -
One. Two. Three. Paris, Rome. => -
Rome. Rome. Rome. Rome. => -
Rome is a city. It is old. I hope this helps! => C last_line @0-4
Rome is a city which is => C last_line @0-4
A) London B) Paris C) Rome D) New Rome => -
A) London B) Paris C) Rome. The city is Rome. => -
A? No, B. => B last_line @7-8
B? No, B. => -
E? No, F. => -
B?  nope: it is (C) => C last_line @17-18
(C) => C line @1-2
I rule out (A), so (C). => C sentence @19-22
Consider (C). => -
The answer is B.\nA. x\nB. y\nC. z\nThe answer is C. => B sentence @14-15
It is long. Thus we see (C) as => -
It is long. We see [C]. => C last_line @19-22
It is long. We see (B), (C). => -
It is long. We see (C), (C). => C last_line @19-22
It is so =(C). => -
Zero is. So B. Two is. Three is. => -
The city is Rome. I hope Paris helps! => -
The city is Rome. Let me know about Paris. => C last_line @12-16
One. Two. Three. Paris is not it, so it is Rome. => -
Rome, not Paris. => C last_line @0-4
One. Two. Three. Four is Rome. Paris. => B last_line @31-36
The answer is B. That was step one. However long it takes, the answer is C. => C sentence @73-74
The answer is B. The answer is C because of it. => -
"""
_BY_LETTER_ALONE = r"""
So B. => B
The answer is Rome. => -
Rome => -
(B) => B
B) x => B
"""


def shown(text: str, options: dict[str, str]) -> str:
    found = choose(text, options)
    return "-" if found is None else f"{found.letter} {found.how} @{found.start}-{found.end}"


def test_a_text_chooses_one_option_or_none() -> None:
    options = {"A": "London", "B": "Paris", "C": "Rome", "D": "New Rome"}
    assert differing(_CHOSEN, lambda text: shown(text, options)) == []


def test_without_texts_an_option_is_chosen_by_its_letter_alone() -> None:
    assert differing(_BY_LETTER_ALONE, lambda text: chosen(text, LETTERS) or "-") == []
