"""The truth value that a statement names."""

from __future__ import annotations

import pytest

from modex.core.answers.text.boolean import _sentence, _statement, answers_outright, read_boolean
from tests.core.answers.tables import differing
from tests.rows import each_row


@each_row(
    ("words", "named"),
    [
        ("well ja no", None),
        ("well it is no", (False, False)),
        ("it is true", (True, False)),
        ("that is false", (False, False)),
        ("it is not true", (False, False)),
        ("it is not never true", (True, False)),
        ("the answer is yes", (True, False)),
        ("i would say no", (False, False)),
        ("never", (False, True)),
        ("not", (False, True)),
        ("not at all", None),
        ("true and false", None),
        ("i do not know", None),
        ("one two three four five six no", None),
    ],
)
def test_a_statement_names_one_truth_value_turned_by_each_negation_or_none(
    words: str, named: tuple[bool, bool] | None
) -> None:
    assert _statement(words.split()) == named


@each_row(
    ("sentence", "said"),
    [
        ("yes", (True, True)),
        ("no, it is late", (False, True)),
        ("yes or no", None),
        ("true or false", None),
        ("yes and no", None),
        ("yes, and there is no way around it for any of them", (False, False)),
        ("it is not at all so", (False, True)),
        ("i think it not at all so", (False, True)),
        ("i thought it not at all so", (False, False)),
        ("of course it is", (True, True)),
        ("he said no, but it is true", (True, False)),
        ("perhaps yes, perhaps no", None),
        ("perhaps it is true", (True, False)),
        ("i do not know if it is true", None),
        ("no, i do not know why", (False, True)),
        ("is it true?", None),
        ("no, why would it?", (False, True)),
        ("true?", (True, True)),
        ("verdict: no", (False, True)),
        ("no: one", (False, True)),
        ("no one came", None),
        ("wrong because it is late", (False, True)),
        ("right now", None),
        ("surely it is", (True, True)),
    ],
)
def test_a_sentence_says_yes_or_no_at_its_head_or_within(sentence: str, said: tuple[bool, bool] | None) -> None:
    assert _sentence(sentence) == said


@each_row(
    ("text", "said"),
    [
        ("Yes. It is not true.", True),
        ("Yes. No.", None),
        ("It is true. It is false.", None),
        ("Yes. Wait, it is false.", False),
        ("I do not know. Yes.", True),
        ("yes & no", None),
        ("yes, no", None),
        ("no - yes", None),
        ("yes nor no", None),
        ("yes\nno", None),
        ("true|false", None),
        ("Yes, false", True),
        ("No, yes, it is", False),
        ("Ya, tidak", None),
        ("Ya (Tidak)", None),
        ("Tidak, benar", False),
        ("Jawaban: benar; salah", None),
        ("Belum tentu ya", None),
        ("Itu tidak bisa dipastikan sekarang.", None),
        ("Tidak jelas", None),
        ("Tidak jelas. Ya.", True),
        ("Tidak ada jawaban yang pasti.", None),
        ("Tidak pasti", None),
        ("Ya, alasannya tidak jelas", True),
        ("Tidak, itu tidak bisa dipastikan", False),
        ("Is it true?", None),
        ("不是", False),
        ("是", True),
    ],
)
def test_what_opens_goes_before_what_is_stated_and_a_correction_before_both(text: str, said: bool | None) -> None:
    assert read_boolean(text) is said


@pytest.mark.parametrize(("length", "said"), [(60, (True, True)), (61, None)])
def test_a_sentence_of_more_than_sixty_words_says_nothing(length: int, said: tuple[bool, bool] | None) -> None:
    assert _sentence("yes, " + "word " * (length - 1)) == said


_SENTENCES = [
    ("Yes and no", None, False),
    ("Both yes and no", None, False),
    ("Ja und nein", None, False),
    ("yes/no", None, False),
    ("yes or no", None, False),
    ("It is true and not false", True, False),
    ("Maybe yes, maybe no", None, False),
    ("Perhaps yes", True, False),
    ("I don't know", None, False),
    ("I don't know. Yes.", True, True),
    ("Is it true?", None, False),
    ("No, why would it?", False, True),
    ("Right now it is false", False, False),
    ("Never mind, yes", True, True),
    ("Absolutely not", False, True),
    ("Of course", True, True),
    ("Well, of course not", False, True),
    ("of course it is", True, True),
    ("The answer: no", False, True),
    ("Not really", False, True),
    ("It is not really true", False, False),
    ("No body", None, False),
    ("one body", None, False),
    ("No longer", None, False),
    ("true", True, True),
    ("It isn't false", True, False),
    ("He said yes, but the answer is no", False, True),
    ("I thought no, but yes", True, True),
    ("不是", False, False),
    ("是", True, False),
    ("对", True, False),
    ("不", False, False),
    ("はい", True, False),
    ("Tidak", False, True),
    ("Ya, benar", True, True),
    ("Nein, leider", False, True),
    ("No. Wait, yes.", True, True),
    ("Yes. No.", None, True),
    ("Yes. Actually, no.", False, True),
    ("It is unlikely", False, False),
    ("That follows", True, False),
    ("invalid", False, False),
    ("It does not hold", None, False),
    ("not", False, True),
    ("never", False, True),
    ("So", None, False),
    ("So it is", None, False),
    ("Sure thing", None, False),
    ("Ja so", True, True),
    ("correct because it is", True, True),
    ("wrong since it moved", False, True),
    ("true or false", None, False),
    ("Yes?", True, True),
    ("no (it is not)", False, True),
    ("Yes - it is", True, True),
    ("ya benar", True, True),
    ("yes so", True, True),
    ("true so", True, False),
    ("it holds and is valid", True, False),
    ("it holds and is invalid", None, False),
    ("yes" + " word" * 60, None, False),
]
"""A text, what it says, and whether a sentence of it begins with that."""


def test_a_sentence_says_yes_no_or_neither_and_begins_with_it_or_not() -> None:
    assert [(text, read_boolean(text), answers_outright(text)) for text, _, _ in _SENTENCES] == _SENTENCES


_READ = r"""
yes => yes outright
No. => no outright
y => yes outright
n => no outright
Yes, it is. => yes outright
Yes it is => yes outright
No, because it rains. => no outright
No one knows. => -
No longer. => -
No idea => -
no body => -
No more => -
Right now it rains. => -
Right. => yes outright
Right, so it is. => yes outright
Wrong, it isn't. => no outright
Correct because it rains => yes outright
True => yes outright
It is true. => yes
It is not true. => no
It isn't false. => yes
It is never not true. => yes
It holds. => yes
It is valid. => yes
It is invalid. => no
not valid => no
That's inaccurate. => no
Unlikely. => no
No doubt: yes => yes outright
There is no question about it, yes => yes outright
Never mind, yes => yes outright
Never => no outright
Not => no outright
not so => no outright
Not really. => no outright
Not quite => no outright
It is absolutely not so. => no outright
Certainly not. => no outright
Of course. => yes outright
Of course not. => no outright
By all means => yes outright
Nothing of the sort => no outright
the answer is yes => yes outright
The answer: no => no outright
Final answer is no => no outright
Answer - yes => yes outright
My answer is yes, because it is not far. => yes outright
Maybe => -
Maybe yes, maybe no => -
Yes and no => -
both yes and no => -
yes or no => -
true or false => -
Is it true? => -
Is it true? Yes. => yes outright
No, why would it? => no outright
I don't know. => -
I don't know, yes => -
Yes, I don't know why. => yes outright
I am not sure. Yes. => yes outright
It depends. => -
Some say yes, but no. => no outright
I thought yes, but the answer is no. => no outright
I first said no; however, yes => yes outright
Wait, no. Yes. => yes outright
Yes. Wait, no. => no outright
Yes. No. => - outright
Yes. Yes. => yes outright
No. Sorry, yes. => yes outright
Result: yes => yes outright
Result: the thing => -
It is 5: no => no outright
是 => yes
不是 => no
不对 => no
对 => yes
不知道 => -
いいえ => no
はい => yes
わかりません => -
ja => yes outright
nein => no outright
Ja, so ist es. => yes outright
Ja und nein => -
Vielleicht => -
Natürlich nicht => no outright
Das ist falsch. => no
tidak => no outright
Ya, benar. => yes outright
Tidak benar. => no outright
bukan => no outright
Oui => yes outright
Non, pas du tout. => no outright
si => yes outright
Sí, claro => yes outright
no sé => -
Claro que no => no outright
не знаю => -
So yes => yes
One, two, three, four, five, six, yes => yes
absolutely => yes outright
Absolutely right => yes outright
definitely so => yes outright
surely it is => yes outright
indeed => yes outright
It is certain that the thing over there which we saw long ago is true => yes
"""
"""Texts, what they answer, and whether a sentence begins with it."""


def answered(text: str) -> str:
    said = {True: "yes", False: "no", None: "-"}[read_boolean(text)]
    return said + (" outright" if answers_outright(text) else "")


def test_a_text_answers_yes_or_no_or_neither() -> None:
    assert differing(_READ, answered) == []


def test_an_accent_makes_a_yes_in_italian() -> None:
    assert read_boolean("Sì") is True
    assert read_boolean("Sì, certo.") is True
