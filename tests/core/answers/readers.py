"""What each reader says of a text, written on a line: for tables of cases whose parts stand between bars.

A line of such a table is `part|part|text => what is said`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from modex.core.answers.asked import asked_answer
from modex.core.answers.assertion import find_assertion, read_text, same_answer
from modex.core.answers.assertion.choosing import choose
from modex.core.answers.assertion.comparatives import compares_otherwise
from modex.core.answers.assertion.golds import gold_forms
from modex.core.answers.assertion.items import items_of
from modex.core.answers.assertion.letters import denied, letters_given
from modex.core.answers.assertion.quantities import quantities_of
from modex.core.answers.assertion.turns import turns_of
from modex.core.answers.assertion.wordforms import (
    demonym,
    derived,
    key,
    misspelled,
    number_of,
    related,
    roman_of,
    same_given_name,
    shortened,
    sounds_alike,
)
from modex.core.answers.comparison import compare
from modex.core.answers.containment import holds_gold, sought_gold
from modex.core.answers.enumerated import judge_list
from modex.core.answers.final_answer import find_final_answer
from modex.core.answers.formulas.cleaning import cleaned
from modex.core.answers.formulas.statements import read_statement
from modex.core.answers.found import Compared
from modex.core.answers.free_text import judge_text
from modex.core.answers.golds import is_formula, type_of
from modex.core.answers.kinds import ExpectedAnswer, check_expected, expected_answer
from modex.core.answers.lists import same_joined, same_list
from modex.core.answers.locate import asserts, locate
from modex.core.answers.numbers.mathematics import compare_math
from modex.core.answers.numbers.reading import Number, joined_boxes, last_boxed, parse_number
from modex.core.answers.numbers.spans import number_spans, word_spans
from modex.core.answers.numbers.units import known_unit, same_unit
from modex.core.answers.numbers.words import read_words
from modex.core.answers.own import read_own
from modex.core.answers.stated_truth import stated_truth
from modex.core.answers.text.boolean import answers_outright, read_boolean
from modex.core.answers.text.choice import options_in, read_choice
from modex.core.answers.text.dates import AmbiguousDateError, dates_in, read_date
from modex.core.answers.text.times import times_in
from tests.core.answers.formulas.written import said

_TRUTHS = {True: "yes", False: "no", None: "-"}


def truth(text: str) -> str:
    """The truth value that a text gives; `!` where it answers outright."""
    return _TRUTHS[read_boolean(text)] + ("!" if answers_outright(text) else "")


def truth_stated(question: str, text: str) -> str:
    """The truth value that a text gives by stating what is asked, and its words."""
    found = stated_truth(text, question)
    return "-" if found is None else f"{_TRUTHS[found.truth]} {text[found.start : found.end]!r}"


def _options(listed: str) -> Mapping[str, str]:
    return {letter: text for letter, _, text in (one.strip().partition(" ") for one in listed.split(";"))}


def chosen(listed: str, text: str) -> str:
    """The option that a text chooses, where; letters that it gives by rank, and those that it rules out."""
    options = _options(listed)
    found = choose(text, options)
    own = "-" if found is None else f"{found.letter} {found.how} {text[found.start : found.end]!r}"
    given = [f"{''.join(sorted(one.letters))}{one.rank}@{one.start}" for one in letters_given(text, options)]
    out = [
        f"not {letter}@{start}" for start, letter in sorted((start, letter) for letter, start in denied(text, options))
    ]
    return ", ".join([own, *given, *out])


def letter(listed: str, text: str) -> str:
    """The letter that a bare answer is."""
    return str(read_choice(text, _options(listed)))


def listed_options(question: str) -> str:
    """The options of a question."""
    return "; ".join(f"{name} {text}" for name, text in options_in(question).items())


def final(text: str) -> str:
    """The final answer of a text, how it was found and where it begins; `several` where the boxes are taken together."""
    found, several = find_final_answer(text), find_final_answer(text, several=True)
    own = "-" if found is None else f"{found.how}@{found.start} {found.text!r}"
    return own if found == several or several is None else f"{own}, several {several.text!r}"


def dates(text: str) -> str:
    """The dates of a text."""
    return ", ".join(f"{date} {text[start:end]!r}" for start, end, date in dates_in(text))


def date(locale: str, text: str) -> str:
    """The date that a text is; `?` where it may be two."""
    try:
        return str(read_date(text, locale or None))
    except AmbiguousDateError:
        return "?"


def times(text: str) -> str:
    """The times of day of a text, in minutes; `?` where the half of the day is open."""
    return ", ".join(
        f"{minutes}{'' if known else '?'} {text[start:end]!r}" for start, end, minutes, known in times_in(text)
    )


def _number(found: Number | None) -> str:
    if found is None:
        return "-"
    sign = "%" if found.percent else ""
    unit = f" {found.unit}" if found.unit else ""
    exact = "" if found.decimals is None else f" .{found.decimals} {found.significant} digits"
    return f"{found.value}{sign}{unit}{exact}"


def number(locale: str, text: str) -> str:
    """The number that a text is: value, percent, unit, decimals and significant digits."""
    return _number(parse_number(text, locale or "en"))


def numbers(locale: str, text: str) -> str:
    """The numbers of a text by digit, then those by word."""
    spans = [*number_spans(text, locale or "en"), *word_spans(text, locale or "en")]
    return ", ".join(f"{one.value}{'%' if one.percent else ''} {text[start:end]!r}" for start, end, one in spans)


def worded(locale: str, text: str) -> str:
    """The number in words that a text is."""
    found = read_words(text, locale or "en")
    return "-" if found is None else f"{found[0]} {found[1]}".strip()


def asserted(question: str, gold: str, text: str) -> str:
    """What a text does with a gold: stance, rule and words; `=` where it is the gold and nothing more."""
    found = find_assertion(read_text(text, question), [gold])
    told = (
        "-"
        if found.place is None
        else f"{found.stance} {found.place.rule} {text[found.place.start : found.place.end]!r}"
    )
    return f"{told} =" if same_answer(text, [gold]) is not None else told


def judged(question: str, gold: str, text: str) -> str:
    """Whether a response gives a gold in words, and what was compared."""
    found = judge_text(text, expected_answer(gold), question)
    return f"{'right' if found.right else 'wrong'} {found.answer!r} {found.extracted.state} {found.extracted.source}".strip()


def own(kind: str, question: str, text: str) -> str:
    """The answer of a type that a response gives by itself: how it was found, where, and its words."""
    listed, _, kind = kind.rpartition(":")
    options = _options(listed) if listed else {}
    found = read_own(text, ExpectedAnswer(kind, (), options=options), question)  # type: ignore[arg-type]
    if found is None:
        return "-"
    return f"{found.how}@{found.start} {found.text!r}" + (f" means {found.means}" if found.means else "")


def _told(part: Compared) -> str:
    told = [f"{name} {value}" for name, value in part.facts.items() if value not in (None, "", False)]
    return ", ".join([*([f"by {part.difference}"] if part.difference is not None else []), *told])


def typed(expected: str) -> Any:
    """`type:value`, or JSON."""
    if expected[:1] in "{[":
        return json.loads(expected)
    kind, colon, value = expected.partition(":")
    return {"type": kind, "value": value} if colon else expected


def equal(expected: str, text: str) -> str:
    """Whether a bare answer is the gold, and what the comparison knows."""
    right, part = compare(text, expected_answer(typed(expected)))
    return " ".join(["right" if right else "wrong", _told(part)]).strip()


def same_formula(gold: str, text: str) -> str:
    """Whether two formulas are equal, by which method, and their values."""
    found = compare_math(gold, text)
    values = [str(one) for one in (found.gold_value, found.answer_value) if one is not None]
    return " ".join(["equal" if found.equal else "other", found.method, " ".join(values)]).strip()


def statement(text: str) -> str:
    """What a formula states; its cleaned text where it is in words."""
    return said(read_statement(text)) or f"words {cleaned(text)!r}"


def enumerated(question: str, gold: str, text: str) -> str:
    """The verdict on a list; `-` where other rules judge it."""
    found = judge_list(text, expected_answer(typed(gold)), question)
    return "-" if found is None else f"{'right' if found.right else 'wrong'} {found.answer!r}"


def holds(question: str, gold: str, text: str) -> str:
    """Whether a gold stands in a response at all."""
    sought = sought_gold(typed(gold), question)
    return "-" if sought is None else _TRUTHS[holds_gold(text, sought)]


def lists(gold: str, text: str) -> str:
    """Whether two lists are the same, by items and joined."""
    return f"{_TRUTHS[same_list(gold, text)]} {_TRUTHS[same_joined(gold, text)]}"


def expects(expected: str) -> str:
    """The type and golds of what a test expects, or what is wrong with it."""
    faults = list(check_expected(typed(expected)))
    if faults:
        return "; ".join(faults)
    found = expected_answer(typed(expected))
    return f"{found.type} {list(found.golds)} {found.unit or ''} {type_of(found.golds[0])} {is_formula(found.golds[0])}"


def asks(kind: str, question: str, gold: str) -> str:
    """A gold as the question asks for it: type, unit, options."""
    found = asked_answer(gold, kind, question)
    return (
        f"{found.type} {found.unit or ''} {'as written' if found.as_written else ''} {' '.join(found.options)}".strip()
    )


def located(kind: str, answer: str, text: str) -> str:
    """Where an extracted answer stands in a response, and what that does with it."""
    found = locate(answer, text, expected_answer({"type": kind, "value": answer}))
    told = "absent" if not found.found else "found"
    if found.span is not None:
        told += f" {text[slice(*found.span)]!r}@{found.span[0]}" + ("" if asserts(text, *found.span) else " unasserted")
    return told + (f" {found.standing.stance}" if found.standing else "")


def pair(one: str, other: str) -> str:
    """How two words go together."""
    rules: dict[str, Callable[[str, str], bool]] = {
        "related": related, "misspelled": misspelled, "derived": derived, "demonym": demonym, "given name": same_given_name,
        "sounds": sounds_alike, "unit": same_unit,
    }  # fmt: skip
    return ", ".join(name for name, rule in rules.items() if rule(one, other))


def word(text: str) -> str:
    """A word's key, its number and its short form."""
    told = {"number": number_of(text), "roman": roman_of(text), "unit": known_unit(text) or None}
    return " ".join([key(text), shortened(text), *(f"{name} {one}" for name, one in told.items() if one is not None)])


def items(text: str) -> str:
    """The words of a text by their keys; `^` before one with a capital, `.` before a small word."""
    return " ".join(
        f"{'^' if one.capital else ''}{'.' if one.small else ''}{one.key}@{one.start}-{one.end}"
        for one in items_of(text)
    )


def quantities(text: str) -> str:
    """The quantities of a text in the base unit of their kind."""
    found = quantities_of(text, items_of(text))
    return ", ".join(f"{one.kind} {float(one.value):g} ±{float(one.step):g} {one.digits}" for one in found)


def forms(gold: str) -> str:
    """The ways to write a gold."""
    return "; ".join(
        f"{'name ' if one.name else ''}{one.joined}"
        + (f" head {one.head.key}" if one.head else "")
        + ("" if one.whole else " part")
        for one in gold_forms(gold)
    )


def turns(question: str, text: str) -> str:
    """The pieces of a response."""
    return " / ".join(
        repr(text[one.start : one.end]) + ("?" if one.restates else "") for one in turns_of(text, question)
    )


def otherwise(claim: str, clause: str) -> str:
    """Whether a clause turns the comparison of a claim."""
    return str(compares_otherwise(claim, clause))


def boxed(text: str) -> str:
    """The last box of a text, and its boxes together."""
    return f"{last_boxed(text)} / {joined_boxes(text)}"
