"""What the models' verdicts say of a test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from modex.core.features.suite_faults.gather import ExaminedTest, GatheredSuite, Went, one_form
from modex.core.features.suite_faults.verdicts import against_rest, alike, correlations, gold_suspects, judges_differ
from modex.core.statistics.items import ItemRest
from tests.rows import each_row


def _item(name: str, models: dict[str, Went] | None = None, **fields: Any) -> ExaminedTest:
    return ExaminedTest(("s", "d", 1, name), int(name, 36), "q", None, None, models=models or {}, **fields)


def _went(*scores: float, **answers: int) -> Went:
    return Went(list(scores), Counter(answers))


def _models(*scores: float) -> dict[str, Went]:
    return {f"m{number}": _went(score) for number, score in enumerate(scores)}


@each_row(
    ("item", "told"),
    [
        (_item("1"), None),
        (_item("1", errors=Counter(a=2)), None),
        (_item("1", errors=Counter(a=1, b=2)),
         ("no_verdict", "3 answers, none with a verdict: 2 b, 1 a", {"errors": {"a": 1, "b": 2}})),
        (_item("1", _models(1, 1), errors=Counter(a=9)), None),
        (_item("1", _models(1, 1, 1)), ("all_pass", "passed by all 3 models", {"models": 3, "passed": 3, "answers": 3})),
        (_item("1", _models(1, 1, 0.9)), None),
        (_item("1", _models(0.7, 0, 0)), None),
        (_item("1", _models(0.69, 0, 0)),
         ("all_fail", "passed by none of 3 models in 3 answers", {"models": 3, "passed": 0, "answers": 3})),
        (_item("1", {**_models(0, 0), "x": _went(0, 1)}, errors=Counter(a=1, b=1)),
         ("all_fail", "passed by none of 3 models in 4 answers; 2 errors beside", {"models": 3, "passed": 0, "answers": 4})),
    ],
)  # fmt: skip
def test_tests_that_tell_nobody_apart_from_three_models_on(
    item: ExaminedTest, told: tuple[str, str, dict[str, Any]] | None
) -> None:
    found = [(one.kind, one.words, one.figures) for one in alike([item])]
    assert found == ([] if told is None else [told])


def test_tests_that_go_against_the_rest_beyond_doubt_are_told_the_worst_first() -> None:
    rest = {
        item.key: one
        for item, one in (
            (_item("1"), ItemRest(-0.5, 20)), (_item("2"), ItemRest(-0.8, 20)),
            (_item("3"), ItemRest(-0.4, 20)), (_item("4"), None),
        )
    }  # fmt: skip
    found = list(against_rest([_item(name) for name in "12345"], rest))
    assert [one.tests[0][3] for one in found] == ["2", "1"]
    assert found[0].figures == {"correlation": -0.8, "ci_high": ItemRest(-0.8, 20).high, "models": 20}


def _suite(*suspects: ExaminedTest, models: int) -> GatheredSuite:
    """Models of which the first are the ablest: each passes one more of the easy tests than the next."""
    easy = [
        _item(f"e{number}", {f"m{model}": _went(float(model <= number)) for model in range(models)})
        for number in range(models)
    ]
    return GatheredSuite([*easy, *suspects], 1, tuple(f"m{model}" for model in range(models)), 0)


def _suspect(name: str, models: int, able: Sequence[tuple[str, float]], others: str = "") -> ExaminedTest:
    went = {}
    for model in range(models):
        answer, score = able[model] if model < len(able) else (others, 0.0)
        went[f"m{model}"] = _went(score, **({answer: 1} if answer else {}))
    return _item(name, went)


_ALIKE, _OTHER, _PASS, _SILENT = ("x", 0.0), ("y", 0.0), ("", 1.0), ("", 0.0)


@each_row(
    ("able", "figures"),
    [
        ([_ALIKE] * 4, (4, 4, 0)),
        ([_ALIKE] * 3 + [_OTHER], (3, 4, 0)),
        ([_ALIKE] * 3 + [_PASS], (3, 4, 1)),
        ([_ALIKE] * 2 + [_OTHER] * 2, None),
        ([_ALIKE] * 3 + [_OTHER] * 3, (3, 6, 0)),
        ([_ALIKE] * 3 + [_OTHER] * 4, (4, 7, 0)),
        ([_ALIKE] * 3 + [_OTHER] * 2 + [_SILENT] * 2, None),
        ([_ALIKE] * 3 + [_PASS] * 3, None),
        ([_SILENT] * 4, None),
    ],
)
def test_a_gold_is_doubted_where_the_abler_half_agrees_on_another_answer(
    able: list[tuple[str, float]], figures: tuple[int, int, int] | None
) -> None:
    models = 2 * len(able)
    found = list(gold_suspects(_suite(_suspect("s", models, able, "x"), models=models), {}))
    told = [(one.figures["agreeing"], one.figures["able"], one.figures["passed"]) for one in found]
    assert told == ([] if figures is None else [figures])
    for one in found:
        others = len(able) if one.written["answer"] == "x" else 0
        assert (one.figures["correlation"], one.figures["others"]) == (None, others)


def test_the_most_agreement_comes_first_and_of_even_ones_what_goes_most_against_the_rest() -> None:
    models = 8
    most = _suspect("m", models, [_ALIKE] * 4)
    less, worse = (_suspect(name, models, [_ALIKE] * 3 + [_OTHER]) for name in "lw")
    gathered = _suite(less, worse, most, models=models)
    rest = {less.key: ItemRest(-0.1, 8), worse.key: ItemRest(-0.6, 8)}
    found = list(gold_suspects(gathered, rest))
    assert [one.tests[0][3] for one in found] == ["m", "w", "l"]
    assert [one.figures["correlation"] for one in found] == [None, -0.6, -0.1]
    assert found[0].words == (
        "4 of the 4 abler models give one and the same other answer, 0 pass; of the 4 others 0 give it"
    )
    assert found[0].written == {"answer": "x"}
    assert set(correlations(gathered)) == {item.key for item in gathered.items}


@each_row(
    ("fields", "words"),
    [
        ({}, None),
        ({"said": 3, "voted": 3, "again": 3}, None),
        ({"differs": 1, "said": 3}, "people hold 1 of 3 verdicts to be wrong"),
        ({"split": 1, "voted": 1}, None),
        ({"split": 2, "voted": 10}, "judges split on 2 of 10 answers"),
        ({"split": 2, "voted": 11}, None),
        ({"flipped": 1, "again": 9}, "judged again by the same judge, 1 of 9 went the other way"),
        ({"differs": 1, "said": 1, "split": 2, "voted": 2, "flipped": 1, "again": 1},
         "people hold 1 of 1 verdicts to be wrong; judges split on 2 of 2 answers; judged again by the same judge, 1 of 1"
         " went the other way"),
    ],
)  # fmt: skip
def test_verdicts_are_in_doubt_where_people_or_judges_say_otherwise(fields: dict[str, Any], words: str | None) -> None:
    found = list(judges_differ([_item("1", **fields)]))
    assert [one.words for one in found] == ([] if words is None else [words])


def test_the_verdicts_in_most_doubt_come_first() -> None:
    items = [
        _item("1", differs=1, said=4), _item("2", split=2, voted=4), _item("3", flipped=3, again=4),
        _item("4", differs=1, said=3),
    ]  # fmt: skip
    found = list(judges_differ(items))
    assert [one.tests[0][3] for one in found] == ["3", "2", "4", "1"]
    assert found[0].figures == {"differs": 0, "said": 0, "split": 0, "voted": 0, "flipped": 3, "again": 4}


@each_row(
    ("scores", "answers", "wrong"),
    [((0.0,), {"x": 1}, "x"), ((1.0, 0.5), {"x": 1}, None), ((1.0, 0.0), {"x": 1, "y": 2}, "y"), ((0.0,), {}, None)],
)
def test_what_a_model_answers_wrong_most_often(
    scores: tuple[float, ...], answers: dict[str, int], wrong: str | None
) -> None:
    assert _went(*scores, **answers).wrong == wrong


@each_row(
    ("answer", "form"),
    [("  (Paris). ", "paris"), ("A  b\nC", "a b c"), ("1,000.50", "1000.5"), ("+7", "7"), ("-0.10", "-0.1"), ("7 m", "7 m"),
     ("7.", "7"), ("1.2.3", "1.2.3"), ("$5", "5")],
)  # fmt: skip
def test_one_form_stands_for_all_ways_of_writing_an_answer(answer: str, form: str) -> None:
    assert one_form(answer) == form
