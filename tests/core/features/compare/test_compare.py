"""Two runs by the tests they share."""

from __future__ import annotations

import json
from typing import Any

import pytest

from modex.core.comparison.difference import PairedScores, difference_json
from modex.core.comparison.pairs import RunSide
from modex.core.comparison.questions import Questions
from modex.core.comparison.wording import verdict, would_show
from modex.core.features.compare.compare import Comparison, Unscored, compare, comparison_json, pairing_notes
from modex.core.statistics.discordant import mcnemar_exact
from modex.core.store.manager import DBDataManager
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from modex.core.store.selecting import SampleQuery
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample
from tests.rows import each_row


def scored(test_id: str, score: float, **fields: Any) -> EvaluationSample:
    return finished(sample(test_id, **fields), score=score)


def failing(test_id: str, **fields: Any) -> EvaluationSample:
    done = finished(sample(test_id, **fields))
    done.status, done.stage, done.score, done.error_type = "error", "rollout", None, "timeout"
    return done


def test_flips_and_differences_are_counted_by_test(manager: DBDataManager, store: Store) -> None:
    first = store("a", [scored("1", 0.0), scored("2", 1.0), scored("3", 1.0), scored("4", 0.0), scored("5", 0.0)])
    second = store("b", [scored("1", 1.0), scored("2", 0.5), scored("3", 1.0), scored("4", 1.0), scored("6", 1.0)])
    found = compare(manager.reader, first, second)
    assert found.overall is not None
    assert (found.overall.n, found.overall.gained, found.overall.lost) == (4, 2, 1)
    assert found.overall.mean == pytest.approx((1 - 0.5 + 0 + 1) / 4)
    assert (found.overall.first_rate, found.overall.second_rate) == (0.5, 0.75)
    assert found.overall.mcnemar_p == mcnemar_exact(2, 1)
    assert [(pair.key[3], pair.flip) for pair in found.flips] == [("2", "lost"), ("1", "gained"), ("4", "gained")]
    assert [key[3] for key in found.only_first] == ["5"]
    assert [key[3] for key in found.only_second] == ["6"]


def test_of_chosen_tests_alone_the_flips_and_those_of_one_run_are_told(manager: DBDataManager, store: Store) -> None:
    first = store("a", [scored("1", 0.0), scored("2", 1.0), scored("3", 1.0), scored("5", 0.0), scored("6", 0.0)])
    second = store("b", [scored("1", 1.0), scored("2", 0.5), scored("3", 1.0), scored("4", 1.0), scored("7", 1.0)])
    found = compare(manager.reader, first, second, query=SampleQuery(test_ids=("2", "3", "4", "5")))
    assert found.overall is not None
    assert (found.overall.n, found.overall.gained, found.overall.lost) == (2, 0, 1)
    assert [(pair.key[3], pair.flip) for pair in found.flips] == [("2", "lost")]
    assert ([key[3] for key in found.only_first], [key[3] for key in found.only_second]) == (["5"], ["4"])


def test_a_pass_rate_is_of_answers_and_flips_are_of_tests(manager: DBDataManager, store: Store) -> None:
    def tries(test_id: str, *scores: float) -> list[EvaluationSample]:
        return [scored(test_id, score, epoch=number) for number, score in enumerate(scores, 1)]

    first = store("a", [*tries("1", 1, 1, 0, 0), *tries("2", 0, 0, 0, 1)])
    second = store("b", [*tries("1", 1, 1, 1, 0), *tries("2", 1, 1, 0, 1)])
    found = compare(manager.reader, first, second).overall
    assert found is not None
    assert (found.first_rate, found.second_rate) == (3 / 8, 6 / 8)
    assert (found.first_passed, found.second_passed, found.gained, found.several_answers) == (0, 2, 2, True)
    told = difference_json(found)
    assert told is not None
    assert (told["pass_rate"]["first"], told["first_rate"]) == (3 / 8, 0.0)
    assert found.turned().first_rate == 6 / 8


def test_an_error_is_no_flip(manager: DBDataManager, store: Store) -> None:
    first = store("a", [scored("1", 1.0), scored("2", 1.0)])
    second = store("b", [failing("1"), scored("2", 1.0)])
    found = compare(manager.reader, first, second)
    assert found.overall is not None
    assert (found.overall.n, found.unscored, found.flips) == (1, 1, [])


def test_tests_of_one_name_in_two_places_are_two_tests(manager: DBDataManager, store: Store) -> None:
    first = store("a", [scored("1", 1.0, level=1), scored("1", 0.0, level=2), scored("1", 0.0, source="x")])
    second = store("b", [scored("1", 1.0, level=1), scored("1", 1.0, level=2), scored("1", 0.0, source="x")])
    found = compare(manager.reader, first, second)
    assert [pair.key for pair in found.flips] == [("suite", "d", 2, "1")]


def test_epochs_are_averaged_before_comparing(manager: DBDataManager, store: Store) -> None:
    first = store("a", [scored("1", 1.0, epoch=1), scored("1", 0.0, epoch=2)])
    second = store("b", [scored("1", 1.0, epoch=1)])
    found = compare(manager.reader, first, second)
    assert found.overall is not None
    assert (found.overall.n, found.overall.mean, found.overall.gained) == (1, 0.5, 1)


def test_domains_have_their_own_rows_with_corrected_p_values(manager: DBDataManager, store: Store) -> None:
    def run(name: str, good: float) -> object:
        return store(
            name,
            [scored(str(n), good, domain="x") for n in range(8)] + [scored(str(n), 1.0, domain="y") for n in range(3)],
        )

    run("a", 0.0)
    run("b", 1.0)
    found = compare(manager.reader, manager.reader.run("a"), manager.reader.run("b"))
    assert list(found.domains) == ["x", "y"]
    assert found.domains["x"].mcnemar_p == mcnemar_exact(8, 0)
    assert found.domains["x"].mcnemar_holm_p == pytest.approx(2 * mcnemar_exact(8, 0))
    assert found.domains["y"].mcnemar_holm_p == found.domains["y"].holm_p == 1.0
    assert found.domains["x"].p_value is not None
    assert found.domains["x"].holm_p == pytest.approx(2 * found.domains["x"].p_value)


def test_the_headline_is_the_difference_of_the_weighted_scores(manager: DBDataManager, store: Store) -> None:
    easy = [scored(str(n), 1.0, level=1) for n in range(10)]
    first = store("a", [*easy, *(scored(f"h{n}", 0.0, level=5) for n in range(4))])
    second = store(
        "b",
        [
            *(scored(str(n), float(n > 4), level=1) for n in range(10)),
            *(scored(f"h{n}", 1.0, level=5) for n in range(4)),
        ],
    )
    found = compare(manager.reader, first, second)
    assert found.overall is not None
    assert (found.overall.first_score, found.overall.second_score) == pytest.approx((1 / 6, (0.5 + 5) / 6))
    assert found.overall.difference == pytest.approx((5 - 0.5) / 6)
    assert found.overall.mean == pytest.approx((4 - 5) / 14)


def test_answers_without_a_verdict_bound_the_difference_and_can_leave_it_undecided(
    manager: DBDataManager, store: Store
) -> None:
    first = store("a", [scored(str(n), 0.0) for n in range(40)])
    good = [scored(str(n), 1.0) for n in range(30)]
    second = store("b", [*good, *(failing(str(n)) for n in range(30, 40))])
    third = store("c", [*good[:12], *(failing(str(n)) for n in range(12, 40))])
    sure, unsure = compare(manager.reader, first, second).overall, compare(manager.reader, second, third).overall
    assert sure is not None
    assert (sure.difference, sure.decision) == (1.0, "better")
    assert sure.bounds == pytest.approx((30 / 40, 1.0))
    assert unsure is not None
    assert (unsure.n, unsure.decision) == (12, None)
    assert unsure.bounds[0] < 0 < unsure.bounds[1]


def test_why_tests_have_no_verdict_is_counted(manager: DBDataManager, store: Store) -> None:
    cut = failing("1")
    cut.error_type = "truncated_output"
    first = store("a", [cut, failing("2"), scored("3", 1.0)])
    found = compare(manager.reader, first, store("b", [scored(str(n), 1.0) for n in (1, 2, 3)]))
    assert found.without_verdict == (Unscored(cut_off=1, errors=1), Unscored())


def test_runs_that_share_nothing_have_no_difference(manager: DBDataManager, store: Store) -> None:
    found = compare(manager.reader, store("a", [scored("1", 1.0)]), store("b", [scored("2", 1.0)]))
    assert (found.overall, found.domains, found.flips) == (None, {}, [])
    assert comparison_json(found)["overall"] is None


def test_the_json_form_is_json(manager: DBDataManager, store: Store) -> None:
    found = compare(manager.reader, store("a", [scored("1", 1.0)]), store("b", [scored("1", 0.0)]))
    again = json.loads(json.dumps(comparison_json(found)))
    assert again["flips"] == [
        {
            "test": "d/1/1", "source": "suite", "change": "lost", "first": 1.0, "second": 0.0, "flaky": False,
            "other_rules": False,
        }
    ]  # fmt: skip
    assert again["other_rules"] == 0


def test_tests_of_another_gold_or_evaluator_are_named_and_not_looked_for_in_large_runs(
    manager: DBDataManager, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = store("a", [scored("1", 1.0), scored("2", 1.0), scored("3", 1.0)])
    second = store("b", [scored("1", 0.0, expected=5), scored("2", 1.0, evaluator_id="two_pass"), scored("3", 0.0)])
    found = compare(manager.reader, first, second)
    assert found.other_rules is not None
    assert sorted(key[3] for key in found.other_rules) == ["1", "2"]
    assert (found.flips_of_rules, len(found.flips)) == (1, 2)
    monkeypatch.setattr("modex.core.features.compare.compare.WORTH", 2)
    assert compare(manager.reader, first, second).other_rules is None


def called(test_id: str, *names: str, score: float = 1.0, **fields: Any) -> EvaluationSample:
    """A sample that called these tools, one an iteration."""
    done = scored(test_id, score, **fields)
    done.transcript = [
        {"role": "tool", "name": name, "content": "the total is 1,234", "iteration": number, "is_error": name == "bad"}
        for number, name in enumerate(names, 1)
    ]
    return done


def test_tool_use_is_summed_up(manager: DBDataManager, store: Store) -> None:
    lost = called("3", "a", score=0.0, expected="1234")
    lost.response = "I do not know"
    limit = called("2", "a", "a", "bad", "a", "a")
    limit.flags = ["tool_limit"]
    first = store("a", [called("1", "a", "b"), limit, lost, scored("4", 1.0)])
    use = compare(manager.reader, first, first).tools[0]
    assert use is not None
    figures = use.as_dict()
    assert (figures["samples"], figures["calls"], figures["errors"]) == (3, 8, 1)
    assert figures["calls_by_tool"] == {"a": 6, "b": 1, "bad": 1}
    assert figures["mean_iterations"] == pytest.approx((2 + 5 + 1) / 3)
    assert (figures["at_limit"], figures["lost_in_synthesis"]) == (1, 1)


def test_runs_without_tools_have_no_tool_use(manager: DBDataManager, store: Store) -> None:
    first = store("a", [scored("1", 1.0)])
    assert compare(manager.reader, first, first).tools == (None, None)


def test_a_difference_beyond_a_hundred_points_is_not_said_to_be_what_pairs_would_show(
    manager: DBDataManager, store: Store
) -> None:
    first = store("a", [scored("1", 0.0), scored("2", 1.0), scored("3", 0.0)])
    second = store("b", [scored("1", 1.0), scored("2", 0.0), scored("3", 0.5)])
    overall = compare(manager.reader, first, second).overall
    assert overall is not None
    assert overall.detectable is not None
    assert overall.detectable > 1
    assert would_show(overall) == "3 pairs would hardly have shown any difference"
    assert verdict(overall) == "not decided: too few: 3 tests with a verdict in both, and fewer than 5 decide nothing"


@each_row(
    ("side", "why"),
    [
        (RunSide((1.0,), ("passed",)), {}), (RunSide((1.0,), ("passed", "skipped")), {}),
        (RunSide((1.0,), ("passed", "error"), 1), {"cut_off": 3}), (RunSide((), ("error",), 1), {"cut_off": 3}),
        (RunSide((), ("error", "pending")), {"errors": 3}), (RunSide((1.0,), ("passed", "pending")), {"waiting": 3}),
        (RunSide((), ("running",)), {"waiting": 3}), (RunSide((), ("skipped",)), {"skipped": 3}),
    ],
)  # fmt: skip
def test_a_test_without_a_verdict_counts_once_by_why(side: RunSide, why: dict[str, int]) -> None:
    assert Unscored().including(side, 3) == Unscored(**why)
    assert Unscored(1, 1, 1, 1).including(side) == Unscored(
        **{name: 1 + (name in why) for name in Unscored.__dataclass_fields__}
    )


def test_a_comparison_knows_no_other_ids_questions_or_rules_unless_it_is_told() -> None:
    run = RunRow(1)
    nothing = (Unscored(), Unscored())
    found = Comparison(run, run, PairedScores().settled(), None, {}, [], 0, nothing, [], [], (None, None))
    assert (found.questions, found.left_out, found.flips_of_rules) == (Questions(), (), 0)
    assert pairing_notes(found) == [
        "so many tests that nobody looked whether both runs judged them by the same golds and evaluators"
    ]
    assert Unscored() == Unscored(0, 0, 0, 0)
