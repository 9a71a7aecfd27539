"""Questions that are alike, and golds that stand in what is asked."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.features.suite_faults.finding import SuiteFinding
from modex.core.features.suite_faults.gather import ExaminedTest
from modex.core.features.suite_faults.texts import leaked, repeated
from tests.rows import each_row


def _item(
    number: int, prompt: str, expected: Any = "x", *, domain: str = "d", cluster: str | None = None, system: str = ""
) -> ExaminedTest:
    return ExaminedTest(("s", domain, 1, str(number)), 100 + number, prompt, expected, cluster, system)


def _items(*prompts: str, **fields: Any) -> list[ExaminedTest]:
    return [_item(number, prompt, **fields) for number, prompt in enumerate(prompts)]


def _told(found: SuiteFinding) -> tuple[str, list[str], dict[str, Any]]:
    return found.kind, [key[3] for key in found.tests], dict(found.figures)


@each_row(
    ("prompts", "found"),
    [
        (("Same?", "Other!", "same ?"), [("same_question", ["0", "2"], {"tests_alike": 2, "golds": 1})]),
        (("", "", "..."), []),
        (("Who?", "Who!"), []),
        (("a b c d e f g h", "a b c d e f g"), []),
        (("a b c d e f g", "a b c d e f g h"), []),
    ],
)
def test_word_for_word_the_same_is_one_finding(prompts: tuple[str, ...], found: list[Any]) -> None:
    assert [_told(one) for one in repeated(_items(*prompts))] == found


def test_golds_that_differ_for_one_question_are_told_and_another_system_prompt_is_another_question() -> None:
    same, = repeated([_item(0, "q", 1), _item(1, "q", 2), _item(2, "q", 2)])  # fmt: skip
    assert (_told(same)[2], same.samples) == ({"tests_alike": 3, "golds": 2}, (100, 101, 102))
    assert same.words == "3 tests ask word for word the same; their golds differ"
    assert [one.words for one in repeated(_items("q", "q"))] == ["2 tests ask word for word the same"]
    assert not list(repeated([_item(0, "q", system="a"), _item(1, "q", system="b")]))


_WORDS = [f"w{number}" for number in range(40)]


def _text(*ends: str, of: int = 20) -> str:
    return " ".join([*_WORDS[: of - len(ends)], *ends])


@each_row(
    ("prompts", "share"),
    [
        ((_text(), _text("x")), 17 / 19),  # 18 triples each, the last of them other ones
        ((_text(), _text("x", "y")), 16 / 20),
        ((_text(), _text("x", "y", "z")), None),
        ((_text(of=8), _text("x", of=8)), None),
        ((_text(of=8), _text(of=9)), 6 / 7),
        ((_text(of=7), _text(of=8)), None),
        ((_text(), _text(of=22)), 18 / 20),
        ((_text(), _text(of=23)), 18 / 21),
        ((_text(), _text(of=24)), 18 / 22),
        ((_text(), _text(of=25)), None),
    ],
)
def test_questions_that_share_four_fifths_of_their_word_triples_are_alike(
    prompts: tuple[str, str], share: float | None
) -> None:
    for given in (prompts, prompts[::-1]):
        found = list(repeated(_items(*given)))
        if share is None:
            assert found == []
        else:
            assert [_told(one) for one in found] == [
                ("alike", ["0", "1"], {"tests_alike": 2, "shared": pytest.approx(share)})
            ]


def test_questions_linked_by_others_are_one_group_with_the_least_share_that_links_them() -> None:
    chain = [_text(of=20), _text(of=22), _text(of=25), " ".join(reversed(_WORDS[:20])), _text(of=20)]
    same, group = repeated(_items(*chain))
    assert _told(same) == ("same_question", ["0", "4"], {"tests_alike": 2, "golds": 1})
    assert _told(group) == ("alike", ["0", "1", "2"], {"tests_alike": 3, "shared": pytest.approx(20 / 23)})
    assert "at least 87 % of their words" in group.words
    assert group.samples == (100, 101, 102)


@each_row(
    ("clusters", "found"), [(("c", "c"), 0), (("c", "e"), 1), ((None, None), 1), (("c", None), 1)]
)  # fmt: skip
def test_questions_of_one_cluster_are_known_to_be_alike(clusters: tuple[str | None, ...], found: int) -> None:
    items = [_item(number, _text(of=20 + number), cluster=cluster) for number, cluster in enumerate(clusters)]
    assert len(list(repeated(items))) == found


@each_row(
    ("prompt", "expected", "found"),
    [
        ("Where is the Eiffel Tower? Paris or Rome?", "Paris", ("prompt", False)),
        ("Where? The answer is Paris.", "paris", ("prompt", True)),
        ("Solution: **Paris**", "Paris", ("prompt", True)),
        ("Paris. The answer is Paris.", "Paris", ("prompt", True)),
        ("Parisian life", "Paris", None),
        ("See xParis", "Paris", None),
        ("abc", "abc", None),
        ("abcd", "abcd", ("prompt", False)),
        ("Add 42 and 1.", 42, None),
        ("Add 4200 and 1.", 4200, ("prompt", False)),
        ("Add 4200.5 and 1.", 4200, None),
        ("Add 14200 and 1.", 4200, None),
        ("The result is 42", 42, ("prompt", True)),
        ("The result is 42.5", 42, None),
        ("The answer is " + " " * 30 + "Paris", "Paris", ("prompt", False)),
        ("Is it true? The answer is yes.", {"type": "boolean", "value": True}, None),
        ("Which? The answer is B.", {"type": "choice", "value": "B"}, None),
        ("Where?", "Paris", None),
        ("Berlin or not", {"value": "Paris", "aliases": ["Berlin"]}, ("prompt", False)),
        ("x", {"type": "nonsense"}, None),
    ],
)
def test_a_gold_is_found_as_whole_words_and_a_short_one_where_it_is_called_the_answer(
    prompt: str, expected: Any, found: tuple[str, bool] | None
) -> None:
    findings, ways = leaked([_item(0, prompt, expected)])
    assert [(one.figures["where"], one.figures["told"]) for one in findings] == ([] if found is None else [found])
    assert ways == []


def test_what_the_system_prompt_says_goes_first_and_what_is_told_anywhere_goes_before_it() -> None:
    (one,), _ = leaked([_item(0, "Paris", "Paris", system="Think of Paris.")])
    assert one.figures == {"where": "system prompt", "told": False}
    (other,), _ = leaked([_item(0, "The answer is Paris", "Paris", system="Think of Paris.")])
    assert (other.figures, other.tests, other.samples) == (
        {"where": "prompt", "told": True}, (("s", "d", 1, "0"),), (100,)
    )  # fmt: skip


@each_row(
    ("with_gold", "tests", "usual"),
    [(1, 5, False), (2, 5, True), (1, 4, False), (2, 8, True), (2, 9, False), (4, 4, False)],
)
def test_where_a_domain_asks_so_only_golds_that_are_called_the_answer_are_findings(
    with_gold: int, tests: int, usual: bool
) -> None:
    items = [_item(number, "Read: Paris." if number < with_gold else "Read.", "Paris") for number in range(tests)]
    findings, ways = leaked([*items, _item(99, "Paris", "Paris", domain="other")])
    assert [one.tests[0][1] for one in findings] == (["other"] if usual else ["d"] * with_gold + ["other"])
    assert len(ways) == usual
    if usual:
        assert ways[0].startswith(f"d: the gold stands in the prompt of {with_gold} of {tests} tests")
        findings, _ = leaked([*items[:-1], _item(tests, "The answer is Paris", "Paris")])
        assert [one.figures["told"] for one in findings] == [True]


def test_golds_that_are_called_the_answer_come_first() -> None:
    findings, _ = leaked(
        [_item(0, "Paris", "Paris"), _item(1, "The answer is Paris", "Paris"), _item(2, "Paris", "Paris")]
    )
    assert [one.tests[0][3] for one in findings] == ["1", "0", "2"]
