"""What a plan is made of: kept where a resume may go by it, forgotten before anything of another one is stored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from modex.core.engine import planning
from modex.core.engine.listening import Listening
from modex.core.engine.planning import Planning
from modex.core.engine.stopping import Stopped, Stopping
from modex.core.foundation.errors import StoreError
from modex.core.pipeline.assembly import Assembly
from modex.core.store.manager import ChosenSamples, Plan
from tests.tui.stores import StoreMaker

KEPT = {"inputs": "abc", "samples": 7}
CHOSEN = ChosenSamples(frozenset({1}))


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StoreMaker]:
    monkeypatch.setattr(planning, "KeptPlan", lambda _: SimpleNamespace(after=lambda plan: {"inputs": "new"}))
    maker = StoreMaker(tmp_path / "m.db")
    yield maker
    maker.close()


class Planned:
    """A run with a kept plan, planned again; what the benchmark was asked, and what was kept at that moment."""

    def __init__(self, store: StoreMaker, kept: dict[str, Any] | None = None) -> None:
        store.run("r", plan=KEPT if kept is None else kept)
        self.store = store
        self.stopping = Stopping()
        self.asked: dict[str, Any] = {}
        self.kept_then: dict[str, Any] = {}
        self.fails: StoreError | None = None
        self.said: list[str] = []

    @property
    def kept(self) -> dict[str, Any]:
        return self.store.manager.reader.run("r").plan

    def _preprocess(self, _: object, **asked: Any) -> Plan:
        self.asked, self.kept_then = asked, self.kept
        if self.fails is not None:
            raise self.fails
        return Plan()

    def __call__(self, made_of: str | None, judging: Any = None, chosen: ChosenSamples | None = None) -> None:
        manager = self.store.manager
        run = manager.reader.run("r")
        listening = Listening(manager, run.id, self.stopping, self.said.append)
        assembly = SimpleNamespace(
            checked=SimpleNamespace(unchanged=made_of),
            benchmark=SimpleNamespace(preprocess=self._preprocess),
            tests=lambda: iter(()),
        )
        found = Planning(manager, run, listening=listening, narrate=self.said.append)
        found.plan(cast("Assembly", assembly), judging, chosen)


def test_what_was_planned_of_the_same_is_not_read_again(store: StoreMaker) -> None:
    plan = Planned(store)
    plan("abc")
    assert (plan.asked["unchanged"], plan.kept) == (7, KEPT)
    assert plan.said == ["nothing has changed since it was planned, so its tests are not read again"]


@pytest.mark.parametrize("made_of", ["other", None])
def test_a_plan_of_something_else_is_forgotten_before_anything_is_stored_and_the_new_one_kept(
    store: StoreMaker, made_of: str | None
) -> None:
    plan = Planned(store)
    plan(made_of)
    assert (plan.asked["unchanged"], plan.kept_then, plan.kept) == (None, {}, {"inputs": "new"})
    assert plan.said == []


@pytest.mark.parametrize(("judging", "chosen"), [("all", None), (None, CHOSEN)])
def test_judging_and_chosen_samples_go_by_no_kept_plan_and_keep_none(
    store: StoreMaker, judging: Any, chosen: ChosenSamples | None
) -> None:
    plan = Planned(store)
    plan("abc", judging, chosen)
    assert (plan.asked["unchanged"], plan.asked["judging"], plan.asked["chosen"]) == (None, judging, chosen)
    assert (plan.kept_then, plan.kept) == ({}, {})


def test_a_run_without_a_kept_plan_gets_one(store: StoreMaker) -> None:
    plan = Planned(store, {})
    plan(None)
    assert (plan.asked["unchanged"], plan.kept) == (None, {"inputs": "new"})


def test_a_plan_that_a_resume_may_not_go_by_is_not_kept(store: StoreMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "KeptPlan", lambda _: SimpleNamespace(after=lambda plan: {}))
    plan = Planned(store)
    plan("other")
    assert plan.kept == {}


def test_a_store_that_fails_while_the_run_is_to_stop_is_a_stop(store: StoreMaker) -> None:
    plan = Planned(store)
    plan.fails = StoreError("locked")
    with pytest.raises(StoreError, match="locked"):
        plan("other")
    plan.stopping.ask(1.0)
    with pytest.raises(Stopped):
        plan("other")
    assert plan.kept == {}


def test_how_much_there_is_to_do_is_said_without_what_there_is_none_of(store: StoreMaker) -> None:
    store.run("r")
    said: list[str] = []
    run = store.manager.reader.run("r")
    found = Planning(
        store.manager, run, listening=Listening(store.manager, run.id, Stopping(), said.append), narrate=said.append
    )
    found.say(Plan())
    found.say(Plan(new=1, ask_again=2, judge_again=3, retry=4, unchanged=5, skipped=6, not_selected=7))
    assert said == [
        "plan: nothing to do",
        "plan: 1 to ask, 2 changed, to ask again, 3 to judge again, 4 errors to retry, 5 unchanged, 6 skipped, "
        "7 of an earlier selection, kept as they are",
    ]
