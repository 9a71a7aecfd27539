"""What one call asks, and what the clients of a run share: with nobody asked."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any, cast

import pytest

from modex.core.config.options import FIRST_AT_ONCE
from modex.core.config.runconfig import ModelSpec
from modex.core.llm import request as module
from modex.core.llm.pool import ClientPool
from modex.core.llm.request import NO_LIMITS, CallRequest, Limits, encoded, json_answer, may_send
from modex.core.llm.underway import UnderWay
from tests.rows import each_row

MESSAGES: list[dict[str, Any]] = [{"role": "user", "content": "q"}]


@each_row(
    ("optional", "refused", "more", "sent"),
    [
        ({}, {}, {}, {}),
        ({"seed": 1, "temperature": 0}, {"seed": None}, {}, {"temperature": 0}),
        ({"max_tokens": 5}, {"max_tokens": "max_completion_tokens"}, {}, {"max_completion_tokens": 5}),
        ({"a": 1}, {"a": "b", "b": "c"}, {}, {"c": 1}),
        ({"a": 1}, {"a": "b", "b": None}, {}, {}),
        ({}, {}, {"tools": []}, {}),
        ({}, {}, {"tools": [{}]}, {"tools": [{}]}),
        ({}, {}, {"stream": True}, {"stream": True, "stream_options": {"include_usage": True}}),
        ({}, {"stream": None}, {"stream": True}, {}),
        ({}, {"stream_options": None}, {"stream": True}, {"stream": True}),
    ],
)
def test_what_a_model_refused_is_not_sent_or_under_the_name_it_wants(
    optional: dict[str, Any], refused: dict[str, str | None], more: dict[str, Any], sent: dict[str, Any]
) -> None:
    asked = CallRequest(**{"messages": MESSAGES, "tools": None, "optional": optional, "timeout_s": 5.0, **more})
    assert asked.arguments(refused) == {"messages": MESSAGES, **sent}


@each_row(("limit", "seconds", "cut"), [(None, 5.0, False), (2.0, 2.0, True), (5.0, 5.0, True), (9.0, 5.0, False)])
def test_a_call_ends_at_the_earlier_of_two_limits_and_knows_whose_it_was(
    limit: float | None, seconds: float, cut: bool
) -> None:
    asked = CallRequest(MESSAGES, None, {}, 5.0, limits=Limits(seconds=limit))
    assert (asked.seconds, asked.cut_by_time, NO_LIMITS) == (seconds, cut, Limits(False, None))


def test_json_is_compact_and_what_utf_8_cannot_hold_is_replaced() -> None:
    assert encoded({"a": "é", "b": [1]}) == '{"a":"é","b":[1]}'.encode()
    assert encoded({"a": "x\ud800y"}) == '{"a":"x\ufffdy"}'.encode()
    schema = json_answer("verdict", score={"type": "number"})["json_schema"]
    assert (schema["name"], schema["strict"], schema["schema"]["required"]) == ("verdict", True, ["score"])
    assert schema["schema"]["additionalProperties"] is False


@pytest.mark.parametrize(
    ("entry", "sends"),
    [
        (None, False),
        ({"supports_response_schema": True, "litellm_provider": "binds"}, True),
        ({"supports_response_schema": True, "litellm_provider": "other"}, False),
        ({"litellm_provider": "binds"}, False),
    ],
)
def test_a_schema_is_sent_to_models_that_are_known_to_answer_in_one(
    monkeypatch: pytest.MonkeyPatch, entry: Any, sends: bool
) -> None:
    monkeypatch.setattr(module, "price_entry", lambda model: entry)
    monkeypatch.setattr(module, "_ENFORCING", frozenset({"binds"}))
    assert may_send(json_answer("a"), "m") is sends
    assert may_send(None, "m")
    assert may_send({"type": "json_object"}, "m")


def test_what_a_thread_reads_and_whether_it_is_wanted_is_its_own() -> None:
    under, here = UnderWay(), threading.get_ident()
    assert (under.of(here), under.cancelled()) == (None, False)
    under.begin(cast(Any, "answer"))
    under.cancel(here + 1)
    assert (str(under.of(here)), under.of(here + 1), under.cancelled()) == ("answer", None, False)
    under.cancel(here)
    assert under.cancelled()
    under.clear()
    assert (under.of(here), under.cancelled()) == (None, True)
    under.begin(cast(Any, "next"))
    under.forget()
    assert (under.of(here), under.cancelled()) == (None, False)


@pytest.fixture
def pool() -> Any:
    with ClientPool(4) as opened:
        yield opened


def test_a_model_at_an_address_has_one_gate_and_remembers_what_it_refused(pool: ClientPool) -> None:
    spec, other = ModelSpec(model="openai/m"), ModelSpec(model="openai/m", api_base="http://127.0.0.1:9/v1")
    assert pool.gate(spec) is pool.gate(spec) is not pool.gate(other)
    assert [(state.model, state.limit) for state in pool.snapshot()] == [("openai/m", 4)] * 2
    pool.resize(2)
    assert [state.limit for state in pool.snapshot()] == [2, 2]
    assert [pool.learn(spec, "seed", None), pool.learn(spec, "seed", "other"), pool.learn(other, "seed", None)] == [
        True,
        False,
        True,
    ]
    assert pool.refused(spec) == {"seed": "other"}
    assert pool.refused(spec.model_copy(update={"reasoning_effort": "high"})) == {}
    assert pool.demo_faults() is pool.demo_faults()


def test_only_a_real_model_without_a_number_of_calls_is_tried_for_how_many_it_answers() -> None:
    with ClientPool(None) as found, ClientPool(3) as given:
        gates: list[Any] = [found.gate(ModelSpec(model=name)) for name in ("openai/m", "demo/weak")]
        gates.append(given.gate(ModelSpec(model="openai/m")))
        assert [gate._knee is not None for gate in gates] == [True, False, False]
        assert [state.limit for state in found.snapshot()] == [FIRST_AT_ONCE] * 2


@pytest.mark.long
def test_aborting_and_cancelling_reach_the_engine_also_one_that_is_imported_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[Any] = []
    engine = SimpleNamespace(
        abort=lambda: done.append("abort"),
        cancel=done.append,
        close=lambda: done.append("close"),
    )
    monkeypatch.setattr("modex.core.llm.litellm_path.LitellmEngine", lambda: engine)
    pool = ClientPool()
    pool.cancel(5)
    assert cast(Any, pool.litellm()) is engine
    assert done == []
    pool.cancel(6)
    pool.abort()
    assert (done, pool.stop.is_set()) == ([6, "abort"], True)
    pool.close()
    assert done[2:] == ["abort", "close"]
    done.clear()
    late = ClientPool()
    late.abort()
    late.litellm()
    assert done == ["abort"]
    late.close()
