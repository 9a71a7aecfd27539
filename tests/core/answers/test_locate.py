"""Where an extracted answer stands in a response, and what the response does with it."""

from __future__ import annotations

from modex.core.answers.kinds import expected_answer
from modex.core.answers.locate import formulas_of, locate
from tests.core.answers.tables import differing

_LOCATED = r"""
numeric|18|It is $18.00. => found '$18.00' @6
numeric|18|It is 19. => absent
numeric|18|It is eighteen. => found 'eighteen' @6
numeric|18|It is not 18. => found '18' @10 denied
numeric|18|18. No: 19. Then 18. => found '18' @17
numeric|-5|It is -5. => found '-5' @6
numeric|5|It is -5. => absent
numeric|1|It is a cat. => found
numeric|1|The cat. => absent
numeric|1|one => found
boolean|yes|That is correct. => found 'That is correct.' @0
boolean|yes|That is not correct. => absent
choice|B|So B. => found 'B' @3
choice|B|It is blue. => found
choice|B|It is green. => absent
choice|B|A then C => absent
choice|B|(b) and B => found 'B' @8
date|26 April 1986|on 1986-04-26 => found '1986-04-26' @3
date|26 April 1986|26 April 1986, not 27 => found '26 April 1986' @0
date|26 April 1986|27 April 1986 => absent
math|x^2|y = x ^ 2. => found 'x ^ 2' @4
math|x^2|y = x^3 => absent
math|0.5|It is 1/2. => found '1/2' @6
math|4|2+2 gives 4 => found '4' @10
math|2/4|so it is 1/2 => found '1/2' @9
exact_match|the cat|It is the  CAT. => found 'the  CAT' @6
exact_match|the cat|a dog => absent
exact_match|cat|It is not a cat. => found 'cat' @12 denied
exact_match|cat|a cat. no, not the cat => found 'cat' @19 denied
exact_match|“cat”|a "cat" => found 'cat' @3
"""
"""A type, an answer and a response: whether it is there, as what, where, and what is done with it."""
_OPTIONS = {"A": "red", "B": "blue", "C": "green"}


def located(line: str) -> str:
    kind, answer, response = line.split("|")
    options = {"options": _OPTIONS} if kind == "choice" else {}
    found = locate(answer, response, expected_answer({"type": kind, "value": answer, **options}))
    told = ["found" if found.found else "absent"]
    if found.span is not None:
        told += [f"{response[slice(*found.span)]!r} @{found.span[0]}"]
    return " ".join([*told, *([found.standing.stance] if found.standing else [])])


def test_an_answer_is_found_by_its_value_or_its_words() -> None:
    assert differing(_LOCATED, located) == []


_GIVEN = r"""
The value is 5. => 13 5
x = 5 => 4 5
x = 5 = 6 => 8 6
It is not 5 =>
It is: 5 => 7 5; 7 5
The value is 5 and gives 6 => 25 6
no verb =>
It equals x^2 + 1. => 10 x^2 + 1
a: b => 3 b
"""


def test_a_sentence_gives_a_formula_behind_its_verb_or_its_sign() -> None:
    assert differing(_GIVEN, lambda text: "; ".join(f"{at} {found}" for at, found in formulas_of(text))) == []
