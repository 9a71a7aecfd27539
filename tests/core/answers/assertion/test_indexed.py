"""What a text has, as it is searched: dates, marks of lists, words run together, and what a question says."""

from __future__ import annotations

from modex.core.answers.assertion.indexed import Indexed, is_year, question_of
from modex.core.answers.assertion.items import items_of
from modex.core.answers.assertion.reading import read_text
from tests.core.answers.tables import differing


def indexed(text: str, question: str = "") -> Indexed:
    return Indexed(read_text(text, question), 0, len(text))


_DATES = r"""
5 May 1998 => 5/5/1998 [0:3]
May 5, 1998 => 5/5/1998 [0:3]
May 5 => 5/5/None [0:2]
5 May => 5/5/None [0:2]
5th of May 1998 => 5/5/1998 [0:4]
the 5th of the May 1998 => 5/5/1998 [1:6]
5 of the very May => None/5/None [4:5]
May of 1998 => None/5/1998 [0:3]
May of the 1998 => None/5/1998 [0:4]
May in the year 1998 => None/5/None [0:1]
May 1998 => None/5/1998 [0:2]
may 5 =>
May the 5th, 1998 => 5/5/1998 [0:4]
May the 5th of the 1998 => 5/5/1998 [0:6]
May 5 of the in the 1998 => 5/5/None [0:2]
32 May 1998 => None/5/1998 [1:3]
0 May => None/5/None [1:2]
May 32 => None/5/None [0:1]
May 999 => None/5/None [0:1]
May 1000 => None/5/1000 [0:2]
May 2100 => None/5/2100 [0:2]
May 2101 => None/5/None [0:1]
5 June 6 July 1999 => 5/6/None [0:2]; 6/7/1999 [2:5]
June => None/6/None [0:1]
jun 5 => 5/6/None [0:2]
3 Mar 2001 => 3/3/2001 [0:3]
12 Dec => 12/12/None [0:2]
May 31 => 31/5/None [0:2]
31 May => 31/5/None [0:2]
1 May 1999 => 1/5/1999 [0:3]
May 1 1000 => 1/5/1000 [0:3]
"""
"""Texts, and the dates in them with their range of words."""


def dates(text: str) -> str:
    return "; ".join(f"{date.day}/{date.month}/{date.year} [{low}:{high}]" for date, low, high in indexed(text).dated())


def test_a_date_is_a_month_with_a_day_or_a_year_beside_it() -> None:
    assert differing(_DATES, dates) == []


_MARKS = r"""
1. Red => 0
  2) Blue => 0
(3) Green => 0
- 4. Pink =>
Red 5. x =>
6 x =>
x\n7. y => 1
**8.** z => 0
         9. z =>
"""
"""Texts, and which of their words number a line."""


def marks(text: str) -> str:
    found = indexed(text)
    return " ".join(str(at) for at in range(len(found.items)) if found.is_mark(at))


def test_the_number_of_a_line_is_a_mark() -> None:
    assert differing(_MARKS, marks) == []


_JOINED = r"""
hi fi | hifi => 0:2
Hi-Fi | hifi => 0:2
U S A | unitedstates => 0:2
the USA | unitedstates => 1:2
ab c d e | abcde => 0:4
a b c d e | abcde => -
abc | ab => -
xab | ab => -
x ab | ab => 1:2
NYC | newyorkcity => 0:1
new york city | newyorkcity => 0:3
ab cab | ab => 0:1
ca b ab | ab => 2:3
"""
"""A text, and what is looked for in its words run together."""


def joined(text: str) -> str:
    within, wanted = text.split(" | ")
    found = indexed(within).joined(wanted)
    return "-" if found is None else f"{found[0]}:{found[1]}"


def test_words_run_together_are_found_where_a_word_begins_and_ends() -> None:
    assert differing(_JOINED, joined) == []


_QUESTIONS = r"""
How old is he? => old year / - / -
What percentage is it? => percent percentag / - / -
Which US state is it? => stat us / stat unit / unitedstates
Who is the UK's king? => king uk / kingdom unit / unitedkingdom
What year? => year / - / -
"""
"""Questions: the keys of their words, the keys of what their short forms mean, and the names that these are short for."""


def asked(question: str) -> str:
    found = indexed("x", question)
    return " / ".join(" ".join(sorted(keys)) or "-" for keys in (question_of(question)[1], found.meant, found.shorts))


def test_a_question_says_what_its_short_words_mean() -> None:
    assert differing(_QUESTIONS, asked) == []


def test_a_year_is_four_digits_from_1000_to_2100() -> None:
    texts = ["999", "1000", "1998", "2100", "2101", "MM", "two thousand", "apple"]
    assert [text for text in texts if is_year(items_of(text)[0])] == ["1000", "1998", "2100"]
