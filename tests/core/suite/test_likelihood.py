"""Tests whose options are compared by likelihood: what stands before each option, what is wrong with one, which tests can be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from modex.core.suite.definitions import Location, PromptLayer, TestCase
from modex.core.suite.likelihood import LikelihoodForm, by_likelihood, is_comparable, likelihood_faults, named
from tests.rows import each_row

FORM = {"context": "Question: which?\nAnswer:", "options": ["red", "blue"]}


def case(**changes: Any) -> TestCase:
    said: dict[str, Any] = {
        "source": "rows", "domain": "d", "level": 1, "test_id": "t", "prompt": "which?", "expected": "B",
        "evaluator_id": "match", "location": Location("f", 1),
    }  # fmt: skip
    return TestCase(**{**said, **changes})


def test_each_option_stands_behind_the_context_and_the_delimiter() -> None:
    form = LikelihoodForm.of(FORM)
    assert form.options == {"A": "red", "B": "blue"}
    assert form.pairs == ((FORM["context"], " red"), (FORM["context"], " blue"))
    assert form.measured == ("red", "blue")
    assert LikelihoodForm.of({**FORM, "delimiter": "\n"}).pairs[0][1] == "\nred"


def test_options_inside_of_one_text_have_contexts_of_their_own() -> None:
    form = LikelihoodForm.of(
        {"context": ["The red", "The deep blue"], "options": ["red", "blue"], "continuation": "sea."}
    )
    assert form.pairs == (("The red", " sea."), ("The deep blue", " sea."))
    assert form.measured == ("The red", "The deep blue")


def test_options_have_letters_or_numbers_or_their_own_names() -> None:
    assert list(named(["x"] * 26))[-1] == "Z"
    assert list(named(["x"] * 27)) == [str(number) for number in range(1, 28)]
    assert named({1: "x", "b": 2}) == {"1": "x", "b": "2"}


@each_row(
    "row",
    [
        (FORM, 0),
        ({"context": ["a", "b"], "options": ["x", "y"], "continuation": "z"}, 0),
        ({**FORM, "options": ["x"]}, 1),
        ({**FORM, "options": ["x", 2]}, 1),
        ({**FORM, "options": ["x", ""]}, 1),
        ({**FORM, "options": "xy"}, 1),
        ({**FORM, "context": " "}, 1),
        ({**FORM, "context": 3}, 1),
        ({**FORM, "delimiter": 3}, 1),
        ({**FORM, "choice": []}, 1),
        ({"context": ["a"], "options": ["x", "y"], "continuation": "z"}, 1),
        ({"context": ["a", " "], "options": ["x", "y"], "continuation": "z"}, 1),
        ({"context": ["a", "b"], "options": ["x", "y"]}, 1),
        ({}, 1),
    ],
    ids=str,
)
def test_faults_are_named(row: tuple[dict[str, Any], int]) -> None:
    value, number = row
    assert len(list(likelihood_faults(value))) == number


def test_letters_are_compared_behind_the_question_with_its_options() -> None:
    assert LikelihoodForm.of(FORM).letters("which?") == ("which?\nA. red\nB. blue\nAnswer:", ("A", "B"))
    shown = "which?\n\nA. red\nB. blue"
    assert LikelihoodForm.of(FORM).letters(shown) == (f"{shown}\nAnswer:", ("A", "B"))


def test_options_that_are_letters_are_compared_behind_their_own_context() -> None:
    form = LikelihoodForm.of({"context": "x\nA. 1\nB. 2\nAnswer:", "options": {"A": "A", "B": "B"}})
    assert form.letters("x") == ("x\nA. 1\nB. 2\nAnswer:", ("A", "B"))


def test_options_with_longer_names_have_no_letters() -> None:
    assert LikelihoodForm.of({**FORM, "options": {"yes": "yes", "no": "no"}}).letters("x") is None


def test_a_test_of_options_is_compared_with_its_gold_by_name() -> None:
    choice = {"type": "choice", "value": "A", "options": {"A": "red", "B": "blue"}}
    found = by_likelihood(case(expected=choice, evaluator_id="two_pass", rollout="reasoning"))
    assert (found.evaluator_id, found.expected, found.rollout) == ("loglikelihood", "A", "direct")
    assert found.likelihood == {"context": "which?\nAnswer:", "options": {"A": "A", "B": "B"}}


@each_row("row", [("B", "B"), ("blue", "B"), (1, "B"), ({"value": "B"}, "B"), (["A", "blue"], ["A", "B"])], ids=str)
def test_a_gold_is_the_name_of_its_option(row: tuple[Any, Any]) -> None:
    gold, name = row
    assert by_likelihood(case(expected=gold, likelihood=FORM)).expected == name


def test_a_gold_that_is_no_option_cannot_be_asked() -> None:
    assert by_likelihood(case(expected="green", likelihood=FORM)).invalid == "its gold is none of its options"
    assert by_likelihood(case(expected=None, lacks_gold=True, likelihood=FORM)).invalid is None


def test_a_row_is_not_told_how_to_write_its_answer() -> None:
    layers = (
        PromptLayer("domain", "Be brief.", "append", Location("f")),
        PromptLayer("test", "End so.", "append", Location("f")),
    )
    asked = case(likelihood=FORM, layers=layers)
    assert [one.text for one in by_likelihood(asked).layers] == ["Be brief."]
    assert by_likelihood(replace(asked, source="suite")).layers == layers


def test_tests_without_options_and_those_that_are_asked_so_already_stay() -> None:
    plain, own = case(), case(likelihood=FORM, evaluator_id="loglikelihood")
    assert by_likelihood(plain) is plain
    assert not is_comparable(plain)
    assert by_likelihood(own) is own
    assert is_comparable(own)
    assert not is_comparable(case(expected={"type": "numeric", "value": 3}))
    assert not is_comparable(case(expected={"type": "choice", "value": "A"}))
