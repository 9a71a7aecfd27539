"""What a sample keeps of each call about it: with nobody asked."""

from __future__ import annotations

import time
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.demo.cues import Cue, current_cue
from modex.core.llm.timing import Timing
from modex.core.llm.types import Completion, ToolCall, Usage
from modex.core.pipeline.rollout.asking import Asking, Rollout
from modex.core.pipeline.rollout.speed import Speed
from modex.core.store.definition import Definition
from modex.core.store.sample import EvaluationSample
from modex.core.tools.base import STATE, ToolResult, ToolSession
from modex.core.tools.executor import SuiteToolExecutor
from tests.rows import each_row

FINE = Completion(
    "4",
    usage=Usage(prompt=1, completion=2, reasoning=3, cached=4),
    cost_usd=0.5,
    duration_ms=7,
    attempts=2,
    finish_reason="stop",
)

IN_TEXT = 'So:<tool_call>{"name": "f", "arguments": {}}</tool_call>'


def asking(answer: Any = FINE, **fields: Any) -> tuple[Asking, list[Any]]:
    asked: list[Any] = []

    def complete(messages: Any, **settings: Any) -> Completion:
        asked.append(settings)
        if isinstance(answer, Exception):
            raise answer
        return answer  # type: ignore[no-any-return]

    client = SimpleNamespace(complete=complete, model=fields.pop("model", "openai/m"))
    evaluators = {"match": SimpleNamespace(id="own")}
    context: Any = SimpleNamespace(
        client=client, progress=lambda sample, phase: asked.append(phase), evaluators=evaluators,
        executor=SuiteToolExecutor(), tools_of=lambda sample: (), users_tools_of=lambda sample: (),
    )  # fmt: skip
    sample = EvaluationSample(
        **{"domain": "d", "level": 2, "test_id": "t", "epoch": 3, "prompt": "p", "evaluator_id": "match", **fields}
    )
    return Asking(sample, context), asked


def test_a_call_is_recorded_with_what_it_was_counted_as() -> None:
    one, asked = asking(replace(FINE, flags=("a", "b"), reasoning="hm", tool_calls=(ToolCall("c", "add", "{}"),)))
    one.rollout.flag("a")
    assert one.ask([], phase="pass1", iteration=2).text == "4"
    one.ask([], phase="pass1", show="pass 1")
    assert asked[0] == "pass1"
    assert asked[1] == {"tools": None, "response_format": None, "timeout_s": None}
    assert asked[2] == "pass 1"
    rollout = one.rollout
    assert (rollout.usage, rollout.cost_usd, rollout.duration_ms, rollout.attempts) == (
        Usage(prompt=2, completion=4, reasoning=6, cached=8),
        1.0,
        14,
        4,
    )
    assert (rollout.flags, rollout.reasoning, rollout.finish_reason) == (["a", "b"], ["hm", "hm"], "stop")
    entry = rollout.transcript[0]
    assert (entry["role"], entry["content"], entry["iteration"], entry["attempts"], entry["reasoning"]) == (
        "assistant",
        "4",
        2,
        2,
        "hm",
    )
    assert entry["tool_calls"] == [{"id": "c", "name": "add", "arguments": "{}"}]
    plain, _ = asking()
    plain.ask([], phase="p")
    assert not {"reasoning", "tool_calls", "ttft_ms"} & set(plain.rollout.transcript[0])


@each_row(
    ("changed", "kind", "response"),
    [
        ({"flags": ("truncated_reasoning",)}, ErrorType.TRUNCATED_REASONING, None),
        ({"flags": ("truncated_output",)}, ErrorType.TRUNCATED_OUTPUT, "4"),
        ({"cut": "the same 9 times", "finish_reason": "runaway"}, ErrorType.RUNAWAY, "4"),
        ({"cut": "after 9 s", "finish_reason": "time_limit"}, ErrorType.TIME_LIMIT, "4"),
        ({"flags": ("truncated_output",), "tool_calls": (ToolCall("c", "add", "{}"),)}, None, None),
    ],
)
def test_an_answer_that_was_cut_off_is_an_error_that_keeps_its_text(
    changed: dict[str, Any], kind: ErrorType | None, response: str | None
) -> None:
    one, _ = asking(replace(FINE, **changed))
    if kind is None:
        assert one.ask([], phase="p").tool_calls
    else:
        with pytest.raises(ModelCallError) as caught:
            one.ask([], phase="p")
        assert (caught.value.error_type, caught.value.attempts) == (kind, 2)
        assert changed.get("cut", "") in str(caught.value)
    assert (one.rollout.response, one.rollout.attempts) == (response, 2)


def test_a_call_that_failed_is_counted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    error = ModelCallError("no", ErrorType.TIMEOUT, attempts=3, usage=Usage(prompt=5))
    error.cost_usd = 0.25
    one, asked = asking(error, definition={"timeout_ms": 1500})
    monkeypatch.setattr(
        "modex.core.pipeline.rollout.asking.elapsed_s", lambda started: 0.5 if started <= time.monotonic() else 9.0
    )
    with pytest.raises(ModelCallError):
        one.ask([], phase="p")
    assert (one.rollout.attempts, one.rollout.duration_ms, one.rollout.usage, one.rollout.cost_usd) == (
        3,
        500,
        Usage(prompt=5),
        0.25,
    )
    assert asked[1]["timeout_s"] == 1.5


def test_a_cost_that_nobody_knows_makes_the_sum_unknown() -> None:
    rollout = Rollout()
    rollout.spent(None, None)
    assert (rollout.cost_usd, rollout.usage) == (0.0, Usage())
    rollout.spent(Usage(prompt=1), None)
    rollout.spent(Usage(prompt=1), 0.5)
    assert (rollout.cost_usd, rollout.usage) == (None, Usage(prompt=2))


def test_a_sample_keeps_what_its_rollout_came_to() -> None:
    sample = EvaluationSample(ttft_ms=9.0, output_tokens_per_s=9.0, thinking_ms=9, reasoning="before")
    rollout = Rollout(
        usage=Usage(prompt=1, completion=20, reasoning=3, cached=4),
        cost_usd=None,
        duration_ms=5,
        attempts=6,
        finish_reason="stop",
        response="r",
    )
    rollout.store_in(sample)
    assert (sample.prompt_tokens, sample.completion_tokens, sample.reasoning_tokens, sample.cached_tokens) == (
        1,
        20,
        3,
        4,
    )
    assert (sample.cost_usd, sample.duration_ms, sample.attempts, sample.finish_reason, sample.response) == (
        None,
        5,
        6,
        "stop",
        "r",
    )
    assert (sample.ttft_ms, sample.output_tokens_per_s, sample.thinking_ms, sample.reasoning, sample.flags) == (
        None,
        None,
        None,
        None,
        [],
    )
    rollout.reasoning, rollout.speed = ["a", "b"], Speed()
    timing = Timing(first_s=0.25, thinking_s=0.5, writing_s=2.0, pieces=9)
    rollout.speed.count(replace(FINE, usage=Usage(completion=41)), timing)
    rollout.store_in(sample)
    assert (sample.ttft_ms, sample.output_tokens_per_s, sample.thinking_ms, sample.reasoning, sample.flags) == (
        250.0,
        20.0,
        500,
        "a\n\nb",
        [],
    )
    rollout.speed.estimated = True
    rollout.store_in(sample)
    assert sample.flags == ["speed_estimated"]


@each_row(
    ("counts", "flags", "timing", "told"),
    [  # tokens a second, whether they were estimated
        (Usage(completion=41), (), Timing(0.1, None, 2.0, 9), (20.0, False)),
        (Usage(completion=41, reasoning=20), (), Timing(0.1, None, 2.0, 9), (10.0, False)),
        (Usage(completion=41, reasoning=20), (), Timing(0.1, 0.5, 2.0, 9), (20.0, False)),
        (Usage(), (), Timing(0.1, None, 2.0, 9), (4.0, True)),
        (Usage(completion=41), ("usage_missing",), Timing(0.1, None, 2.0, 9), (4.0, True)),
        (Usage(completion=1), (), Timing(0.1, None, 2.0, 9), (None, False)),
        (Usage(completion=41), (), Timing(0.1, None, 0.004, 9), (None, False)),
        (Usage(completion=41), (), Timing(0.1, None, 2.0, 1), (None, False)),
    ],
)
def test_how_fast_an_answer_was_written(
    counts: Usage, flags: tuple[str, ...], timing: Timing, told: tuple[float | None, bool]
) -> None:
    speed = Speed()
    speed.count(replace(FINE, usage=counts, flags=flags), timing)
    assert (speed.tokens_per_s, speed.estimated, speed.ttft_ms) == (*told, 100.0)


def test_the_first_call_says_how_long_a_person_waited_and_all_say_how_long_was_thought() -> None:
    one, _ = asking(replace(FINE, timing=Timing(0.25, 0.5, 2.0, 9)))
    one.ask([], phase="p")
    second = Timing(9.0, 0.25, 1.0, 9)
    assert one.rollout.speed is not None
    one.rollout.speed.count(replace(FINE, usage=Usage(completion=11)), second)
    assert (one.rollout.transcript[0]["ttft_ms"], one.rollout.speed.ttft_ms, one.rollout.speed.thinking_ms) == (
        250.0,
        250.0,
        750,
    )
    cut = Speed()
    cut.count(replace(FINE, usage=Usage(completion=99), cut="so"), Timing(0.1, None, 2.0, 9))
    assert (cut.tokens_per_s, cut.estimated, cut.thinking_ms) == (4.0, True, None)


def test_the_tools_of_a_sample_share_one_state_that_begins_with_what_the_test_says() -> None:
    begun = {"held": {"x": 1}}
    one, _ = asking(definition={"tool_state": begun, "tool_faults": {"add": ["error"]}})
    session = one.session()
    assert session is one.session()
    assert (session.seed, session.faults, session.state[STATE]) == ("d/2/t/3", {"add": ["error"]}, begun)
    session.state[STATE]["held"]["x"] = 2
    assert begun == {"held": {"x": 1}}
    one.keep_state()
    assert one.rollout.tool_state == {"held": {"x": 2}}
    plain, _ = asking()
    plain.keep_state()
    assert STATE not in plain.session().state
    plain.session().state[STATE] = {}
    plain.keep_state()
    assert plain.rollout.tool_state is None
    plain.record_result(ToolCall("c", "add", "{}"), ToolResult("5", is_error=True, duration_ms=3), "p", 2)
    assert plain.rollout.duration_ms == 3
    assert plain.rollout.transcript == [
        {
            "role": "tool",
            "content": "5",
            "phase": "p",
            "iteration": 2,
            "tool_call_id": "c",
            "name": "add",
            "is_error": True,
            "duration_ms": 3,
        }
    ]


def test_the_turns_of_a_test_are_its_own_or_its_one_question() -> None:
    one, _ = asking()
    assert one.turns() == [{"role": "user", "content": "p"}]
    turns = [{"role": "user", "content": "a"}]
    two, _ = asking(definition=Definition(turns=turns))
    assert two.turns() == turns
    two.turns()[0]["content"] = "changed"
    assert turns[0]["content"] == "a"
    assert one.open([{"role": "user", "content": None}], "p", 1) == [{"role": "user", "content": None}]
    assert one.rollout.transcript == [{"role": "user", "content": "", "phase": "p", "iteration": 1}]


def test_only_the_scripted_model_is_told_what_is_asked() -> None:
    one, _ = asking(model="demo/weak", expected=4, definition={"rollout": "agentic", "metadata": {"m": 1}})
    told: list[Cue | None] = []
    complete = one.context.client.complete

    def hearing(*given: Any, **more: Any) -> Completion:
        told.append(current_cue())
        return complete(*given, **more)

    one.context.client.complete = hearing  # type: ignore[method-assign]
    one.ask([], phase="p", iteration=5, offered={"add": {}})
    (cue,) = told
    assert cue is not None
    assert current_cue() is None
    assert (cue.role, cue.key, cue.level, cue.expected, cue.evaluator_id) == ("rollout", "suite/d/2/t/3", 2, 4, "own")
    assert (cue.tool_names, cue.rollout, cue.context["phase"], cue.context["iteration"]) == (
        ("add",),
        "agentic",
        "p",
        5,
    )
    assert cue.context["metadata"] == {"m": 1}


@each_row(
    ("answer", "offered", "text", "calls", "flags"),
    [
        (
            IN_TEXT,
            {"f": {}},
            "So:",
            [{"id": "call_1_1", "name": "f", "arguments": "{}", "form": "hermes"}],
            ["text_tool_calls"],
        ),
        (IN_TEXT, {}, IN_TEXT, [], []),
        ("f(1) is what I would call", {"f": {}}, "f(1) is what I would call", [], ["looks_like_call"]),
    ],
)
def test_calls_in_the_text_are_read_where_tools_were_offered(
    answer: str, offered: dict[str, Any], text: str, calls: list[Any], flags: list[str]
) -> None:
    one, _ = asking(replace(FINE, text=answer))
    found = one.ask([{"role": "user", "content": "?"}], phase="p", offered=offered)
    assert (found.text, [call.as_dict() for call in found.tool_calls], one.rollout.flags) == (text, calls, flags)


def test_text_beside_a_call_of_the_provider_and_an_answer_cut_short_call_nothing_more() -> None:
    called, _ = asking(replace(FINE, text=IN_TEXT, tool_calls=(ToolCall("c", "g", "{}"),)))
    assert [call.name for call in called.ask([], phase="p", offered={"f": {}}).tool_calls] == ["g"]
    cut, _ = asking(replace(FINE, text=IN_TEXT, cut="late", finish_reason="time_limit"))
    with pytest.raises(ModelCallError):
        cut.ask([], phase="p", offered={"f": {}})
    assert cut.rollout.response == IN_TEXT


def test_what_a_samples_tools_hold_is_let_go_of_where_it_used_some() -> None:
    one, _ = asking()
    released: list[ToolSession] = []
    one.context.executor = SimpleNamespace(release=released.append)
    one.release()
    assert released == []
    session = one.session()
    one.release()
    assert released == [session]
