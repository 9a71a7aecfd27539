"""What the scripted model says in each role and phase, word by word."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.foundation.errors import ConfigurationError
from modex.core.llm.demo.ability import Dice
from modex.core.llm.demo.cues import Cue
from modex.core.llm.demo.replies import LATENCY_VARIABLE, Faults, completion, dice_for, latency_s, refusal
from modex.core.llm.demo.script import play, variant_of
from tests.rows import each_row

USER: dict[str, Any] = {"role": "user", "content": "Over 5 days?"}
SYSTEM: dict[str, Any] = {"role": "system", "content": 'Reply with "reasoning" and "answer".'}
CALLED: dict[str, Any] = {"role": "assistant", "content": "", "tool_calls": [{}]}
RESULT: dict[str, Any] = {"role": "tool", "content": "sunny " * 50}
TOOLS = [
    {"function": {"name": "zoo", "parameters": {"properties": {"days": {"type": "integer"}}, "required": ["days"]}}},
    {"function": {"name": "bar", "parameters": {"properties": {}}}},
]
META = {"metadata": {"tools": ["bar", "gone"], "good_answer": "Good.", "bad_answer": "Bad."}}


def phase(name: str, **more: Any) -> Cue:
    return Cue("rollout", "k1", 1, "Oslo", "two_pass", context={"phase": name, **more})


def short(content: str) -> str:
    """Without the thought, whose words are always the same."""
    thought, end, said = content.partition("</think>")
    return f"(thought) {said.strip()}" if end and thought.startswith("<think>") else content


@each_row(
    ("model", "variant"),
    [
        ("demo", "default"),
        ("demo/weak", "weak"),
        ("litellm/demo/strong", "strong"),
        ("demo/odd", "default"),
        ("flaky", "flaky"),
    ],
)
def test_a_models_name_says_its_variant(model: str, variant: str) -> None:
    assert variant_of(model) == variant


@each_row(
    ("messages", "tools", "cue", "said"),
    [
        ([], None, None, ("I am modex's scripted demo model: without a test to play I only say this.", [], "stop")),
        (
            [{"role": "user", "content": "F1: é one\nno\nF2: two\nF3: three\nF4: four\nF5: five"}],
            None,
            None,
            (
                (
                    '{"strengths": [{"text": "é one", "facts": ["F1"]}, {"text": "two", "facts": ["F2"]}], '
                    '"weaknesses": [], "patterns": [{"text": "three", "facts": ["F3"]}, {"text": "four", "facts": '
                    '["F4"]}]}'
                ),
                [],
                "stop",
            ),
        ),
        (
            [USER, {"role": "user", "content": [{"type": "image"}]}],
            None,
            None,
            ("I am modex's scripted demo model: without a test to play I only say this.", [], "stop"),
        ),
        ([], None, Cue("pass2", "k"), ('{"answer": null}', [], "stop")),
        (
            [USER, {"role": "user", "content": "ANSWER: what? It is 7"}],
            None,
            Cue("pass2", "k", context={"type": "numeric"}),
            ("ANSWER: 7", [], "stop"),
        ),
        ([USER], None, Cue("user", "k"), ("###STOP###", [], "stop")),
        (
            [SYSTEM, USER],
            None,
            Cue("judge", "k", expected="days", context={"response": "days"}),
            ('{"score": 1}', [], "stop"),
        ),
        (
            [USER],
            None,
            phase("analysis"),
            (
                (
                    '(thought) The question asks for facts that have to be looked up first.\n\n{"decision": '
                    '"synthesis", "missing": ["the figures asked for"], "plan": "look up, then calculate"}'
                ),
                [],
                "stop",
            ),
        ),
        (
            [USER],
            TOOLS,
            phase("analysis"),
            (
                (
                    '(thought) The question asks for facts that have to be looked up first.\n\n{"decision": '
                    '"tool_call", "missing": ["the figures asked for"], "plan": "look up, then calculate"}'
                ),
                [],
                "stop",
            ),
        ),
        (
            [USER],
            None,
            phase("analysis", **META),
            (
                (
                    '(thought) The question asks for facts that have to be looked up first.\n\n{"decision": '
                    '"tool_call", "missing": ["the figures asked for"], "plan": "look up, then calculate"}'
                ),
                [],
                "stop",
            ),
        ),
        (
            [USER],
            None,
            Cue("rollout", "k1", tool_names=("zoo",), context={"phase": "analysis"}),
            (
                (
                    '(thought) The question asks for facts that have to be looked up first.\n\n{"decision": '
                    '"tool_call", "missing": ["the figures asked for"], "plan": "look up, then calculate"}'
                ),
                [],
                "stop",
            ),
        ),
        ([SYSTEM, USER], TOOLS, phase("tool_selection"), ("(thought) ", ["zoo({'days': 5})"], "tool_calls")),
        ([SYSTEM, USER], TOOLS, phase("tool_selection", **META), ("(thought) ", ["bar({})"], "tool_calls")),
        (
            [SYSTEM, USER],
            TOOLS,
            phase("tool_selection", metadata={"tools": "zoo"}),
            ("(thought) ", ["zoo({'days': 5})"], "tool_calls"),
        ),
        ([USER, CALLED, RESULT], TOOLS, phase("tool_selection", **META), ("synthesis", [], "stop")),
        (
            [USER, {"role": "assistant"}],
            TOOLS,
            phase("tool_selection", metadata={"tools": ["zoo"]}),
            ("(thought) ", ["zoo({'days': 5})"], "tool_calls"),
        ),
        (
            [USER, {"role": "user", "tool_calls": [{}]}],
            TOOLS,
            phase("tool_selection", metadata={"tools": ["zoo"]}),
            ("(thought) ", ["zoo({'days': 5})"], "tool_calls"),
        ),
        ([USER], None, phase("tool_selection", **META), ("synthesis", [], "stop")),
        (
            [USER],
            None,
            phase("synthesis"),
            (
                (
                    '(thought) {"reasoning": "From the figures given, step by step, the answer follows.", "answer": '
                    '"Oslo"}'
                ),
                [],
                "stop",
            ),
        ),
        (
            [USER],
            None,
            Cue("rollout", "k1", 1, "Größe", "two_pass", rollout="reasoning"),
            (
                (
                    '(thought) {"reasoning": "From the figures given, step by step, the answer follows.", "answer": '
                    '"Größe"}'
                ),
                [],
                "stop",
            ),
        ),
        (
            [SYSTEM, USER],
            None,
            Cue("rollout", "k1", 1, "Oslo", "two_pass"),
            (
                (
                    '(thought) {"reasoning": "From the figures given, step by step, the answer follows.", "answer": '
                    '"Oslo"}'
                ),
                [],
                "stop",
            ),
        ),
        (
            [USER, {**SYSTEM, "role": "user"}],
            None,
            Cue("rollout", "k1", 1, "Oslo", "two_pass"),
            (
                (
                    "(thought) I take it in order. I checked the result against the question once more.\n\nSo the "
                    "answer is **Oslo**."
                ),
                [],
                "stop",
            ),
        ),
        (
            [{"role": "system", "content": '"answer"'}, USER],
            None,
            Cue("rollout", "k1", 1, "Oslo", "two_pass"),
            (
                (
                    "(thought) I take it in order. I checked the result against the question once more.\n\nSo the "
                    "answer is **Oslo**."
                ),
                [],
                "stop",
            ),
        ),
        (
            [{"role": "system", "content": '"reasoning"'}, USER],
            None,
            Cue("rollout", "k1", 1, "Oslo", "two_pass"),
            (
                (
                    "(thought) I take it in order. I checked the result against the question once more.\n\nSo the "
                    "answer is **Oslo**."
                ),
                [],
                "stop",
            ),
        ),
        (
            [USER],
            None,
            Cue("rollout", "k1", 1, "Oslo", "two_pass", rollout="conversation"),
            ("(thought) Shall I do it like that? Please answer yes.", [], "stop"),
        ),
        (
            [USER, USER],
            None,
            Cue("rollout", "k1", 1, "Oslo", "two_pass", rollout="conversation"),
            (
                (
                    "(thought) I take it in order. I checked the result against the question once more.\n\nSo the "
                    "answer is **Oslo**."
                ),
                [],
                "stop",
            ),
        ),
        ([USER], None, Cue("rollout", "k1", 1, "Oslo", "llm_judge", context=META), ("(thought) Good.", [], "stop")),
        (
            [USER],
            TOOLS,
            Cue("rollout", "k1", 1, {"tool": "zoo", "args": {"days": 5}}, "tool_call"),
            ("(thought) ", ["zoo({'days': 5})"], "tool_calls"),
        ),
        (
            [USER],
            None,
            Cue("rollout", "k1", 1, {"tool": "zoo"}, "tool_call"),
            ("(thought) No tool is needed for this: I can answer it from what you told me.", [], "stop"),
        ),
        (
            [USER, CALLED, RESULT],
            TOOLS,
            Cue("rollout", "k1", 1, {"tool": "zoo"}, "tool_call"),
            (
                (
                    "(thought) Done. The last result was: sunny sunny sunny sunny sunny sunny sunny sunny sunny "
                    "sunny sunny sunny sunny sunny sunny sunny sunny sunny sunny sunny sunny sunny sunny sunny "
                    "sunny sunny sunny sunny sunny sunny sunny sunny sunny su"
                ),
                [],
                "stop",
            ),
        ),
        (
            [USER, CALLED, RESULT],
            TOOLS,
            Cue("rollout", "k1", 1, {"tool": "zoo"}, "tool_call", context=META),
            ("(thought) Good.", [], "stop"),
        ),
        (
            [USER, CALLED, RESULT],
            TOOLS,
            Cue("rollout", "k1", 1, {"tool": "zoo", "answer": "42"}, "tool_call"),
            (
                (
                    "(thought) I take it in order. I checked the result against the question once more.\n\nSo the "
                    "answer is **42**."
                ),
                [],
                "stop",
            ),
        ),
        (
            [USER],
            None,
            Cue("rollout", "k1", 1, {"no_call": True}, "tool_call"),
            ("(thought) No tool is needed for this: I can answer it from what you told me.", [], "stop"),
        ),
    ],
)
def test_each_role_and_phase_has_its_words(messages: Any, tools: Any, cue: Cue | None, said: Any) -> None:
    found = play("perfect", messages, tools, cue)
    calls = [f"{call.name}({call.arguments})" for call in found.calls]
    assert (short(found.content), calls, found.finish_reason) == said


def test_a_wrong_answer_to_a_test_of_tools_is_the_written_one() -> None:
    cue = Cue("rollout", "k9", 5, {"no_call": True}, "tool_call", context=META)
    assert Dice("weak", "k9").is_right(5) is False
    assert short(play("weak", [USER], None, cue).content) == "(thought) Back to the question.\n</think>\n\nBad."


def test_forms_and_thoughts_come_as_often_as_they_should() -> None:
    def forms(name: str, **more: Any) -> str:
        said = []
        for number in range(30):
            cue = Cue("rollout", f"k{number}", 1, "Oslo", "two_pass", context={"phase": name, **more})
            found = play("flaky", [USER], TOOLS, cue)
            text = found.content.partition("</think>")[2] or found.content
            form = "c" if found.calls else "l" if found.finish_reason == "length" else text.strip()[:1]
            said.append(("t" if found.content.startswith("<think>") else "") + form)
        return " ".join(said)

    assert forms("synthesis") == "t{ { t` t{ t` t{ { { t{ t{ t{ tH { t{ tH { t` { t` t{ H t{ { { ` { H H t{ {"
    assert forms("pass1") == "L tI tI tF tL tL tI I L tI tL F I tI F tL tI I tI tL F tI F tF tI tF tF tL L L"
    assert forms("analysis") == "tT T tT tT tT T T tT tT T T tT tT tT tT T tT T tT T tT tT tT tT tT T tT T tT T"
    assert (
        forms("tool_selection", metadata={"tools": ["zoo"]})
        == "tc c c c tc c tc c tc tc c tc c c tc tc tc tc tc tc tc tc c c tc tc tc c tc c"
    )
    again = {"role": "assistant", "tool_calls": [{}]}
    more = [
        bool(play("perfect", [USER, again], TOOLS, Cue("rollout", f"k{number}", 1, "Oslo", "two_pass",
             context={"phase": "tool_selection", "metadata": {"tools": ["zoo"]}})).calls) for number in range(30)
    ]  # fmt: skip
    assert "".join("x" if one else "." for one in more) == "...........x...........xxx.xxx"
    drawn = [
        play("perfect", [USER], [*TOOLS, {"function": {"name": "a"}}],
             Cue("rollout", f"k{number}", context={"phase": "tool_selection"})).calls[0].name for number in range(9)
    ]  # fmt: skip
    assert " ".join(drawn) == "bar bar a bar a zoo a zoo bar"


@each_row(
    ("messages", "tools", "cue", "data"),
    [
        (
            [{"role": "user", "content": "x" * 40}],
            None,
            None,
            (False, "stop", [], (11, 19, 30, {"reasoning_tokens": 0})),
        ),
        (
            [USER],
            TOOLS,
            Cue("rollout", "k1", 1, {"tool": "zoo", "args": {"days": "é"}}, "tool_call"),
            (
                False,
                "tool_calls",
                [("call_0ca4af2246_1", "function", {"name": "zoo", "arguments": '{"days": "é"}'})],
                (48, 31, 79, {"reasoning_tokens": 23}),
            ),
        ),
        (
            [USER, {"role": "user", "content": None}],
            None,
            Cue("rollout", "k2", 1, "Oslo", "two_pass"),
            (False, "stop", [], (4, 24, 28, {"reasoning_tokens": 0})),
        ),
        (
            [],
            None,
            Cue("judge", "k", expected="a", context={"response": "b"}),
            (False, "stop", [], (1, 4, 5, {"reasoning_tokens": 0})),
        ),
    ],
)
def test_a_completion_has_its_calls_and_counts_its_tokens(
    messages: Any, tools: Any, cue: Cue | None, data: Any
) -> None:
    found = completion("demo/perfect", messages, tools, cue, dice_for("demo/perfect", messages, cue))
    (choice,) = found["choices"]
    calls = [(call["id"], call["type"], call["function"]) for call in choice["message"].get("tool_calls", ())]
    usage = found["usage"]
    counts = (
        usage["prompt_tokens"],
        usage["completion_tokens"],
        usage["total_tokens"],
        usage["completion_tokens_details"],
    )
    assert (choice["message"]["content"] is None, choice["finish_reason"], calls, counts) == data
    assert found["model"] == "demo/perfect"


def test_dice_depend_on_the_call_and_attachments_are_refused() -> None:
    cue = Cue("judge", "k", context={"phase": "p"})
    assert dice_for("demo/weak", [USER], cue) == Dice("weak", "k judge p 1")
    assert dice_for("demo", [USER], None) == Dice("default", '[{"role": "user", "content": "Over 5 days?"}]')
    assert refusal([USER]) is None
    assert "attachments" in (refusal([USER, {"role": "user", "content": []}]) or "")


def test_first_attempts_fail_as_often_as_the_variant_says_and_once_each() -> None:
    played = Faults()
    met = [played.next(Dice("flaky", f"k{number}")) for number in range(60)]
    assert (
        " ".join(f"{number}: {one[0]}" for number, one in enumerate(met) if one is not None)
        == "2: 429 4: 503 7: 503 13: 503 40: 503 42: 503 43: 503 47: 503 48: 429 50: 503 51: 503"
    )
    assert {one for found in met if found is not None for one in found[2].items()} == {("retry-after-ms", "100")}
    assert [played.next(Dice("flaky", f"k{number}")) for number in range(60)] == [None] * 60
    assert [Faults().next(Dice("perfect", f"k{number}")) for number in range(60)] == [None] * 60


def test_a_call_takes_as_long_as_the_variable_says_else_as_the_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(LATENCY_VARIABLE, raising=False)
    assert [round(latency_s(Dice("default", f"k{number}")), 4) for number in range(4)] == [
        0.0843,
        0.1004,
        0.0943,
        0.1243,
    ]
    for text, seconds in ((" 0 ", 0.0), ("0.5", 0.5), ("600", 600.0)):
        monkeypatch.setenv(LATENCY_VARIABLE, text)
        assert latency_s(Dice("default", "k")) == seconds
    for text in ("-0.5", "600.5", "soon", "nan"):
        monkeypatch.setenv(LATENCY_VARIABLE, text)
        with pytest.raises(ConfigurationError):
            latency_s(Dice("default", "k"))
