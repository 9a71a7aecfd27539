"""What is known of a test from its answers."""

from __future__ import annotations

from collections import Counter

from modex.core.features.suite_faults.gather import ExaminedTest, GatheredSuite, Went
from tests.rows import each_row


def _item(name: str, models: dict[str, Went]) -> ExaminedTest:
    return ExaminedTest(("s", "d", 1, name), 1, "q", None, None, models=models)


@each_row(
    ("scores", "answers", "wrong"),
    [
        ([0.0], {"a": 1, "b": 2}, "b"),
        ([0.69], {"a": 1}, "a"),
        ([0.7], {"a": 1}, None),
        ([0.0, 1.0], {"a": 1}, "a"),
        ([0.5, 1.0], {"a": 1}, None),
        ([0.0], {}, None),
    ],
)
def test_a_model_is_wrong_by_what_it_says_most_often_where_it_does_not_pass(
    scores: list[float], answers: dict[str, int], wrong: str | None
) -> None:
    assert Went(scores, Counter(answers)).wrong == wrong


def test_tests_without_a_verdict_are_no_rows_of_the_matrix() -> None:
    items = [_item("1", {"a": Went([1.0, 0.5]), "b": Went([0.0])}), _item("2", {})]
    assert items[0].name == "d/1/1"
    assert GatheredSuite(items, 1, ("a", "b"), 0).matrix() == {("s", "d", 1, "1"): {"a": 0.75, "b": 0.0}}
