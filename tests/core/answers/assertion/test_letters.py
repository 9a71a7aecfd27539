"""Which option letters a text gives as its answer, denies, or only names."""

from __future__ import annotations

from modex.core.answers.assertion.letters import denied, letters_given
from tests.core.answers.tables import differing

CITIES = {"A": "London", "B": "Paris", "C": "Rome", "D": "New Rome"}

_GIVEN = r"""
B => B2line@0-1
(b) => B2line@1-2
b) => B2line@0-1
B. => B2line@0-1
B) Paris => B2line@0-1
B) London => AB2line@0-1
The answer is B. => B3sentence@14-15
The answer is (B) and (C). => BC3sentence@14-25
The answer is either B or C. => BC3sentence@21-27
The answer is not B. =>
The answer: B, because A is wrong. => B3label@12-13
Answer:\nB\nC => B3label@8-9 C2line@10-11
Answer:\nB) Paris\nC) Rome => BC3label@8-9
Answer:\nA) London\nB) Paris => AB3label@8-9
Answer: Paris => B3label@8-13
Answer: Paris, because it is large. => B3label@8-13
Answer: Rome. Not Paris. => C3label@8-12
Answer: Oslo =>
Answer: BC => BC3label@8-10
Answer: CB =>
Answer: ABCDE =>
A, B, and C are correct. => AB2line@0-4 ABC2sentence@10-11
B and C are both right. => BC2sentence@6-7
B is correct. => B2sentence@0-1
(B) is the best choice. => B2sentence@0-3 B2line@1-2
B is correct if C is. =>
If B is correct, C is not. =>
whether B is right =>
I thought B is correct. =>
At first B is correct. =>
B is wrong. =>
A and B are wrong. =>
not B =>
neither B nor C =>
rule out B =>
except B =>
everything except the B =>
B isn't right. =>
So B. => B1sentence@3-4
So A. => A1sentence@3-4
So I. =>
so a =>
So A bird =>
So B or C. => BC1sentence@3-9
I'd go with B, not C. => B1sentence@12-13
I choose (C). => C1sentence@9-12
Only B fits. => B1sentence@5-6
only option C remains => C2sentence@12-13 C1sentence@12-13
Only E fits. =>
It's B => B1sentence@5-6
It's a B =>
It's B+ =>
It's B.5 =>
It's B's =>
B = 3 =>
23 B =>
Vitamin B is good. =>
\boxed{B} => B3boxed@7-8 B2line@7-8
\boxed{B} and more => B3boxed@7-8 B2line@7-8
\boxed{B + 1} =>
\boxed{B) Paris} => B3boxed@7-8 B2line@7-8
\boxed{\text{B}} => B3boxed@13-14 B2line@13-14
\boxed{B, C} => BC3boxed@7-11 BC2line@7-11
\boxed{Paris} => B3boxed@7-12
\boxed{2B} =>
<answer>B</answer> => B3tag@8-9
<answer>Paris</answer> => B3tag@8-13
#### B => B3hash@5-6 B2line@5-6
#### Paris => B3hash@5-10
A: London\nB: Paris\nC: Rome => A3label@3-9
A. London\nB. Paris =>
B. Paris\nIt is large. => B2line@0-1
B. Paris\nA. London =>
C) Rome, because (A) is wrong => C2line@0-1
C) wrong =>
B, C => BC2line@0-4
B / C =>
A, as you see =>
I, for one, say C =>
Ａ => A2line@0-1
【B】 => B2line@1-2
**B** => B2line@2-3
答案是B => B3sentence@3-4
选B => B1sentence@1-2
BではなくC => C2line@5-6
Bではありません =>
B。C => B2line@0-1
Option B => B2line@7-8
option b => B2line@7-8
choice (C) => C2line@8-9
The best option is B => B3sentence@19-20
The options are A and B. =>
the correct choice would be D => D3sentence@28-29
My answer: D => D3label@11-12
Final answer: (D) New Rome => D3label@14-17
Final answer: D - New Rome => D3label@14-15
Answer - C => C3label@9-10
A C => C3label@2-3
Ans: C => C3label@5-6
(a) first\n(b) second =>
B - Paris => B2line@0-1
B -- Paris =>
E =>
So B, C, and D. => BCD1sentence@3-14
So B (Paris), C (Rome) => BC1sentence@3-15
B (not A) => B2line@0-1
B (A) => AB2line@0-5
[B] => B2line@1-2
"""
"""Texts, and the letters that they give: together, with their rank, how, and where."""
_DENIED = r"""
The answer is not B. => B@18
The answer: B, because A is wrong. => A@23
If B is correct, C is not. => C@17
B is wrong. => B@0
A and B are wrong. => A@6 B@6
not B => B@4
neither B nor C => C@14
rule out B => B@9
except B => B@7
everything except the B => B@22
B isn't right. => B@0
I'd go with B, not C. => C@19
C) Rome, because (A) is wrong => A@17
C) (A) is wrong => A@3
The answer is option C is wrong => C@21
B (not A) => A@7
"""


def letters(text: str) -> str:
    return " ".join(
        f"{''.join(sorted(one.letters))}{one.rank}{one.how}@{one.start}-{one.end}"
        for one in letters_given(text, CITIES)
    )


def test_a_letter_counts_where_the_text_gives_it_as_its_answer() -> None:
    assert differing(_GIVEN, letters) == []


def test_letters_that_are_denied_together_come_in_their_order() -> None:
    told = denied("Not D, C, B or A.", dict.fromkeys("ABCD", ""))
    assert [letter for letter, _ in told] == sorted(letter for letter, _ in told)
    assert len(told) == 4


def test_a_letter_that_is_denied_is_told_with_its_place() -> None:
    assert (
        differing(_DENIED, lambda text: " ".join(f"{letter}@{at}" for letter, at in sorted(denied(text, CITIES)))) == []
    )
