"""How a run's answers were read is told after it: failed answers that contain the gold, an extractor that is unfit."""

from __future__ import annotations

import json
from typing import Any

import pytest

from modex.core.features.export.export import export
from modex.core.reports.formats import Format
from modex.core.reports.reading import RunReading, alike_words, calls_words, gold_words, reading_of, unfit_words
from modex.core.store.manager import DBDataManager
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from tests.cli import call
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample
from tests.rows import each_row

GOLD = "2 failed answers contain the gold: `modex show plain --filter flag:gold_in_answer`"
UNFIT = "is unfit for PASS 2: 2 of 10 replies were no use (1 found nothing where there is an answer, 1 was not in the response)"


def answers(failed: int, held: int, pass2: list[str | None]) -> list[EvaluationSample]:
    """Failed answers, some of which hold the gold, and answers that passed with what became of PASS 2."""

    def one(name: str, status: str, **fields: Any) -> EvaluationSample:
        return finished(sample(name), status=status, score=float(status == "passed"), **fields)

    wrong = [one(f"f{n}", "failed", verdict_flags=["gold_in_answer"] if n < held else None) for n in range(failed)]
    read = [
        one(f"p{n}", "passed", pass2_used=True, verdict_flags=None if fault is None else [f"pass2_{fault}"])
        for n, fault in enumerate(pass2)
    ]
    return [*wrong, *read]


def test_failed_answers_that_contain_the_gold_are_counted_and_the_filter_finds_exactly_those(
    manager: DBDataManager, store: Store
) -> None:
    run = store("plain", answers(3, 2, [None]))
    assert reading_of(run).gold_in_answer == 2
    assert GOLD in call("show", "plain", "--db", manager.path).out.splitlines()
    listed = call("show", "plain", "--filter", "flag:gold_in_answer", "--json", "--db", manager.path).data
    assert [one["test_id"] for one in listed] == ["f0", "f1"]
    assert call("show", "plain", "--json", "--db", manager.path).data["reading"] == {
        "gold_in_answer": 2,
        "filter": "flag:gold_in_answer",
        "text_tool_calls": None,
        "looks_like_call": 0,
        "official": [],
        "pass2": None,
    }


def test_a_run_without_such_answers_says_nothing_of_them(manager: DBDataManager, store: Store) -> None:
    run = store("plain", answers(3, 0, [None] * 3))
    shown = call("show", "plain", "--db", manager.path).out
    assert "contain" not in shown
    assert "unfit" not in shown
    assert "pass2" not in run.metrics["suite"]


@pytest.mark.parametrize(
    ("faults", "unfit"),
    [
        (["found_nothing", "not_in_response"], True),
        (["found_nothing"], False),
        ([], False),
    ],
)
def test_an_extractor_is_unfit_from_more_than_a_tenth_of_its_replies_on(
    manager: DBDataManager, store: Store, faults: list[str], unfit: bool
) -> None:
    run = store("plain", answers(1, 0, [*faults, *[None] * (10 - len(faults))]))
    assert reading_of(run).unfit is unfit
    shown = call("show", "plain", "--db", manager.path).out
    assert (f"{run.model} {UNFIT}" in shown) is unfit
    assert ("modex judge plain --extractor-model MODEL" in shown) is unfit


def test_an_extractor_whose_replies_cannot_be_read_is_counted_where_the_rules_found_nothing_either(
    store: Store,
) -> None:
    unread = [
        finished(sample(f"e{n}"), status="error", stage="rollout", score=0.0, error_type="extraction_error")
        for n in range(2)
    ]
    found = reading_of(store("plain", [*answers(0, 0, [None] * 4), *unread]))
    assert (found.asked, dict(found.faults), found.unfit) == (6, {"unreadable": 2}, True)


@pytest.mark.parametrize("kind", ["md", "html", "json", "github"])
def test_exports_say_both(manager: DBDataManager, store: Store, kind: Format) -> None:
    run = store("plain", answers(3, 2, ["found_nothing", "not_in_response", *[None] * 8]))
    text = "".join(export(manager.reader, run, kind)).replace("\\", "")
    if kind == "json":
        told = json.loads("".join(export(manager.reader, run, kind)))["reading"]
        assert (told["gold_in_answer"], told["pass2"]["unfit"]) == (2, True)
        assert told["pass2"]["faults"] == {"found_nothing": 1, "not_in_response": 1}
    else:
        assert "2 failed answers contain the gold" in text
        assert UNFIT in text


@pytest.mark.parametrize(
    ("kind", "said"),
    [("junit", '<property name="failed_containing_gold" value="2"/>'), ("eee", '"failed_containing_gold": "2"')],
)
def test_figures_of_other_tools_forms_count_them(manager: DBDataManager, store: Store, kind: Format, said: str) -> None:
    run = store("plain", answers(3, 2, [None]))
    assert said in "".join(export(manager.reader, run, kind))


@each_row(
    ("asked", "faults", "unfit"),
    [
        (0, {}, False),
        (1, {"unreadable": 1}, False),
        (2, {"unreadable": 2}, True),
        (20, {"unreadable": 1, "contradicted": 1}, False),
        (19, {"unreadable": 1, "contradicted": 1}, True),
    ],
)
def test_an_extractor_is_unfit_where_two_replies_and_more_than_a_tenth_were_no_use(
    asked: int, faults: dict[str, int], unfit: bool
) -> None:
    found = RunReading(extractor="demo/x", asked=asked, faults=faults)
    assert (found.unfit, bool(unfit_words(found))) == (unfit, unfit)
    told = found.as_dict()["pass2"]
    assert told == (
        {"extractor": "demo/x", "asked": asked, "no_use": sum(faults.values()), "unfit": unfit, "faults": faults}
        if faults
        else None
    )


def test_words_are_of_one_or_of_several() -> None:
    assert [gold_words(RunReading(number)) for number in (0, 1, 2)] == [
        "", "1 failed answer contains the gold", "2 failed answers contain the gold",
    ]  # fmt: skip
    assert gold_words(RunReading()) == ""
    said = unfit_words(RunReading(0, "demo/x", 3, {"found_nothing": 2, "not_asserted": 1}))
    assert said.startswith(
        "demo/x is unfit for PASS 2: 3 of 3 replies were no use (2 found nothing where there are answers, "
    )
    assert "1 quoted what the response does not assert" in said


def test_what_was_stored_is_summed_over_sources_and_what_is_damaged_counts_for_nothing() -> None:
    stored: dict[str, Any] = {
        "a": {"gold_in_answer": 2, "pass2": {"asked": 5, "unreadable": 1, "other": 9}},
        "b": {"gold_in_answer": True, "pass2": {"asked": "x", "unreadable": 2, "contradicted": 0}},
        "c": "damaged",
        "d": {"gold_in_answer": 1, "pass2": "damaged"},
    }
    found = reading_of(RunRow(1, model="demo/m", metrics=stored))
    assert found == RunReading(3, "demo/m", 5, {"unreadable": 3})
    for config, name in (
        ({"model": {"model": "demo/a"}}, "demo/a"),
        ({"model": {"model": "demo/a"}, "extractor": {"model": "demo/b"}}, "demo/b"),
        ({"extractor": {"model": None}}, "demo/m"),
    ):
        assert reading_of(RunRow(1, model="demo/m", config=config)).extractor == name


def in_text(name: str, *forms: str, flag: str = "text_tool_calls") -> EvaluationSample:
    """An answer with a call in each of these forms."""
    calls = [{"id": "1", "name": "f", "arguments": "{}", "form": form} for form in forms]
    entry = {"role": "assistant", "content": "", "phase": "pass1", "tool_calls": calls}
    return finished(sample(name), flags=[flag], transcript=[entry])


def test_calls_that_came_as_text_are_counted_by_form_beside_the_score(manager: DBDataManager, store: Store) -> None:
    called = [in_text("a", "hermes", "hermes"), in_text("b", "llama3", "hermes")]
    run = store("plain", [*called, in_text("c", flag="looks_like_call"), finished(sample("d"))])
    shown = call("show", "plain", "--db", manager.path).out.splitlines()
    words = "4 calls came as text (3 hermes, 1 llama3): your server's tool parser is off"
    assert f"{words}; they count as calls (`modex show plain --filter flag:text_tool_calls`)" in shown
    alike = "1 answer only looks like a call of a tool"
    assert f"{alike}; such are no calls (`modex show plain --filter flag:looks_like_call`)" in shown
    told = json.loads("".join(export(manager.reader, run, "json")))["reading"]
    assert told["text_tool_calls"] == {"answers": 2, "calls": 4, "forms": {"hermes": 3, "llama3": 1}}
    assert told["looks_like_call"] == 1
    for kind in ("md", "html", "github"):
        assert words in "".join(export(manager.reader, run, kind)).replace("\\", "").replace("&#x27;", "'"), kind


def test_one_form_stands_without_its_number(store: Store) -> None:
    found = reading_of(store("plain", [in_text("a", "hermes")]))
    assert calls_words(found) == "1 call came as text (hermes): your server's tool parser is off"
    assert calls_words(RunReading()) == alike_words(RunReading()) == ""
