"""How often verdicts flip by themselves."""

from __future__ import annotations

import pytest

from modex.core.features.noise.rule import AGAIN, Flaky, known_noise, noise_json, noise_of
from modex.core.statistics.intervals import rate_interval
from modex.core.statistics.moments import Gathered
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import EvaluationSample
from tests.core.features.compare.test_compare import failing, scored
from tests.core.reports.conftest import Store


def _epochs(test_id: str, *scores: float) -> list[EvaluationSample]:
    return [scored(test_id, score, epoch=number) for number, score in enumerate(scores, 1)]


def test_noise_is_the_chance_that_two_verdicts_of_a_test_differ(manager: DBDataManager, store: Store) -> None:
    run = store(
        "e",
        [
            *_epochs("half", 1.0, 0.0, 1.0, 0.0),  # 2·2·2 of 4·3 pairs differ
            *_epochs("once", 0.0, 1.0, 0.0),  # 2·1·2 of 3·2
            *_epochs("never", 0.7, 0.7, 1.0),  # a pass from .7 on
            *_epochs("least", 0.69, 0.7),  # both pairs
            *_epochs("always", 0.0, 0.0),
            *_epochs("single", 1.0),
            failing("broken"),
        ],
    )
    found = noise_of(manager.reader, [run])
    assert found.tests == 5
    assert found.flips == pytest.approx((2 / 3 + 2 / 3 + 0 + 1 + 0) / 5)
    gathered = Gathered()
    for share in (2 / 3, 2 / 3, 0.0, 1.0, 0.0):
        gathered.add(("", 1), share, 1.0, None)
    assert found.interval == rate_interval(gathered.settled()[0]["", 1])
    assert [(one.key[3], one.passed, one.asked) for one in found.flaky] == [
        ("half", 2, 4),
        ("least", 1, 2),
        ("once", 1, 3),
    ]


def test_a_run_and_what_asked_it_again_are_one_and_a_test_in_one_of_them_has_its_own_verdicts(
    manager: DBDataManager, store: Store
) -> None:
    first = store("e", [scored("a", 1.0), scored("b", 1.0), scored("only", 1.0)])
    assert known_noise(manager.reader, first) is None
    again = store(f"e{AGAIN}", [scored("a", 1.0), scored("b", 0.0)])
    found = known_noise(manager.reader, first)
    assert found is not None
    assert (found.tests, found.flips) == (2, 0.5)
    assert found == noise_of(manager.reader, [first, again])
    assert noise_json(first, found) == {
        "run": "e",
        "tests": 2,
        "flips": 0.5,
        "interval": found.interval,
        "flaky": [{"test": "d/1/b", "source": "suite", "passed": 1, "asked": 2}],
    }


def test_epochs_alone_are_noise_too_and_a_run_whose_tests_have_one_verdict_has_none(
    manager: DBDataManager, store: Store
) -> None:
    several = store("several", _epochs("a", 1.0, 0.0))
    single = store("single", [scored("a", 1.0)])
    for epochs, run, tests in ((2, several, 1), (1, several, None), (None, several, None), (2, single, None)):
        config = {**run.config, "epochs": epochs}
        manager.update_run(run.id, config=config)
        found = known_noise(manager.reader, manager.reader.run_by_id(run.id))
        assert (found.tests if found is not None else None) == tests


def test_nothing_asked_twice_has_no_chance_and_no_interval(manager: DBDataManager, store: Store) -> None:
    found = noise_of(manager.reader, [store("e", [scored("a", 1.0)])])
    assert (found.tests, found.flips, found.interval, found.flaky) == (0, None, None, [])
    assert Flaky(("suite", "d", 1, "a"), 1, 2).key[3] == "a"
