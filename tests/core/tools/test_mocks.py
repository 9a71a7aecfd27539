from __future__ import annotations

import json
import threading
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.sandbox.python import Ran
from modex.core.suite.definitions import Location, ToolDefinition
from modex.core.tools.base import ToolResult, ToolSession
from modex.core.tools.code_mocks import answer_by_code, unavailable
from modex.core.tools.mocks import answer_mock, fill
from tests.pace import stretched
from tests.rows import each_row


def _tool(mock: Any) -> ToolDefinition:
    return ToolDefinition("w", "get_weather", "", {}, Location("t.json"), mock=mock)


WEATHER = _tool(
    [
        {"when": {"city": "Oslo"}, "response": {"city": "{{city}}", "temperature_c": -3}},
        {"when": {"city": {"$regex": "^X"}}, "error": "unknown city {{city}}"},
        {"when": {"$call": 2}, "response": "second call"},
        {"response": {"city": "{{city}}", "temperature_c": 20}},
    ]
)


def _ask(tool: ToolDefinition, arguments: dict[str, Any], call: int = 1) -> tuple[Any, bool]:
    result = answer_mock(tool, arguments, ToolSession(call_counts={tool.name: call}))
    try:
        return json.loads(result.content), result.is_error
    except ValueError:
        return result.content, result.is_error


def test_the_first_entry_whose_conditions_match_answers() -> None:
    assert _ask(WEATHER, {"city": "Oslo"}) == ({"city": "Oslo", "temperature_c": -3}, False)
    assert _ask(WEATHER, {"city": "Rome"}) == ({"city": "Rome", "temperature_c": 20}, False)


def test_an_error_entry_is_a_tool_error() -> None:
    assert _ask(WEATHER, {"city": "Xanadu"}) == ({"error": "unknown city Xanadu"}, True)


def test_the_number_of_the_call_decides() -> None:
    assert _ask(WEATHER, {"city": "Rome"}, call=2) == ("second call", False)


def test_no_match_says_so() -> None:
    content, is_error = _ask(_tool([{"when": {"city": "Oslo"}, "response": 1}]), {"city": "Rome"})
    assert is_error
    assert content == {"error": 'get_weather has no answer for the arguments {"city": "Rome"}'}


@each_row(
    ("when", "arguments", "right"),
    [
        ({"n": 1}, {"n": True}, False),
        ({"n": 1}, {"n": 1.0}, True),
        ({"n": "1"}, {"n": 1}, False),
        ({"c": {"$ci": "oslo"}}, {"c": "OSLO"}, True),
        ({"c": {"$any_of": ["a", {"$regex": "^b"}]}}, {"c": "bc"}, True),
        ({"c": {"$normalized": "new york"}}, {"c": "New-York!"}, True),
        ({"x": {"$approx": 3.14, "tolerance": 0.01}}, {"x": 3.145}, True),
        ({"x": {"$any": True}}, {}, False),
        ({"a.b": 2}, {"a": {"b": 2}}, True),
        ({"$call": {"$any_of": [1, 3]}}, {}, True),
    ],
)
def test_conditions(when: dict[str, Any], arguments: dict[str, Any], right: bool) -> None:
    assert _ask(_tool([{"when": when, "response": "yes"}]), arguments)[1] is not right


@each_row(
    ("template", "filled"),
    [
        ("{{n}}", 5),
        ("n={{n}}", "n=5"),
        ("{{ o.k }}", "v"),
        ("{{l.1}}", "b"),
        ("{{missing}}", "{{missing}}"),
        ("{{o}} {{l}}", '{"k": "v"} ["a", "b"]'),
        ({"{{t}}": ["{{n}}"]}, {"{{n}}": [5]}),
        ("{{t}}{{n}}", "{{n}}5"),
        (7, 7),
    ],
)
def test_arguments_are_written_into_the_answer_once(template: Any, filled: Any) -> None:
    assert fill(template, {"n": 5, "o": {"k": "v"}, "l": ["a", "b"], "t": "{{n}}"}) == filled


HOLD = _tool(
    [
        {"when": {"$state.held": None}, "set": {"held": "{{room}}"}, "response": {"held": "{{room}}"}},
        {"when": {"$state.held": {"$regex": "^B"}}, "error": "{{$state.held}} stays held"},
        {"set": {"before": "{{$state.held}}", "held": None}, "response": {"released": "{{$state.before}}"}},
    ]
)


def test_what_one_call_sets_the_next_calls_of_the_sample_see() -> None:
    session = ToolSession()
    said = [answer_mock(HOLD, {"room": room}, session).content for room in ("A1", "A2", "B1", "B2")]
    assert [json.loads(text) for text in said] == [
        {"held": "A1"},
        {"released": "A1"},
        {"held": "B1"},
        {"error": "B1 stays held"},
    ]
    assert json.loads(answer_mock(HOLD, {"room": "C"}, ToolSession()).content) == {"held": "C"}


def test_a_model_cannot_write_the_state_by_an_argument() -> None:
    session = ToolSession()
    answer_mock(HOLD, {"room": "B1", "$state": {"held": "x"}}, session)
    assert answer_mock(HOLD, {"room": "B1", "$state": {}}, session).is_error


def test_latency_is_real_and_ends_when_the_run_stops() -> None:
    slow = _tool([{"response": "x", "latency_ms": 600_000}])
    stop = threading.Event()
    stop.set()
    before = time.monotonic()
    answer_mock(slow, {}, ToolSession(), stop)
    assert time.monotonic() - before < stretched(1)
    assert answer_mock(_tool([{"response": "x", "latency_ms": 30}]), {}, ToolSession()).duration_ms >= 29


def test_a_catastrophic_pattern_is_no_match_in_bounded_time() -> None:
    before = time.monotonic()
    tool = _tool([{"when": {"c": {"$regex": "^(a|aa)+$"}}, "response": 1}])
    answer_mock(tool, {"c": "a" * 5000 + "!"}, ToolSession())
    assert time.monotonic() - before < stretched(3)


@given(st.text(), st.dictionaries(st.text(max_size=5), st.text() | st.integers(), max_size=3))
def test_filling_never_raises(template: str, arguments: dict[str, Any]) -> None:
    fill(template, arguments)


ORDERS = {"orders": {"A.1": {"status": "open"}, "B": {"status": "sent"}}, "who": "B"}
CANCEL = _tool(
    [
        {
            "when": {"$state.orders.[id].status": "open"},
            "set": {"orders.[id].status": "{{why}}", "last.seen": "{{$state.orders.[id].status}}"},
            "response": "{{$state.orders.[id]}}",
        },
        {"when": {"$state.who": "{{id}}"}, "response": "yours"},
        {"error": "{{id}} is {{$state.orders.[id].status}}"},
    ]
)


def _asked(state: dict[str, Any], **arguments: Any) -> Any:
    return json.loads(answer_mock(CANCEL, arguments, ToolSession(state={"$state": state})).content)


def test_a_step_of_a_place_can_be_an_arguments_value() -> None:
    state = json.loads(json.dumps(ORDERS))
    assert _asked(state, id="A.1", why="closed") == {"status": "closed"}
    assert state == {
        "orders": {"A.1": {"status": "closed"}, "B": {"status": "sent"}}, "who": "B", "last": {"seen": "open"},
    }  # fmt: skip
    assert _asked(state, id="A.1", why="closed") == {"error": "A.1 is closed"}


def test_a_condition_on_the_state_can_name_an_argument() -> None:
    result = answer_mock(CANCEL, {"id": "B"}, ToolSession(state={"$state": dict(ORDERS)}))
    assert result.content == "yours"


def test_what_is_taken_over_from_the_state_is_a_copy() -> None:
    tool = _tool(
        [
            {"when": {"$state.b": None}, "set": {"b": "{{$state.a}}"}, "response": 1},
            {"set": {"b.y": 2}, "response": "{{$state.a}}"},
        ]
    )
    session = ToolSession(state={"$state": {"a": {"x": 1}}})
    answer_mock(tool, {}, session)
    answer_mock(tool, {}, session)
    assert session.state["$state"] == {"a": {"x": 1}, "b": {"x": 1, "y": 2}}


@each_row(("index", "found"), [("0", "a"), ("1", "b"), ("2", "{{l.2}}"), ("-1", "{{l.-1}}"), ("٠", "{{l.٠}}")])
def test_a_place_in_a_list_is_a_number_within_it(index: str, found: str) -> None:
    assert fill(f"{{{{l.{index}}}}}", {"l": ["a", "b"]}) == found


@each_row(
    ("counts", "said"), [({}, "1"), ({"get_weather": 0}, "1"), ({"get_weather": 1}, "1"), ({"get_weather": 2}, "2")]
)
def test_a_call_that_nobody_counted_is_the_first(counts: dict[str, int], said: str) -> None:
    tool = _tool([{"when": {"$call": 1}, "response": "1"}, {"when": {"$call": 2}, "response": "2"}])
    assert answer_mock(tool, {}, ToolSession(call_counts=counts)).content == said


class _Clock:
    """Time that passes while an answer is waited for."""

    def __init__(self) -> None:
        self.now = 500.0
        self.waited: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.now += seconds


@pytest.mark.parametrize(
    ("latency", "waited"), [(250, 0.25), ("40", 0.04), (10_000, 10.0), (60_000, 10.0), (0, None), (None, None)]
)
@pytest.mark.parametrize("answer", [{"response": 1}, {"error": "no"}, {"python": "1"}])
def test_a_latency_is_waited_for_and_told_ten_seconds_at_most(
    monkeypatch: pytest.MonkeyPatch, latency: Any, waited: float | None, answer: dict[str, Any]
) -> None:
    clock = _Clock()
    monkeypatch.setattr("modex.core.tools.mocks.time", clock)
    monkeypatch.setattr("modex.core.tools.mocks.answer_by_code", lambda *_: ToolResult("1"))
    result = answer_mock(_tool([{**answer, "latency_ms": latency}]), {}, ToolSession(), clock)  # type: ignore[arg-type]
    assert (clock.waited, result.duration_ms) == ([] if waited is None else [waited], round(1000 * (waited or 0)))


@each_row(
    ("mock", "said", "is_error"),
    [
        ({"response": "r"}, "r", False),
        ({"error": "e"}, '{"error": "e"}', True),
        ({"other": 1}, '{"other": 1}', False),
        ("text", "text", False),
        (None, "null", False),
        ({"response": None, "error": None}, "null", False),
        ([{"error": None, "response": "r"}], "r", False),
        ([{"when": {}, "response": "r"}], "r", False),
    ],
)
def test_a_mock_is_a_list_of_entries_one_entry_or_the_answer_itself(mock: Any, said: str, is_error: bool) -> None:
    result = answer_mock(_tool(mock), {}, ToolSession())
    assert (result.content, result.is_error) == (said, is_error)


def test_what_has_no_answer_names_the_arguments_cut_where_they_are_long() -> None:
    said, is_error = _ask(_tool([{"when": {"a": 1}}]), {"b": "x" * 600})
    assert is_error
    assert said == {"error": "get_weather has no answer for the arguments " + ('{"b": "' + "x" * 600)[:500]}


def test_an_argument_goes_before_a_place_of_the_same_name_and_what_is_not_given_meets_no_condition() -> None:
    tool = _tool([{"when": {"a.b": 1}, "response": "hit"}, {"response": "miss"}])
    asked: list[dict[str, Any]] = [{"a.b": 1}, {"a": {"b": 1}}, {"a.b": 2, "a": {"b": 1}}, {"a": {}}, {"a": [1]}]
    assert [_ask(tool, arguments)[0] for arguments in asked] == ["hit", "hit", "miss", "miss", "miss"]


def test_objects_on_the_way_to_what_is_set_are_made_over_whatever_stands_there() -> None:
    tool = _tool([{"set": {"a.b.c": 1, "n {{x}}.y": 2}, "response": 1}])
    session = ToolSession(state={"$state": {"a": {"b": 5, "kept": 6}}})
    answer_mock(tool, {"x": "v.w"}, session)
    assert session.state["$state"] == {"a": {"b": {"c": 1}, "kept": 6}, "n v.w.y": 2}


@pytest.mark.parametrize(
    ("mock", "javascript", "python", "problem"),
    [
        ([{"javascript": "1"}], "no js", None, "no js"),
        ([{"javascript": "1"}], None, "no py", None),
        ([{"python": "1"}, {"javascript": "1"}], None, "no py", "no py"),
        ([{"python": "1"}, {"response": 1}], "no js", None, None),
        ([{"response": 1}, 3], "no js", "no py", None),
        ({"python": "1"}, "no js", "no py", None),
        (None, "no js", "no py", None),
        ([{"python": "1"}], "no js", "no py", "no py"),
    ],
)
def test_a_language_that_a_mock_uses_and_the_machine_lacks_is_told(
    monkeypatch: pytest.MonkeyPatch, mock: Any, javascript: str | None, python: str | None, problem: str | None
) -> None:
    monkeypatch.setattr("modex.core.sandbox.javascript.javascript_unavailable", lambda: javascript)
    monkeypatch.setattr("modex.core.sandbox.python.python_unavailable", lambda: python)
    assert unavailable(mock) == problem


@pytest.mark.parametrize(
    ("ran", "said", "is_error"),
    [
        (Ran(None, " 5\n"), "5", False),
        (Ran(6, "5"), "5", False),
        (Ran("six", " "), "six", False),
        (Ran({"a": "é"}), '{"a": "é"}', False),
        (Ran(0), "0", False),
        (Ran(), '{"error": "the mock failed: it gave no answer"}', True),
        (Ran(6, "5", "Trace\nE: no\n"), '{"error": "the mock failed: E: no"}', True),
        (Ran(None, "", " "), '{"error": "the mock failed: it failed"}', True),
    ],
)
def test_what_code_prints_goes_before_its_value_and_its_error_before_both(
    monkeypatch: pytest.MonkeyPatch, ran: Ran, said: str, is_error: bool
) -> None:
    asked: list[Any] = []

    def run(code: str, inputs: dict[str, Any]) -> Ran:
        asked.append((code, inputs))
        return ran

    monkeypatch.setattr("modex.core.sandbox.javascript.run_javascript", run)
    result = answer_by_code("javascript", "code", {"city": "Ö"}, None)
    assert (result.content, result.is_error) == (said, is_error)
    assert asked == [("code", {"args": {"city": "Ö"}, "state": {}, "ARGS": '{"city": "Ö"}'})]


@each_row(
    ("code", "said"),
    [
        ("result = args['n'] + 1", "6"),
        ("result = 1\n2", "1"),
        ("args['n'] * 2", "10"),
        ("print('p')\nresult = 1", "p"),
        ("state['k']", "v"),
    ],
)
def test_pythons_answer_is_what_it_prints_else_result_else_its_last_value(code: str, said: str) -> None:
    assert answer_by_code("python", code, {"n": 5}, {"k": "v"}).content == said


@each_row(
    ("language", "ran", "broken"),
    [
        ("javascript", Ran(error="SyntaxError: invalid property name", error_type="Error"), True),
        ("javascript", Ran(error="ReferenceError: require is not defined", error_type="Error"), True),
        ("javascript", Ran(error="RangeError: Maximum call stack size exceeded", error_type="Error"), True),
        ("javascript", Ran(error="the code took more than 2 s", error_type="Ended"), True),
        ("javascript", Ran(error="the code has more than 50 characters", error_type="TooLong"), True),
        ("javascript", Ran(error="Error: there is no such city", error_type="Error"), False),
        ("javascript", Ran(error="RangeError: no such page", error_type="Error"), False),
        ("javascript", Ran(error="TypeError: cannot read property 'a' of undefined", error_type="Error"), False),
    ],
)
def test_a_script_that_is_broken_is_no_answer_and_one_that_throws_is(
    monkeypatch: pytest.MonkeyPatch, language: str, ran: Ran, broken: bool
) -> None:
    monkeypatch.setattr("modex.core.sandbox.javascript.run_javascript", lambda *_: ran)
    if not broken:
        assert answer_by_code(language, "code", {}).is_error
        return
    with pytest.raises(ModelCallError, match=r".") as raised:
        answer_by_code(language, "code", {})
    assert (str(raised.value), raised.value.error_type) == (ran.error, ErrorType.TOOL_UNAVAILABLE)


@each_row(
    ("code", "what"),
    [
        ("import os\nresult = os.environ['HOME']", "'os.environ' is not supported in this environment"),
        ("import os\nos.system('x')", "AttributeError: module 'os' has no attribute 'system'"),
        ("import requests", "ModuleNotFoundError: No module named 'requests'"),
        ("result = open('/etc/passwd').read()", "PermissionError"),
        ("result = undefined_name", "NameError"),
        ("def f(n):\n  return f(n)\nf(1)", "RecursionError"),
        ("x = [0] * 10**9", "MemoryError"),
        ("def f(:", "SyntaxError"),
    ],
)
def test_python_that_is_broken_ends_the_sample_and_names_its_tool(code: str, what: str) -> None:
    tool = _tool([{"python": code}])
    with pytest.raises(ModelCallError, match=r"mend its python") as raised:
        answer_mock(tool, {}, ToolSession())
    said = str(raised.value)
    assert said.startswith(f"{tool.location}: the mock of the tool '{tool.name}' is broken: ")
    assert what in said
    assert raised.value.error_type == ErrorType.TOOL_UNAVAILABLE


@each_row(
    "code",
    [
        "raise ValueError('no city')",
        "raise RuntimeError('busy is not supported')",
        "def f(x):\n  raise OSError('gone')\nf(1)",
        "result = args['gone']",
        "result = args.get('city').upper()",
    ],
)
def test_what_code_raises_on_purpose_or_by_its_arguments_is_its_answer(code: str) -> None:
    assert answer_mock(_tool([{"python": code}]), {}, ToolSession()).is_error
