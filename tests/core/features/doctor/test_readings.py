"""Stored answers are read in several ways, and people's labels say how good each is."""

from __future__ import annotations

from modex.core.answers.asked import asked_answer
from modex.core.features.doctor.readings import RunReadings, _read, reading_table, readings_of
from modex.core.features.review.query import HumanVerdict, say
from modex.core.store.manager import DBDataManager
from tests.cli import call
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample
from tests.rows import each_row

ANSWERS = {
    "asserted": ("The capital of France is Paris.", True),
    "bare": ("Paris", True),
    "denied": ("It is not Paris.", False),
    "other": ("Lyon", False),
}


def test_each_reading_is_counted_and_compared_with_people(manager: DBDataManager, store: Store) -> None:
    planned = [
        finished(
            sample(name, prompt="What is the capital of France?", expected="Paris", evaluator_id="match"),
            response=text,
            score=float(name == "bare"),
        )
        for name, (text, _) in ANSWERS.items()
    ]
    planned.append(finished(sample("rubric", expected={"keywords": ["a"]})))
    run = store("plain", planned)
    assert readings_of(manager.reader, run).passed == {"strict": 1, "assertion": 2, "contains": 3, "verdict": 1}
    for one in list(manager.reader.samples(run.id)):
        if one.test_id in ANSWERS:
            right = ANSWERS[one.test_id][1]
            say(manager.reader, one, "ada", HumanVerdict(own_verdict="passed" if right else "failed"))
    (told,) = call("doctor", "--reading", "plain", "--json", "--db", manager.path).data
    assert (told["answers"], told["labelled"]) == (4, 4)
    assert {name: one["agreed"] for name, one in told["readings"].items()} == {
        "strict": 3,
        "assertion": 4,
        "contains": 3,
        "verdict": 3,
    }
    assert {name: one["false_passes"] for name, one in told["readings"].items() if one["false_passes"]} == {
        "contains": 1
    }
    table = call("doctor", "--reading", "--db", manager.path).out.splitlines()
    assert table[0].split() == ["run", "answers", "strict", "assertion", "contains", "verdict"]
    assert "  agrees with people" in table[2]


@each_row(
    ("response", "strict", "asserted"),
    [("So it is 4.", False, True), ("So it is 5.", False, False), ("Answer: 4", True, True), ("Answer: 5", False, False),
     ("I do not know.", False, False)],
)  # fmt: skip
def test_an_answer_is_read_strictly_and_by_what_it_asserts(response: str, strict: bool, asserted: bool) -> None:
    found = _read(response, asked_answer(4, None, ""), "How much is 2 + 2?")
    assert found == {"strict": strict, "assertion": asserted}


def test_columns_stand_below_each_other_however_long_a_name_is() -> None:
    counts = dict.fromkeys(("strict", "assertion", "contains", "verdict"), 1)
    for exp_id, width in (("e", 20), ("x" * 40, 40), ("x" * 41, 40)):
        one = RunReadings(exp_id, "m", 3, counts, 2, counts, counts)
        lines = list(reading_table([one]))
        assert {len(line) for line in lines} == {width + 9 + 4 * 11}, exp_id


@each_row("words", [("--reading", "--suite"), ("e",), ("--reading", "--all")])
def test_options_that_do_not_belong_together_are_refused(words: tuple[str, ...]) -> None:
    assert call("doctor", *words).code == 2
