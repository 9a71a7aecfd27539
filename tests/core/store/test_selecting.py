"""A filter means the same for stored samples as for what is in memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from modex.core.config.filters import parse_query
from modex.core.features.review.query import HumanVerdict, say
from modex.core.store.reader import RUN_FILTERS, SampleQuery
from modex.core.store.selecting import SAMPLE_FILTERS, sample_query
from tests.tui.stores import StoreMaker, sample


@pytest.fixture
def store(tmp_path: Path) -> Iterator[StoreMaker]:
    maker = StoreMaker(tmp_path / "modex.db")
    yield maker
    maker.close()


SAMPLES = [
    sample("math", 1, 1, "passed", flags=["cut"], evaluator_id="two_pass"),
    sample("math", 3, 2, "failed", score=0.4, reason="get_weather was not called", evaluator_id="tool_call"),
    sample("sql", 4, 3, "failed", score=0.1, extracted_answer="SELECT 1", prompt_tokens=900),
    sample("sql", 5, 4, "error", error_type="rate_limit"),
]


@pytest.mark.parametrize(
    ("typed", "numbers"),
    [
        ("score<0.5", [2, 3]),
        ("score>=0.4", [1, 2]),
        ("score!=0.4", [1, 3, 4]),
        ("level>=3 level<5", [2, 3]),
        ("level=2..4", [2, 3]),
        ("level:1,5", [1, 4]),
        ("evaluator:tool_call", [2]),
        ("evaluator!=two_pass", [2]),
        ("flag:cut", [1]),
        ("error:rate", [4]),
        ("why:weather", [2]),
        ("why~called", [2]),
        ("text:select", [3]),
        ("text:nothing", []),
        ("tokens>500", [3]),
        ("seconds>1", [1, 2, 3]),
        ("domain:SQL score<1", [3]),
    ],
)
def test_a_condition_finds_the_samples_that_meet_it(store: StoreMaker, typed: str, numbers: list[int]) -> None:
    run_id = store.run("r", samples=SAMPLES)
    query = parse_query(typed, SAMPLE_FILTERS)
    assert query.problem == ""
    with_conditions = SampleQuery(text=query.text, conditions=query.conditions)
    reader = store.manager.reader
    found = [head.test_id.rpartition("_")[2] for head in reader.heads(run_id, with_conditions)]
    assert found == [str(number) for number in numbers]
    assert reader.count(run_id, with_conditions) == len(numbers)


def test_of_two_people_who_reviewed_a_sample_each_is_found_by_what_they_said_last(store: StoreMaker) -> None:
    run_id = store.run("r", samples=SAMPLES[:2])
    reader = store.manager.reader
    for number, author, label in ((1, "ann", "early"), (1, "ann", "unit"), (1, "bob", "sign"), (2, "bob", "unit")):
        say(reader, reader.sample(number), author, HumanVerdict(label=label))
    for typed, numbers in (
        ("label:unit", [1, 2]),
        ("label:sign", [1]),
        ("label:early", []),
        ("label!=sign", [2]),
        ("reviewer:ann", [1]),
        ("reviewer:bob", [1, 2]),
    ):
        found = reader.head_ids(run_id, sample_query(typed))
        assert found == numbers, typed


def test_what_a_person_said_of_an_answer_that_changed_is_not_what_they_said_last(store: StoreMaker) -> None:
    run_id = store.run("r", samples=SAMPLES[:1])
    reader = store.manager.reader
    say(reader, reader.sample(1), "ann", HumanVerdict(label="early"))
    store.finish(run_id, "math_1_1", "failed", response="Another answer.")
    say(reader, reader.sample(1), "bob", HumanVerdict(label="sign"))
    say(reader, reader.sample(1), "ann", HumanVerdict(label="unit"))
    for typed, numbers in (("label:early", []), ("label:unit", [1]), ("label:sign", [1])):
        found = reader.head_ids(run_id, sample_query(typed))
        assert found == numbers, typed


@pytest.mark.parametrize("name", SAMPLE_FILTERS)
def test_every_field_of_samples_can_be_asked(store: StoreMaker, name: str) -> None:
    run_id = store.run("r", samples=SAMPLES)
    for typed in (f"{name}:x,1", f"{name}!=x", f"{name}>0", f"{name}~x", f"{name}=1..2"):
        store.manager.reader.heads(run_id, SampleQuery(conditions=parse_query(typed, SAMPLE_FILTERS).conditions))


@pytest.mark.parametrize(
    ("typed", "names"),
    [("model:gpt", ["a", "b"]), ("score<70", ["b"]), ("score>=70", ["a"]), ("errors>0", ["b"]), ("run:a", ["a"])],
)
def test_runs_are_found_by_what_is_shown_of_them(store: StoreMaker, typed: str, names: list[str]) -> None:
    store.run("a", overall_score=0.7)
    store.run("b", overall_score=0.5, error_tests=2)
    conditions = parse_query(typed, RUN_FILTERS).conditions
    assert sorted(run.exp_id for run in store.manager.reader.runs(conditions=conditions)) == names
    assert store.manager.reader.count_runs(conditions=conditions) == len(names)


def test_archived_runs_are_apart(store: StoreMaker) -> None:
    store.run("a", archived=1)
    store.run("b")
    reader = store.manager.reader
    assert [run.exp_id for run in reader.runs(archived=False)] == ["b"]
    assert [run.exp_id for run in reader.runs(archived=True)] == ["a"]
    assert reader.count_runs() == 2
